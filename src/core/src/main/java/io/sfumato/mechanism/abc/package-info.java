/**
 * Differentially private approximate Bayesian computation: Park, Vinaroz, Jitkrittum, "ABCDP:
 * Approximate Bayesian Computation with Differential Privacy". Unit {@code record}.
 *
 * <p>Start with {@link Distances}, which compares data with pseudo-data. A query answers by {@link
 * SparseVectorQueries}, {@link RejectionQueries} or {@link SoftQueries}.
 */
package io.sfumato.mechanism.abc;
