/**
 * Differentially private approximate Bayesian computation: Park, Vinaroz, Jitkrittum, "ABCDP:
 * Approximate Bayesian Computation with Differential Privacy". Unit {@code record}.
 */
package io.sfumato.mechanism.abc;
