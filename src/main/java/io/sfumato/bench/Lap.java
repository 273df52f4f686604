package io.sfumato.bench;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.Metric;
import org.apache.kafka.streams.KafkaStreams;

/** One run of one alternative through one workload. */
final class Lap implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(15);
  private static final Duration POLL = Duration.ofMillis(2);
  private static final Duration CLOSE = Duration.ofSeconds(30);
  private static final String THREADS = "stream-thread-metrics";

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

  /** From the first record that is processed until the last one is counted and committed. */
  double seconds(long events) throws RefusedException, InterruptedException {
    streams.start();
    running.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    List<? extends Metric> processed = threads("process-total");
    List<? extends Metric> committed = threads("commit-total");
    await(() -> sum(processed) > 0);
    long began = System.nanoTime();
    await(() -> prepared.counted().getAsLong() >= events);
    double commits = sum(committed);
    await(() -> sum(committed) > commits);
    return (System.nanoTime() - began) / 1e9;
  }

  private List<? extends Metric> threads(String name) {
    return streams.metrics().values().stream()
        .filter(m -> m.metricName().group().equals(THREADS) && m.metricName().name().equals(name))
        .toList();
  }

  private static double sum(List<? extends Metric> metrics) {
    return metrics.stream().mapToDouble(metric -> (double) metric.metricValue()).sum();
  }

  private void await(BooleanSupplier condition) throws RefusedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (streams.state() == KafkaStreams.State.ERROR || System.nanoTime() > deadline) {
        throw new RefusedException(
            ExitCode.FAILED, "a topology of the benchmark stopped or stands still; see the log");
      }
      LockSupport.parkNanos(POLL.toNanos());
    }
  }

  @Override
  public void close() {
    streams.close(CLOSE);
    streams.cleanUp();
  }
}
