// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.VersionEnd;
import io.sfumato.serde.Stamp;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.context.SourceTopics;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.dataset.ForgottenSubjects;
import io.sfumato.topology.store.StagedWrites;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.kafka.common.utils.Bytes;

/**
 * Identity, cursor and boundaries of one keeper partition. The journal's clock, {@code
 * Withdrawals}, {@link ForgottenSubjects} and {@code ForgottenMemories} keep theirs in the same
 * store: the first byte of a key tells.
 */
public final class MetaStore {
  public static final Bytes IDENTITY = Bytes.wrap(new byte[] {'i'});
  public static final Bytes CURSOR = Bytes.wrap(new byte[] {'c'});
  public static final Bytes IMPORTED = Bytes.wrap(new byte[] {'l'});
  public static final Bytes TAKEOVER = Bytes.wrap(new byte[] {'t'});
  public static final Bytes POSITION = Bytes.wrap(new byte[] {'p'});
  public static final Bytes SEAL = Bytes.wrap(new byte[] {'z'});
  public static final Bytes PASSED_ON = Bytes.wrap(new byte[] {'o'});
  public static final Bytes RELEASED = Bytes.wrap(new byte[] {'y'});
  public static final Bytes CUT = Bytes.wrap(new byte[] {'w'});
  private static final Bytes LIVE_PERIOD = Bytes.wrap(new byte[] {'n'});
  private static final byte SKIPPED = 's';
  static final byte DRAINED = 'd';
  private static final byte BOUNDARY = 'b';
  private static final byte CLOSING_TIME = 'm';
  private static final byte FORMER = 'v';
  private static final byte VERSION_END = 'j';
  public static final int FORMAT = 1;

  private static final byte BOUNDARY_FORMAT = 2;

  private static final int NO_VERSION = 0;

  private final StagedWrites store;

  /** Number of first sources from which nothing follows. */
  private int drained;

  public MetaStore(StagedWrites store) {
    this.store = store;
  }

  Optional<StateIdentity> identity() {
    return Optional.ofNullable(store.get(IDENTITY)).map(StateIdentity::decode);
  }

  /** Keeps what made the state. */
  public void put(StateIdentity identity) {
    store.put(IDENTITY, identity.encode());
  }

  /**
   * The ledger that this state began with, if it was imported.
   *
   * @throws PipelineStopException if its import was cut short
   */
  public Optional<ImportedLedger> imported() {
    Optional<byte[]> bytes = Optional.ofNullable(store.get(IMPORTED));
    bytes
        .flatMap(ImportedLedger::begun)
        .ifPresent(
            begun -> {
              throw begun.halfImported();
            });
    return bytes.map(ImportedLedger::decode);
  }

  /** The version that was announced to take over. */
  public Optional<VersionHandover> handover() {
    return Optional.ofNullable(store.get(TAKEOVER)).map(VersionHandover::decode);
  }

  /** Keeps who takes over. */
  public void put(VersionHandover handover) {
    store.put(TAKEOVER, handover.encode());
  }

  /** What entries carry that an earlier version has written. */
  public Optional<Stamp> former(int version) {
    return Optional.ofNullable(store.get(formerKey(version)))
        .map(bytes -> new ByteReader(bytes).format(FORMAT, "an earlier version").fixed64())
        .map(digest -> new Stamp(version, digest));
  }

  /**
   * Whether versions may have gone before this one that left nothing of themselves, because the
   * program that began this state knew of no stamps.
   */
  public boolean isOlderThanStamps() {
    return store.get(IDENTITY) != null && former(NO_VERSION).isEmpty();
  }

  /** This state is begun: every version that follows leaves what its entries carry. */
  public void putBeginOfStamps() {
    putFormer(new Stamp(NO_VERSION, 0));
  }

  void putFormer(Stamp stamp) {
    store.put(
        formerKey(stamp.version()),
        new ByteWriter().fixed8(FORMAT).fixed64(stamp.digest()).toBytes());
  }

  private static Bytes formerKey(int version) {
    return Bytes.wrap(new ByteWriter().fixed8(FORMER).unsigned(version).toBytes());
  }

  void deleteTakeover() {
    store.delete(TAKEOVER);
    if (store.get(CUT) != null) {
      store.delete(CUT);
    }
  }

  /** Where this version ends, by the calendar of its zone. */
  void put(WindowCut cut) {
    store.put(CUT, cut.encode());
  }

