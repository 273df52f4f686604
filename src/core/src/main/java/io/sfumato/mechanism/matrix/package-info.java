/**
 * The matrix mechanism for prefix sums, A = B C: noise on the rows of C x, and B that turns them
 * into prefix sums, over windows or over bins of values.
 *
 * <p>Start with {@link ToeplitzRoot}, the square root of Fichtenberger, Henzinger, Upadhyay 2023,
 * banded as in Kalinin, Lampert 2024. {@link RootSensitivity} is Theorem J.
 */
package io.sfumato.mechanism.matrix;
