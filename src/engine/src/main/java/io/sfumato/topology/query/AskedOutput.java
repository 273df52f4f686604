// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.query;

import io.sfumato.release.abc.PlannedAbc;
import io.sfumato.topology.budget.Charger;

/**
 * An output that answers candidates.
 *
 * @param charging charges a query whole
 */
record AskedOutput(PlannedAbc planned, Charger charging, Answerer answerer) {}
