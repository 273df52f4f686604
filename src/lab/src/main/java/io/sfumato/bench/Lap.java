// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.Metric;
import org.apache.kafka.streams.KafkaStreams;

/** One alternative at work. */
final class Lap implements AutoCloseable {
  /** By then something has moved, or nothing will. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final Duration POLL = Duration.ofMillis(2);
  private static final Duration CLOSE = Duration.ofSeconds(30);

  private final Alternative.Prepared prepared;
  private final KafkaStreams streams;
  private final CountDownLatch running = new CountDownLatch(1);

  Lap(Alternative.Prepared prepared) {
    this.prepared = prepared;
    this.streams = new KafkaStreams(prepared.topology(), prepared.settings());
    streams.setStateListener(
        (now, before) -> {
          if (now == KafkaStreams.State.RUNNING || now == KafkaStreams.State.ERROR) {
            running.countDown();
          }
        });
  }

  /** Starts it, and waits until it is running. */
  void start() throws RefusedException, InterruptedException {
    streams.start();
    if (!running.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
      throw stopped("it does not start");
    }
  }

  /** Seconds from the first record that is processed to the commit of the last one. */
  double secondsToCount(long events) throws RefusedException {
    return secondsTo(prepared.counted(), events);
  }

  /** Seconds from the first record that is processed to the commit of the last release. */
  double secondsToRelease(long subjects) throws RefusedException {
    return secondsTo(prepared.released(), subjects);
  }

  /** Seconds from the first record that is processed to the commit of what a counter tells. */
  double secondsTo(LongSupplier counter, long goal) throws RefusedException {
    List<? extends Metric> processed = processed();
    await("record processed", () -> sum(processed), 1);
    long began = System.nanoTime();
    awaitCommitted(counter, goal);
    return (System.nanoTime() - began) / 1e9;
  }

  /** Waits until a number of events is counted and committed. */
  void awaitCounted(long events) throws RefusedException {
    awaitCommitted(prepared.counted(), events);
  }

  /** Waits until a number of records of all topics, the journal included, is processed. */
  void awaitProcessed(long records) throws RefusedException {
    List<? extends Metric> processed = processed();
    await("records processed", () -> sum(processed), records);
  }

  /**
   * Waits until a number of subjects is released and committed.
   *
   * @return longest time between two polls meanwhile, milliseconds
   */
  double awaitReleased(long subjects) throws RefusedException {
    PollGap gap = new PollGap(metrics("stream-thread-metrics", "poll-total"));
    LongSupplier released = prepared.released();
    awaitCommitted(
        () -> {
          gap.sample();
          return released.getAsLong();
        },
        subjects);
    return gap.longestMillis();
  }

  /** The time between two polls of a thread, seen from outside. */
  private static final class PollGap {
    private final List<? extends Metric> polls;
    private double seen;
    private long since = System.nanoTime();
    private long longest;

    PollGap(List<? extends Metric> polls) {
      this.polls = polls;
    }

    void sample() {
      long now = System.nanoTime();
      longest = Math.max(longest, now - since);
      double polled = sum(polls);
      if (polled != seen) {
        seen = polled;
        since = now;
      }
    }

    double longestMillis() {
      return longest / 1e6;
    }
  }

  /** Waits until a counter that keepers move has reached its goal, and that is committed. */
  void awaitCommitted(LongSupplier counter, long goal) throws RefusedException {
    List<? extends Metric> committed = metrics("stream-thread-metrics", "commit-total");
    // Commits when the goal was last seen missed: after the last record there may be only one
    // more.
    double[] before = {Double.NEGATIVE_INFINITY};
    await(
        "counted",
        () -> {
          double commits = sum(committed);
          long reached = counter.getAsLong();
          if (reached < goal) {
            before[0] = commits;
          }
          return reached;
        },
        goal);
    await("commits", () -> sum(committed), before[0] + 1);
  }

  /** What its producers have sent, by topic: a total of all time. */
  Map<String, Double> sent(String total) {
    return metrics("producer-topic-metrics", total).stream()
        .collect(
            Collectors.toMap(
                metric -> metric.metricName().tags().get("topic"),
                metric -> (double) metric.metricValue(),
                Double::sum));
  }

  /** Bytes that RocksDB holds for it now: of a cache and buffers that all stores share once. */
  double storeBytes() {
    double shared =
        metrics("stream-state-metrics", "block-cache-usage").stream()
            .mapToDouble(Lap::number)
            .max()
            .orElse(0);
    double own =
        metrics("stream-state-metrics", "estimate-table-readers-mem").stream()
            .mapToDouble(Lap::number)
            .sum();
    return shared + own;
  }

  private static double number(Metric metric) {
    return metric.metricValue() instanceof Number number ? number.doubleValue() : 0;
  }

  private List<? extends Metric> metrics(String group, String name) {
    return streams.metrics().values().stream()
        .filter(m -> m.metricName().group().equals(group) && m.metricName().name().equals(name))
        .toList();
  }

  private static double sum(List<? extends Metric> metrics) {
    return metrics.stream().mapToDouble(metric -> (double) metric.metricValue()).sum();
  }

  private List<? extends Metric> processed() {
    return metrics("stream-thread-metrics", "process-total");
  }

  /**
   * Waits for a number that only grows, as long as it does or records are processed: where it
   * counts windows that every partition has closed, one partition may be far ahead meanwhile.
   */
  private void await(String what, DoubleSupplier reached, double goal) throws RefusedException {
    List<? extends Metric> processed = processed();
    double last = -1;
    long moved = System.nanoTime();
    for (double now = reached.getAsDouble(); now < goal; now = reached.getAsDouble()) {
      double life = now + sum(processed);
      if (life > last) {
        last = life;
        moved = System.nanoTime();
      }
      if (streams.state() == KafkaStreams.State.ERROR
          || System.nanoTime() - moved > PATIENCE.toNanos()) {
        throw stopped("%,.0f of %,.0f %s".formatted(now, goal, what));
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  private RefusedException stopped(String where) {
    return new RefusedException(
        ExitCode.FAILED,
        "a topology of the benchmark stopped or stands still (%s, it is %s); see the log"
            .formatted(where, streams.state()));
  }

  @Override
  public void close() {
    streams.close(CLOSE);
    streams.cleanUp();
  }
}
