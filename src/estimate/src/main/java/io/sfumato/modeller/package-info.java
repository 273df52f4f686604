/**
 * The modeller's side of approximate Bayesian computation: simulators, priors, posteriors. All of
 * it is public; nothing here sees private data or spends a budget.
 */
package io.sfumato.modeller;
