// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.runtime.PipelineRun;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * What an instance reads of its records' topic.
 *
 * @param topic of the records
 * @param run nothing while the cluster is waited for
 */
record RunningSource(String topic, RunningCounts counts, Supplier<Optional<PipelineRun>> run)
    implements TickAge.Source {
  @Override
  public Set<Integer> partitions() {
    return run.get().stream()
        .flatMap(instance -> instance.streams().stream())
        .flatMap(streams -> streams.metadataForLocalThreads().stream())
        .flatMap(thread -> thread.activeTasks().stream())
        .flatMap(task -> task.topicPartitions().stream())
        .filter(partition -> partition.topic().equals(topic))
        .map(TopicPartition::partition)
        .collect(Collectors.toSet());
  }

  @Override
  public OptionalLong released(int partition) {
    return counts.partitions().getOrDefault(partition, ReleaseProgress.NONE).released();
  }

  @Override
  public boolean isBehind() {
    return ClientMetrics.recordsWait(run.get());
  }

  @Override
  public long now() {
    return System.currentTimeMillis();
  }
}
