package io.sfumato.topology;

import io.sfumato.mechanism.abc.SparseVector;
import io.sfumato.serde.ByteReader;
import io.sfumato.serde.ByteWriter;
import io.sfumato.serde.CorruptBytesException;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry.Candidate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;

/**
 * Queries: reservations, answers, and the candidates that wait for open windows. The first byte of
 * a key tells the five kinds apart; periods and windows follow in sortable form, so that what is
 * over lies in front.
 */
final class QueryStore {
  private static final int FORMAT = 1;
  private static final byte QUERY = 'q';
  private static final byte ANSWER = 'a';
  private static final byte WAITING = 'w';
  private static final byte DEADLINE = 'd';
  private static final byte LIMITS = 'l';

  private final StagedStore store;

  QueryStore(StagedStore store) {
    this.store = store;
  }

  /** Names a query: one for each output, subject, budget period and id. */
  record Key(long period, String subject, String output, String query) {
    static Key of(Candidate candidate, long period) {
      return new Key(period, candidate.subject(), candidate.output(), candidate.query());
    }

    private ByteWriter write(byte kind) {
      return new ByteWriter().fixed8(kind).sortable(period).text(subject).text(output).text(query);
    }
  }

  /**
   * A query whose charge is reserved.
   *
   * @param windowStart that it asks
   * @param candidates T
   * @param records N; 0 before the first answer
   * @param answered number of answers
   * @param waiting number of its candidates that wait
   * @param secret state of a sparse-vector query, from its first answer on
   */
  record Query(
      long windowStart,
      int candidates,
      long records,
      long answered,
      long waiting,
      Optional<SparseVector.State> secret) {

    Query waitingMore(int more) {
      return new Query(windowStart, candidates, records, answered, waiting + more, secret);
    }

    Query answered(long size, Optional<SparseVector.State> state) {
      return new Query(windowStart, candidates, size, answered + 1, waiting, state);
    }

    private byte[] encode() {
      ByteWriter out =
          new ByteWriter()
              .fixed8(FORMAT)
              .signed(windowStart)
              .unsigned(candidates)
              .unsigned(records)
              .unsigned(answered)
              .unsigned(waiting);
      secret.ifPresent(s -> out.signed(s.noisyThreshold()).unsigned(s.accepted()));
      return out.toBytes();
    }

    private static Query decode(byte[] bytes) {
      ByteReader in = new ByteReader(bytes).format(FORMAT, "a query");
      long start = in.signed();
      int candidates = (int) in.unsigned();
      long records = in.unsigned();
      long answered = in.unsigned();
      long waiting = in.unsigned();
      Optional<SparseVector.State> secret =
          in.atEnd()
              ? Optional.empty()
              : Optional.of(new SparseVector.State(in.signed(), in.unsigned()));
      in.end();
      return new Query(start, candidates, records, answered, waiting, secret);
    }
  }

  /**
   * What is remembered of a candidate.
   *
   * @param digest of its contents
   * @param given the answer; none while it waits
   */
  record Answer(byte[] digest, Optional<Given> given) {
    boolean sameContents(byte[] other) {
      return Arrays.equals(digest, other);
    }

    private byte[] encode() {
      ByteWriter out = new ByteWriter().fixed8(FORMAT).block(digest);
      given.ifPresent(g -> out.signed(g.outcome()).signed(g.timestamp()));
      return out.toBytes();
    }

    private static Answer decode(byte[] bytes) {
      ByteReader in = new ByteReader(bytes).format(FORMAT, "an answer");
      byte[] digest = in.block();
      Optional<Given> given =
          in.atEnd() ? Optional.empty() : Optional.of(new Given(in.signed(), in.signed()));
      in.end();
      return new Answer(digest, given);
    }
  }

  /**
   * An answer that was published.
   *
   * @param outcome 0 or 1 for a decision, whole steps for a weight
   * @param timestamp Kafka timestamp of the answer
   */
  record Given(long outcome, long timestamp) {}

  /**
   * A candidate that waits for its window.
   *
   * @param sequence its place among those of its window, subject and output
   * @param timestamp Kafka timestamp of its entry
   * @param deadline in journal time
   */
  record Waiting(Candidate candidate, long sequence, long timestamp, long deadline) {
    private ByteWriter place(ByteWriter out) {
      return out.sortable(candidate.windowStart())
          .text(candidate.subject())
          .text(candidate.output())
          .sortable(sequence);
    }

    private Bytes key() {
      return Bytes.wrap(place(new ByteWriter().fixed8(WAITING)).toBytes());
    }

    private Bytes deadlineKey() {
      return Bytes.wrap(place(new ByteWriter().fixed8(DEADLINE).sortable(deadline)).toBytes());
    }

    private byte[] encode() {
      return new ByteWriter()
          .fixed8(FORMAT)
          .unsigned(sequence)
          .signed(timestamp)
          .signed(deadline)
          .block(JournalCodec.encode(candidate))
          .toBytes();
    }

    private static Waiting decode(byte[] bytes) {
      ByteReader in = new ByteReader(bytes).format(FORMAT, "a waiting candidate");
      long sequence = in.unsigned();
      long timestamp = in.signed();
      long deadline = in.signed();
      if (JournalCodec.decode(in.block()) instanceof Candidate candidate) {
        in.end();
        return new Waiting(candidate, sequence, timestamp, deadline);
      }
      throw new CorruptBytesException("what waits is no candidate");
    }
  }

  /**
   * How much of one subject waits for one output.
   *
   * @param next sequence of the next that waits
   */
  record Limits(long entries, long bytes, long next) {
    static final Limits NONE = new Limits(0, 0, 0);
  }

