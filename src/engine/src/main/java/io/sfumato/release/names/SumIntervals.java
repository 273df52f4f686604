// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.estimate.partitionselection.CountInterval;
import java.util.List;

/** Where the truth lies of a sum of one name's counts, those of several subjects' lists. */
@FunctionalInterface
public interface SumIntervals {
  /**
   * With probability 95% at least, given that the names were found that were.
   *
   * @param counts of one name and window, of two subjects or more
   */
  CountInterval of(List<ListedCount> counts);
}
