// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
/**
 * Weights of tables, and consistent estimates by least squares.
 *
 * <p>Start with {@link TablesEstimates}; {@link BestWeights} chooses weights (Theorem O has their
 * sensitivity), {@link TablesError} says how far cells are off.
 */
package io.sfumato.estimate.tables;