  Optional<Query> query(Key key) {
    return Optional.ofNullable(store.get(queryKey(key))).map(Query::decode);
  }

  void put(Key key, Query query) {
    store.put(queryKey(key), query.encode());
  }

  void delete(Key key) {
    store.delete(queryKey(key));
  }

  Optional<Answer> answer(Key key, int index) {
    return Optional.ofNullable(store.get(answerKey(key, index))).map(Answer::decode);
  }

  void put(Key key, int index, Answer answer) {
    store.put(answerKey(key, index), answer.encode());
  }

  void delete(Key key, int index) {
    store.delete(answerKey(key, index));
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
  static long size(Candidate candidate) {
    return JournalCodec.encode(candidate).length;
  }

  /** Lets a candidate wait, behind those that wait already. */
  void await(Candidate candidate, long timestamp, long deadline) {
    Limits limits = limits(candidate.subject(), candidate.output());
    Waiting waiting = new Waiting(candidate, limits.next(), timestamp, deadline);
    store.put(waiting.key(), waiting.encode());
    store.put(waiting.deadlineKey(), new byte[] {FORMAT});
    put(
        candidate,
        new Limits(limits.entries() + 1, limits.bytes() + size(candidate), limits.next() + 1));
  }

  /** Takes a candidate out of the waiting. */
  void release(Waiting waiting) {
    store.delete(waiting.key());
    store.delete(waiting.deadlineKey());
    Candidate candidate = waiting.candidate();
    Limits limits = limits(candidate.subject(), candidate.output());
    put(
        candidate,
        new Limits(limits.entries() - 1, limits.bytes() - size(candidate), limits.next()));
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

  /** What waits for windows that start before a limit: by window, subject, output, arrival. */
  List<Waiting> waitingBefore(long windowStart, int most) {
    Bytes from = Bytes.wrap(new byte[] {WAITING});
    Bytes to = Bytes.wrap(new ByteWriter().fixed8(WAITING).sortable(windowStart).toBytes());
    return values(from, to, most, entry -> Waiting.decode(entry.value()));
  }

  /** What waits for windows that start at a time or after it. */
  List<Waiting> waitingFrom(long windowStart) {
    Bytes from = Bytes.wrap(new ByteWriter().fixed8(WAITING).sortable(windowStart).toBytes());
    Bytes to = Bytes.wrap(new byte[] {WAITING + 1});
    return values(from, to, Integer.MAX_VALUE, entry -> Waiting.decode(entry.value()));
  }

  /** The first window that starts at a time or after it and that something waits for. */
  OptionalLong firstAwaited(long windowStart) {
    Bytes from = Bytes.wrap(new ByteWriter().fixed8(WAITING).sortable(windowStart).toBytes());
    Bytes to = Bytes.wrap(new byte[] {WAITING + 1});
    return values(from, to, 1, entry -> Waiting.decode(entry.value())).stream()
        .mapToLong(waiting -> waiting.candidate().windowStart())
        .findFirst();
  }

  /** What of one subject waits for one window, by output and arrival. */
  List<Waiting> waitingFor(long windowStart, String subject) {
    byte[] from = new ByteWriter().fixed8(WAITING).sortable(windowStart).text(subject).toBytes();
    // Behind it stands the length of an output's name, which is shorter than 255.
    byte[] to = new ByteWriter().raw(from).fixed8(0xFF).toBytes();
    return values(
        Bytes.wrap(from),
        Bytes.wrap(to),
        Integer.MAX_VALUE,
        entry -> Waiting.decode(entry.value()));
  }

  /** Those that may wait no longer than until a journal time, by deadline. */
  List<Waiting> dueBy(long journalTime) {
    Bytes from = Bytes.wrap(new byte[] {DEADLINE});
    Bytes to = Bytes.wrap(new ByteWriter().fixed8(DEADLINE).sortable(journalTime).toBytes());
    return values(
        from, to, Integer.MAX_VALUE, entry -> Waiting.decode(store.get(waitingKey(entry.key()))));
  }

  /** Forgets queries and answers of periods before one. */
  int forgetBefore(long period, int most) {
    int forgotten = 0;
    for (byte kind : new byte[] {QUERY, ANSWER}) {
      Bytes from = Bytes.wrap(new byte[] {kind});
      Bytes to = Bytes.wrap(new ByteWriter().fixed8(kind).sortable(period).toBytes());
      for (Bytes key : values(from, to, most - forgotten, Entry::key)) {
        store.delete(key);
        forgotten++;
      }
    }
    return forgotten;
  }

  private record Entry(Bytes key, byte[] value) {}

  /** Reads first and maps then: what is read may be changed. */
  private <T> List<T> values(Bytes from, Bytes to, int most, Function<Entry, T> reader) {
    List<Entry> entries = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> range = store.range(from, to)) {
      while (entries.size() < most && range.hasNext()) {
        var next = range.next();
        if (next.key.compareTo(to) < 0) {
          entries.add(new Entry(next.key, next.value));
        }
      }
    }
    return entries.stream().map(reader).toList();
  }

  private static Bytes waitingKey(Bytes deadlineKey) {
    ByteReader in = new ByteReader(deadlineKey.get());
    in.fixed8();
    in.sortable();
    return Bytes.wrap(new ByteWriter().fixed8(WAITING).raw(in.rest()).toBytes());
  }

  private static Bytes queryKey(Key key) {
    return Bytes.wrap(key.write(QUERY).toBytes());
  }

  private static Bytes answerKey(Key key, int index) {
    return Bytes.wrap(key.write(ANSWER).sortable(index).toBytes());
  }

  private static Bytes limitsKey(String subject, String output) {
    return Bytes.wrap(new ByteWriter().fixed8(LIMITS).text(subject).text(output).toBytes());
  }
}