  /**
   * Refuses a program whose zone data differ about the place where it takes over, read off a whole
   * store.
   *
   * @param from start of its first window
   */
  public static void requireCut(Map<Bytes, byte[]> store, Pipeline pipeline, long from) {
    Optional.ofNullable(store.get(CUT))
        .map(WindowCut::decode)
        .ifPresent(cut -> cut.require(pipeline, from));
  }

  /** The same, if it was kept. */
  Optional<WindowCut> cut() {
    return Optional.ofNullable(store.get(CUT)).map(WindowCut::decode);
  }

  /** Offset of the last journal entry that was taken in; -1 before the first. */
  public long position() {
    byte[] bytes = store.get(POSITION);
    return bytes == null ? -1 : positionOf(bytes);
  }

  /** The offset in a stored position. */
  public static long positionOf(byte[] bytes) {
    return new ByteReader(bytes).format(FORMAT, "a position").unsigned();
  }

  /** Keeps the offset of the entry that is taken in. */
  public void putPosition(long offset) {
    store.put(POSITION, new ByteWriter().fixed8(FORMAT).unsigned(offset).toBytes());
  }

  /** The window end up to which users' contributions were passed on, if any were. */
  public OptionalLong passedOn() {
    return number(PASSED_ON, "a window end");
  }

  /** Keeps the window end up to which users' contributions are passed on. */
  public void putPassedOn(long end) {
    putNumber(PASSED_ON, end);
  }

  /** The window end through which everything is released, as the last marker has it. */
  public OptionalLong releasedThrough() {
    return number(RELEASED, "a window end");
  }

  /** Keeps the window end of the last marker. */
  public void putReleasedThrough(long end) {
    putNumber(RELEASED, end);
  }

  /** Number of the first budget period that is not over, if any is. */
  public OptionalLong livePeriod() {
    return number(LIVE_PERIOD, "a period");
  }

  /** Keeps the number of the first budget period that is not over. */
  public void putLivePeriod(long period) {
    putNumber(LIVE_PERIOD, period);
  }

  private OptionalLong number(Bytes key, String what) {
    byte[] bytes = store.get(key);
    return bytes == null
        ? OptionalLong.empty()
        : OptionalLong.of(new ByteReader(bytes).format(FORMAT, what).signed());
  }

  private void putNumber(Bytes key, long number) {
    store.put(key, new ByteWriter().fixed8(FORMAT).signed(number).toBytes());
  }

  /** Remembers that nothing follows from a partition of the users' journal. */
  public void putDrained(int source) {
    store.put(drainedKey(source), new byte[] {FORMAT});
  }

  /** Whether nothing follows from any of {@code sources} sources. */
  public boolean areDrained(int sources) {
    while (drained < sources && store.get(drainedKey(drained)) != null) {
      drained++;
    }
    return drained >= sources;
  }

  private static Bytes drainedKey(int source) {
    return Bytes.wrap(new ByteWriter().fixed8(DRAINED).unsigned(source).toBytes());
  }

  /** Keeps which windows a partition of the users' journal leaves to another version. */
  public void put(VersionEnd end) {
    store.put(
        Bytes.wrap(new ByteWriter().fixed8(VERSION_END).unsigned(end.source()).toBytes()),
        new ByteWriter()
            .fixed8(FORMAT)
            .unsigned(end.version())
            .signed(end.from())
            .text(end.digest())
            .text(end.noiseKey())
            .toBytes());
  }

  /**
   * What all partitions of the users' journal have said last.
   *
   * @param sources how many there are
   * @return nothing if one has said nothing, or something else
   */
  public Optional<Activation> agreedOn(int sources) {
    List<Activation> said = new ArrayList<>();
    store.each(
        VERSION_END,
        (key, value) -> {
          ByteReader in = new ByteReader(value).format(FORMAT, "the end of a version");
          said.add(new Activation((int) in.unsigned(), in.signed(), in.text(), in.text()));
        });
    return said.size() == sources && said.stream().distinct().count() == 1
        ? Optional.of(said.get(0))
        : Optional.empty();
  }

  /** How far the sealing is; open where nobody has begun it. */
  public SealState seal() {
    return SealState.of(store.get(SEAL));
  }

  /** Keeps how far the sealing is. */
  public void put(SealState seal) {
    store.put(SEAL, new ByteWriter().fixed8(FORMAT).fixed8(seal.code).toBytes());
  }

