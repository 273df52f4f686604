/**
 * Inference from noisy releases: likelihoods of candidates, and posteriors. Post-processing of
 * published values, at no cost in budget.
 */
package io.sfumato.inference;
