// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;

/**
 * What all pipelines about the same subjects may spend together: each budget takes a fixed share.
 *
 * @param name that the pipelines agree on
 * @param epsilon of all budgets together, per subject and period
 * @param delta likewise
 */
public record AccountSpec(String name, Epsilon epsilon, Delta delta) {}
