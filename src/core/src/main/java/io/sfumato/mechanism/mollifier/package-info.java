/**
 * Mollified samples: one item from a density so close to a public reference that ANY two datasets
 * are alike (Husain, Balle, Cranko, Nock, "Local Differential Privacy for Sampling"; "Integral
 * Privacy for Sampling"; Park, Asoodeh, Lee 2024). Unit {@code dataset}, pure epsilon.
 *
 * <p>Start with {@link FiniteItems} for categories, {@link CellItems} and {@link PooledItems} for
 * numbers, and {@link BoostedItems} for densities that are learned.
 */
package io.sfumato.mechanism.mollifier;
