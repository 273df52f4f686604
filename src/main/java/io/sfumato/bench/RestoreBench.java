package io.sfumato.bench;

import io.sfumato.runtime.RefusedException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.processor.StateRestoreListener;

/** Rebuilds the state of many subjects from its changelog, as after the loss of a machine. */
final class RestoreBench {
  private final Arena arena;
  private final int subjects;

  RestoreBench(Arena arena, int subjects) {
    this.arena = arena;
    this.subjects = subjects;
  }

  /** Subjects a second, with one record each. */
  double run() throws RefusedException, InterruptedException {
    String id = arena.newId("restore");
    String topic = id + "-events";
    arena.write(topic, new Workload(subjects, subjects, Workload.Activity.IN_TURN, 1));
    Alternative.Prepared prepared = PipelineAlternative.exactlyOnce().prepare(arena, topic, id);
    try (Lap lap = new Lap(prepared)) {
      lap.start();
      lap.secondsToCount(subjects);
    }
    // Closing has deleted the local state.
    Watch watch = new Watch();
    try (KafkaStreams streams = new KafkaStreams(prepared.topology(), prepared.settings())) {
      CountDownLatch running = new CountDownLatch(1);
      streams.setGlobalStateRestoreListener(watch);
      streams.setStateListener(
          (now, before) -> {
            if (now == KafkaStreams.State.RUNNING && watch.ended.get() > 0) {
              running.countDown();
            }
          });
      streams.start();
      running.await(10, TimeUnit.MINUTES);
    }
    return subjects / ((watch.ended.get() - watch.began.get()) / 1e9);
  }

  /** From the first store's beginning to the last one's end. */
  private static final class Watch implements StateRestoreListener {
    private final AtomicLong began = new AtomicLong(Long.MAX_VALUE);
    private final AtomicLong ended = new AtomicLong();

    @Override
    public void onRestoreStart(TopicPartition partition, String store, long from, long to) {
      began.accumulateAndGet(System.nanoTime(), Math::min);
    }

    @Override
    public void onBatchRestored(TopicPartition partition, String store, long end, long restored) {
      // Only the whole is timed.
    }

    @Override
    public void onRestoreEnd(TopicPartition partition, String store, long restored) {
      ended.accumulateAndGet(System.nanoTime(), Math::max);
    }
  }
}
