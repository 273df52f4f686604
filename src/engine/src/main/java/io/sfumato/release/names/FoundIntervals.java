// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.estimate.partitionselection.CountInterval;
import io.sfumato.schema.CountedName;

/** Where the truth of published names lies that were just found, given that they were found. */
@FunctionalInterface
public interface FoundIntervals {
  /**
   * Of one name.
   *
   * @param name as it is published
   * @param side how often the truth may lie below, and how often above: above 0, below 1/2
   */
  CountInterval of(CountedName name, double side);
}
