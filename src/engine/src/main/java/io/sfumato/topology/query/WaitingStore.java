// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.query;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.topology.store.Scan;
import io.sfumato.topology.store.StagedWrites;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;

/**
 * Candidates that wait for open windows, beside the queries in {@link QueryStore}: each under its
 * window, and under its deadline; how much of a subject waits for an output; and which windows
 * something of a subject waits for.
 */
public final class WaitingStore {
  static final int FORMAT = 1;
  static final byte WAITING = 'w';
  static final byte DEADLINE = 'd';
  private static final byte LIMITS = 'l';
  private static final byte WINDOW = 'o';
  private static final Bytes BEHIND_ALL = Bytes.wrap(new byte[] {WAITING + 1});

  private final StagedWrites store;

  /** Up to where what waits for closed windows was decided. */
  private final Scan closed;

  /** Up to where deadlines were looked at. */
  private final Scan deadlines;

  public WaitingStore(StagedWrites store) {
    this.store = store;
    this.closed = new Scan(store, Bytes.wrap(new byte[] {WAITING}));
    this.deadlines = new Scan(store, Bytes.wrap(new byte[] {DEADLINE}));
  }

  /**
   * How much of one subject waits for one output.
   *
   * @param next sequence of the next that waits
   */
  public record Limits(long entries, long bytes, long next) {
    public static final Limits NONE = new Limits(0, 0, 0);
  }

  Limits limits(String subject, String output) {
    byte[] bytes = store.get(limitsKey(subject, output));
    if (bytes == null) {
      return Limits.NONE;
    }
    ByteReader in = new ByteReader(bytes).format(FORMAT, "limits");
    return new Limits(in.unsigned(), in.unsigned(), in.unsigned());
  }

  /** What a candidate takes while it waits, in bytes. */
  public static long size(Candidate candidate) {
    return JournalCodec.encode(candidate).length;
  }

  /**
   * Lets a candidate wait, after those that wait already.
   *
   * @param timestamp Kafka timestamp of its entry
   * @param deadline in journal time
   * @param position of its entry in the journal
   */
  public void await(Candidate candidate, long timestamp, long deadline, long position) {
    Limits limits = limits(candidate.subject(), candidate.output());
    WaitingCandidate waiting = new WaitingCandidate(candidate, limits.next(), timestamp, deadline);
    store.put(waiting.key(), waiting.encode());
    closed.written(waiting.key());
    Bytes due = waiting.deadlineKey();
    store.put(due, new ByteWriter().fixed8(FORMAT).unsigned(position).toBytes());
    deadlines.written(due);
    put(
        candidate,
        new Limits(limits.entries() + 1, limits.bytes() + size(candidate), limits.next() + 1));
    Bytes window = windowKey(candidate.subject(), candidate.windowStart());
    putCount(window, count(window) + 1);
  }

  /** Takes a candidate out of the waiting. */
  public void release(WaitingCandidate waiting) {
    store.delete(waiting.key());
    store.delete(waiting.deadlineKey());
    Candidate candidate = waiting.candidate();
    Limits limits = limits(candidate.subject(), candidate.output());
    put(
        candidate,
        new Limits(limits.entries() - 1, limits.bytes() - size(candidate), limits.next()));
    Bytes window = windowKey(candidate.subject(), candidate.windowStart());
    putCount(window, Math.max(0, count(window) - 1));
  }

  /** Whether a candidate that was read still waits. */
  public boolean waits(WaitingCandidate waiting) {
    return store.get(waiting.key()) != null;
  }

  /** Position in the journal of the entry that asked. */
  public long askedAt(WaitingCandidate waiting) {
    return new ByteReader(store.get(waiting.deadlineKey())).format(FORMAT, "a deadline").unsigned();
  }

  private void put(Candidate candidate, Limits limits) {
    Bytes key = limitsKey(candidate.subject(), candidate.output());
    if (limits.entries() == 0) {
      store.delete(key);
    } else {
      store.put(
          key,
          new ByteWriter()
              .fixed8(FORMAT)
              .unsigned(limits.entries())
              .unsigned(limits.bytes())
              .unsigned(limits.next())
              .toBytes());
    }
  }

