// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.OptionalInt;

/**
 * What one user may add to the counts of names that nobody listed, beside the records that count.
 *
 * @param perName k: most records of one user that count for one name, in a window, or in a period
 *     where that is bounded; where it is 1, users are counted
 * @param perPeriod most records of one user that count in a whole period of the budget; empty where
 *     that follows from the windows
 */
public record NameLimits(int perName, OptionalInt perPeriod) {}
