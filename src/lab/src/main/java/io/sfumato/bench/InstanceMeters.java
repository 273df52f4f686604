// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads what an instance uses and sends. Seconds of processors, unlike those of a clock, hardly
 * depend on what else the machine does.
 */
final class InstanceMeters implements AutoCloseable {
  private static final double NANOS = 1e9;

  private final Lap lap;
  private final String applicationId;
  private final Admin admin;
  private final List<TopicPartition> partitions;

  /**
   * Of an instance that runs, so that all its topics are there.
   *
   * @param output topic of its releases
   */
  InstanceMeters(Lap lap, Arena arena, String applicationId, String output)
      throws RefusedException, InterruptedException {
    this.lap = lap;
    this.applicationId = applicationId;
    this.admin = Admin.create(arena.settings().admin());
    this.partitions = partitions(output);
  }

  private List<TopicPartition> partitions(String output)
      throws RefusedException, InterruptedException {
    try {
      Set<String> topics =
          admin.listTopics().names().get().stream()
              .filter(name -> name.startsWith(applicationId + "-") || name.equals(output))
              .collect(Collectors.toSet());
      return admin.describeTopics(topics).allTopicNames().get().values().stream()
          .flatMap(
              topic ->
                  topic.partitions().stream()
                      .map(info -> new TopicPartition(topic.name(), info.partition())))
          .toList();
    } catch (ExecutionException e) {
      throw failed();
    }
  }

  MeterReading read() throws RefusedException, InterruptedException {
    Map<MeterReading.Kind, Double> records = MeterReading.byKind(lap.sent("record-send-total"));
    double sent = records.values().stream().mapToDouble(Double::doubleValue).sum();
    double own = ownSeconds();
    return new MeterReading(
        System.nanoTime() / NANOS,
        own,
        Machine.processorSeconds() - own,
        records,
        MeterReading.byKind(lap.sent("byte-total")),
        written() - sent);
  }

  /** Every record and every marker takes an offset. */
  private double written() throws RefusedException, InterruptedException {
    try {
      return admin
          .listOffsets(
              partitions.stream().collect(Collectors.toMap(p -> p, p -> OffsetSpec.latest())))
          .all()
          .get()
          .values()
          .stream()
          .mapToDouble(info -> info.offset())
          .sum();
    } catch (ExecutionException e) {
      throw failed();
    }
  }

  private static RefusedException failed() {
    return new RefusedException(
        ExitCode.FAILED, "the broker of the benchmark does not answer; see the log");
  }

  /** Threads of an application carry its name. */
  private double ownSeconds() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    double nanos = 0;
    for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().contains(applicationId)) {
        nanos += Math.max(0, threads.getThreadCpuTime(thread.getThreadId()));
      }
    }
    return nanos / NANOS;
  }

  @Override
  public void close() {
    admin.close();
  }
}