  private long count(Bytes window) {
    byte[] bytes = store.get(window);
    return bytes == null ? 0 : new ByteReader(bytes).format(FORMAT, "a number").unsigned();
  }

  private void putCount(Bytes window, long count) {
    if (count == 0) {
      store.delete(window);
    } else {
      store.put(window, new ByteWriter().fixed8(FORMAT).unsigned(count).toBytes());
    }
  }

  /**
   * The next that wait for windows that start before a limit: by window, subject, output, arrival.
   * They come again until they are {@link #passClosed passed}.
   */
  public List<WaitingCandidate> closedBefore(long windowStart, int most) {
    return decoded(closed.next(windowsFrom(windowStart), most));
  }

  void passClosed(WaitingCandidate waiting) {
    closed.pass(waiting.key());
  }

  /** What waits for windows that start at a time or after it, to be looked through once. */
  public Scan scanFrom(long windowStart) {
    return new Scan(store, windowsFrom(windowStart));
  }

  /** The next in such a scan, which has passed them. */
  public List<WaitingCandidate> next(Scan scan, int most) {
    List<WaitingCandidate> found = new ArrayList<>();
    scan.take(BEHIND_ALL, most, entry -> found.add(WaitingCandidate.decode(entry.value)));
    return found;
  }

  /** The next whose deadline lies before a journal time; each comes once. */
  public List<WaitingCandidate> dueBefore(long journalTime, int most) {
    Bytes to = Bytes.wrap(new ByteWriter().fixed8(DEADLINE).sortable(journalTime).toBytes());
    List<WaitingCandidate> due = new ArrayList<>();
    deadlines.take(
        to, most, entry -> due.add(WaitingCandidate.decode(store.get(waitingKey(entry.key)))));
    return due;
  }

  /** What of one subject waits for one window, by output and arrival. */
  public List<WaitingCandidate> waitingFor(long windowStart, String subject) {
    byte[] from = new ByteWriter().fixed8(WAITING).sortable(windowStart).text(subject).toBytes();
    // After it stands the length of an output's name, which is shorter than 255.
    byte[] to = new ByteWriter().raw(from).fixed8(0xFF).toBytes();
    return decoded(new Scan(store, Bytes.wrap(from)).next(Bytes.wrap(to), Integer.MAX_VALUE));
  }

  /** What waits of one subject, window by window. */
  public List<List<WaitingCandidate>> waitingOf(String subject) {
    return windowsOf(subject).stream()
        .map(window -> waitingFor(window, subject))
        .filter(group -> !group.isEmpty())
        .toList();
  }

  private List<Long> windowsOf(String subject) {
    byte[] from = new ByteWriter().fixed8(WINDOW).text(subject).toBytes();
    Bytes to = Bytes.wrap(new ByteWriter().raw(from).sortable(Long.MAX_VALUE).toBytes());
    List<Long> windows = new ArrayList<>();
    for (var entry : new Scan(store, Bytes.wrap(from)).next(to, Integer.MAX_VALUE)) {
      ByteReader key = new ByteReader(entry.key.get());
      key.raw(from.length);
      windows.add(key.sortable());
    }
    return windows;
  }

  private static List<WaitingCandidate> decoded(List<KeyValue<Bytes, byte[]>> entries) {
    return entries.stream().map(entry -> WaitingCandidate.decode(entry.value)).toList();
  }

  private static Bytes windowsFrom(long windowStart) {
    return Bytes.wrap(new ByteWriter().fixed8(WAITING).sortable(windowStart).toBytes());
  }

  private static Bytes waitingKey(Bytes deadlineKey) {
    ByteReader in = new ByteReader(deadlineKey.get());
    in.fixed8();
    in.sortable();
    return Bytes.wrap(new ByteWriter().fixed8(WAITING).raw(in.rest()).toBytes());
  }

  private static Bytes limitsKey(String subject, String output) {
    return Bytes.wrap(new ByteWriter().fixed8(LIMITS).text(subject).text(output).toBytes());
  }

  private static Bytes windowKey(String subject, long windowStart) {
    return Bytes.wrap(
        new ByteWriter().fixed8(WINDOW).text(subject).sortable(windowStart).toBytes());
  }
}
