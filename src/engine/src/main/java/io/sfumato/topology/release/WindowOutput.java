// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.topology.dataset.Dataset;
import io.sfumato.topology.dataset.DatasetStore;

/** What is published of every closed dataset. */
public interface WindowOutput {
  /**
   * Publishes, or refuses.
   *
   * @param timestamp Kafka timestamp of what is published
   */
  void release(Dataset dataset, long timestamp);

  /** Whether a release of this dataset failed and waits for an operator. */
  boolean isHeld(DatasetStore.Key dataset);
}
