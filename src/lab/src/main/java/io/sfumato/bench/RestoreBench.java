// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.runtime.RefusedException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
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

  /**
   * What it took.
   *
   * @param seconds from the first store's beginning to the last one's end
   * @param records of changelogs
   */
  record Restored(double seconds, long records) {}

  /** Subjects a second, with one record each. */
  double run() throws RefusedException, InterruptedException {
    return subjects / restore((lap, topic) -> {}).seconds();
  }

  /** Every subject has been released once, and has a ledger and no open dataset. */
  Restored ledgers() throws RefusedException, InterruptedException {
    return restore(
        (lap, topic) -> {
          arena.tick(topic, Workload.BEGIN + Workload.WINDOW_MILLIS);
          lap.awaitReleased(subjects);
        });
  }

  private interface Before {
    void reach(Lap lap, String topic) throws RefusedException;
  }

  private Restored restore(Before before) throws RefusedException, InterruptedException {
    String id = arena.newId("restore");
    String topic = id + "-events";
    arena.write(topic, new Workload(subjects, subjects, Workload.Activity.IN_TURN, 1));
    Alternative.Prepared prepared = PipelineAlternative.exactlyOnce().prepare(arena, topic, id);
    try (Lap lap = new Lap(prepared)) {
      lap.start();
      lap.awaitCounted(subjects);
      before.reach(lap, topic);
    }
    // Closing has deleted the local state.
    Watch watch = new Watch();
    try (KafkaStreams streams = new KafkaStreams(prepared.topology(), prepared.settings())) {
      CountDownLatch running = new CountDownLatch(1);
      streams.setGlobalStateRestoreListener(watch);
      streams.setStateListener(
          (now, earlier) -> {
            if (now == KafkaStreams.State.RUNNING && watch.ended.get() > 0) {
              running.countDown();
            }
          });
      streams.start();
      running.await(10, TimeUnit.MINUTES);
    }
    return new Restored((watch.ended.get() - watch.began.get()) / 1e9, watch.records.sum());
  }

  /** From the first store's beginning to the last one's end. */
  private static final class Watch implements StateRestoreListener {
    private final AtomicLong began = new AtomicLong(Long.MAX_VALUE);
    private final AtomicLong ended = new AtomicLong();
    private final LongAdder records = new LongAdder();

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
      records.add(restored);
      ended.accumulateAndGet(System.nanoTime(), Math::max);
    }
  }
}
