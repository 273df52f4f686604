/**
 * The matrix mechanism for prefix sums, A = B C: noise on the rows of C x, and B that turns them
 * into prefix sums, over windows or over bins of values.
 */
package io.sfumato.mechanism.matrix;
