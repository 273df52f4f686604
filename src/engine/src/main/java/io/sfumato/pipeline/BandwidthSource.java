// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.List;

/** Where the bandwidth comes from that a file does not name: PUBLIC pseudo-data, never records. */
public interface BandwidthSource {
  /**
   * A bandwidth above 0.
   *
   * @param values fields of numbers, in the file's order
   * @throws IllegalArgumentException if the pseudo-data gives none
   */
  double bandwidth(List<String> values);
}
