// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.drill;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Restores one partition of a store from its changelog, with a consumer that belongs to no group
 * and reads committed entries only: as the restore consumer of Kafka Streams does.
 *
 * <p>It reads on to the changelog's end after the cut, without applying what it reads. Compaction
 * keeps the last entry of each key alone, so an entry of the cut may be gone once its key was
 * written again: such rows are noted as moved.
 */
final class ChangelogRestorer {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Consumer<byte[], byte[]> consumer;

  /**
   * @param consumer of committed entries
   */
  ChangelogRestorer(Consumer<byte[], byte[]> consumer) {
    this.consumer = consumer;
  }

  /**
   * What of a changelog to restore.
   *
   * @param cut the offset after the last entry to apply
   * @param compared the offset after the last entry that the other copy holds: rows written later
   *     than either are noted as moved
   */
  record Range(TopicPartition changelog, long cut, long compared) {}

  /**
   * What was read.
   *
   * @param entries that were applied
   * @param bytes of their keys and values
   * @param movedAfterCut entries after the cut: those of the cut that they replace may be gone
   */
  record Restored(long entries, long bytes, long movedAfterCut) {}

  /**
   * Restores.
   *
   * @param progress hears how many more offsets were read
   * @throws RefusedException if the changelog lacks its beginning or holds what Kafka Streams
   *     cannot restore
   */
  Restored restore(Range range, RestoredStore into, LongConsumer progress) throws RefusedException {
    TopicPartition changelog = range.changelog();
    consumer.assign(List.of(changelog));
    long begin = end(consumer.beginningOffsets(List.of(changelog)), changelog);
    if (begin > 0) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "%s begins at offset %d: its first entries were deleted, and a restoration would miss them. See docs/operate/backup.md"
              .formatted(changelog, begin));
    }
    consumer.seek(changelog, begin);
    Reading reading = new Reading(range, into);
    reading.to(range.cut(), progress);
    reading.to(end(consumer.endOffsets(List.of(changelog)), changelog), progress);
    return reading.sum();
  }

  private static long end(Map<TopicPartition, Long> offsets, TopicPartition changelog) {
    return offsets.get(changelog);
  }

  private final class Reading {
    private final Range range;
    private final RestoredStore into;
    private final long movedFrom;
    private long entries;
    private long bytes;
    private long movedAfterCut;

    Reading(Range range, RestoredStore into) {
      this.range = range;
      this.into = into;
      this.movedFrom = Math.min(range.cut(), range.compared());
    }

    void to(long end, LongConsumer progress) throws RefusedException {
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      long position = consumer.position(range.changelog());
      while (position < end) {
        for (ConsumerRecord<byte[], byte[]> entry : consumer.poll(POLL)) {
          take(entry);
        }
        long now = consumer.position(range.changelog());
        if (now > position) {
          deadline = System.nanoTime() + PATIENCE.toNanos();
          progress.accept(now - position);
        } else if (System.nanoTime() > deadline) {
          throw new RefusedException(
              ExitCode.FAILED,
              "%s cannot be read beyond offset %d: check the cluster, and run the drill again"
                  .formatted(range.changelog(), now));
        }
        position = now;
      }
    }

    private void take(ConsumerRecord<byte[], byte[]> entry) throws RefusedException {
      if (entry.key() == null) {
        throw new RefusedException(
            ExitCode.STOPPED,
            "%s holds an entry without a key at offset %d: the pipeline did not write it, and Kafka Streams cannot restore it. See docs/operate/backup.md"
                .formatted(range.changelog(), entry.offset()));
      }
      if (entry.offset() < range.cut()) {
        into.apply(entry.key(), entry.value());
        entries++;
        bytes += entry.key().length + (entry.value() == null ? 0 : entry.value().length);
      } else {
        movedAfterCut++;
      }
      if (entry.offset() >= movedFrom) {
        into.move(entry.key());
      }
    }

    Restored sum() {
      return new Restored(entries, bytes, movedAfterCut);
    }
  }
}
