// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.intake;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.ReadAgainException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * How far intake has read a partition of commands or candidates: nothing is read twice, and an
 * operator can put back offsets that the group has lost. (Of records their clocks know it.)
 */
public final class ReadUpTo {
  private static final int FORMAT = 1;

  /** What is read. */
  public enum Source {
    COMMANDS('c', Names.ENTRIES, Names.CONTROL_INTAKE, Names.DEAD_LETTERS),
    CANDIDATES('q', Names.CANDIDATE_ENTRIES, Names.CANDIDATE_INTAKE, Names.CANDIDATE_DEAD_LETTERS);

    private final byte kind;

    /** Of the topology's sink for what is taken in. */
    final String entries;

    /** Of the work before a commit. */
    final String intake;

    /** Of the topology's sink for what is not. */
    final String deadLetters;

    Source(char kind, String entries, String intake, String deadLetters) {
      this.kind = (byte) kind;
      this.entries = entries;
      this.intake = intake;
      this.deadLetters = deadLetters;
    }

    private Bytes key(int partition) {
      return Bytes.wrap(ByteBuffer.allocate(Integer.BYTES + 1).putInt(partition).put(kind).array());
    }

    /** The partition that a key of intake's store is about; nothing if it is about other things. */
    public OptionalInt partitionOf(Bytes key) {
      boolean mine = key.get().length == Integer.BYTES + 1 && key.get()[Integer.BYTES] == kind;
      return mine ? OptionalInt.of(ByteBuffer.wrap(key.get()).getInt()) : OptionalInt.empty();
    }
  }

  private final Source source;
  private final KeyValueStore<Bytes, byte[]> store;

  /** Of the last record read; nothing before the first. */
  private Optional<Place> last = Optional.empty();

  private record Place(int partition, long offset) {}

  public ReadUpTo(Source source, KeyValueStore<Bytes, byte[]> store) {
    this.source = source;
    this.store = store;
  }

  /** To a record that is being read; throws if it was read before. */
  public void advance(RecordMetadata place) {
    int partition = place.partition();
    long before =
        last.filter(p -> p.partition() == partition)
            .map(Place::offset)
            .orElseGet(() -> stored(partition));
    if (place.offset() <= before) {
      throw new ReadAgainException(before, place);
    }
    last = Optional.of(new Place(partition, place.offset()));
  }

  /** Hands it to the store. */
  public void write() {
    last.ifPresent(
        place ->
            store.put(
                source.key(place.partition()),
                new ByteWriter().fixed8(FORMAT).unsigned(place.offset()).toBytes()));
  }

  private long stored(int partition) {
    byte[] bytes = store.get(source.key(partition));
    return bytes == null ? -1 : decode(bytes);
  }

  /** The offset of the last record read. */
  public static long decode(byte[] bytes) {
    return new ByteReader(bytes).format(FORMAT, "a position").unsigned();
  }
}
