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
}
