// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.topology.DatasetStore.Dataset;

/** What is published of every closed dataset. */
interface WindowOutput {
  /**
   * Publishes, or refuses.
   *
   * @param timestamp Kafka timestamp of what is published
   */
  void release(Dataset dataset, long timestamp);

  /** Whether a release of this dataset failed and waits for an operator. */
  boolean isHeld(DatasetStore.Key dataset);
}
