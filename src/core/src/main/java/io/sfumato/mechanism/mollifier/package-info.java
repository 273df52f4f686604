/**
 * Mollified samples: one item from a density so close to a public reference that ANY two datasets
 * are alike (Husain, Balle, Cranko, Nock, "Local Differential Privacy for Sampling"; "Integral
 * Privacy for Sampling"; Park, Asoodeh, Lee 2024). Unit {@code dataset}, pure epsilon.
 */
package io.sfumato.mechanism.mollifier;
