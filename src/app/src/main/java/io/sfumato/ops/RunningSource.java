// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.runtime.PipelineRun;
import io.sfumato.topology.context.SourceTopics;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What an instance reads of its records' topics.
 *
 * @param run nothing while the cluster is waited for
 */
record RunningSource(RunningCounts counts, Supplier<Optional<PipelineRun>> run)
    implements TickAge.Source {
  @Override
  public Set<Integer> partitions() {
    Optional<PipelineRun> instance = run.get();
    if (instance.isEmpty()) {
      return Set.of();
    }
    SourceTopics sources = instance.get().sources();
    return instance.get().streams().stream()
        .flatMap(streams -> streams.metadataForLocalThreads().stream())
        .flatMap(thread -> thread.activeTasks().stream())
        .flatMap(task -> task.topicPartitions().stream())
        .filter(sources::contains)
        .map(sources::number)
        .collect(Collectors.toSet());
  }

  @Override
  public OptionalLong released(int source) {
    int partition = run.get().map(one -> one.sources().place(source).partition()).orElse(source);
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