  /** The window end that all sources had passed, read off a whole store. */
  public static OptionalLong closedThrough(Map<Bytes, byte[]> store, SourceTopics sources) {
    Map<Long, Long> last = new HashMap<>();
    for (int source = 0; source < sources.count(); source++) {
      if (sources.since(source) != SourceTopics.Topic.FROM_THE_BEGINNING) {
        last.put((long) source, sources.since(source));
      }
    }
    for (Bytes key : store.keySet()) {
      ByteReader in = new ByteReader(key.get());
      if (in.fixed8() == BOUNDARY) {
        last.merge(in.sortable(), in.sortable(), Math::max);
      }
    }
    return last.size() < sources.count()
        ? OptionalLong.empty()
        : last.values().stream().mapToLong(Long::longValue).min();
  }

  /** The last window end that any source had passed, read off a whole store. */
  public static OptionalLong foremost(Map<Bytes, byte[]> store) {
    return store.keySet().stream()
        .map(key -> new ByteReader(key.get()))
        .filter(in -> in.fixed8() == BOUNDARY)
        .mapToLong(
            in -> {
              in.sortable();
              return in.sortable();
            })
        .max();
  }

  /** Tags of the releases that an operator skipped. */
  public Set<String> skipped() {
    Set<String> tags = new HashSet<>();
    store.each(SKIPPED, (key, value) -> tags.add(key.restAsText()));
    return tags;
  }

  /** Keeps the tag of a release that an operator skipped. */
  public void putSkipped(String tag) {
    byte[] key =
        new ByteWriter().fixed8(SKIPPED).raw(tag.getBytes(StandardCharsets.UTF_8)).toBytes();
    store.put(Bytes.wrap(key), new byte[] {FORMAT});
  }

  /** The last place whose release is decided: everything up to it is done. */
  public Optional<DatasetStore.Key> cursor() {
    return Optional.ofNullable(store.get(CURSOR)).map(MetaStore::cursorOf);
  }

  /** The place in a stored cursor. */
  public static DatasetStore.Key cursorOf(byte[] bytes) {
    return DatasetStore.Key.read(new ByteReader(bytes).format(FORMAT, "the cursor"));
  }

  /** Keeps the last place whose release is decided. */
  public void put(DatasetStore.Key cursor) {
    store.put(CURSOR, new ByteWriter().fixed8(FORMAT).raw(cursor.encode().get()).toBytes());
  }

  /** A source has passed a window's end: the last one that it has. */
  public void putBoundary(int source, long end) {
    store.put(boundaryKey(source, end), new byte[] {BOUNDARY_FORMAT});
  }

  /** Forgets a boundary that is not the last of its source. */
  public void deleteBoundary(int source, long end) {
    store.delete(boundaryKey(source, end));
  }

  /** The last boundary of each source. */
  public void watermarks(BoundaryConsumer consumer) {
    store.each(
        BOUNDARY,
        (key, value) -> {
          new ByteReader(value).format(BOUNDARY_FORMAT, "a boundary").end();
          consumer.accept((int) key.sortable(), key.sortable());
        });
  }

  /** Is handed boundaries. */
  public interface BoundaryConsumer {
    /** Takes one. */
    void accept(int source, long end);
  }

  /** A step of the closing times. */
  public void putClosingTime(long end, long timestamp) {
    store.put(closingTimeKey(end), new ByteWriter().fixed8(FORMAT).signed(timestamp).toBytes());
  }

  /** Forgets a step of the closing times. */
  public void deleteClosingTime(long end) {
    store.delete(closingTimeKey(end));
  }

  /** All steps of the closing times: windows that end by the first closed at the second. */
  public void closingTimes(BiConsumer<Long, Long> consumer) {
    store.each(
        CLOSING_TIME,
        (key, value) ->
            consumer.accept(
                key.sortable(), new ByteReader(value).format(FORMAT, "a closing time").signed()));
  }

  private static Bytes closingTimeKey(long end) {
    return Bytes.wrap(new ByteWriter().fixed8(CLOSING_TIME).sortable(end).toBytes());
  }

  private static Bytes boundaryKey(int source, long end) {
    return Bytes.wrap(new ByteWriter().fixed8(BOUNDARY).sortable(source).sortable(end).toBytes());
  }
}
