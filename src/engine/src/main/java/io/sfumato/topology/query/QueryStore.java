// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.query;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.mechanism.abc.SparseVector;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.topology.store.Scan;
import io.sfumato.topology.store.StagedWrites;
import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/**
 * Queries: reservations and answers. The first byte of a key tells them apart, from each other and
 * from what {@link WaitingStore} keeps beside them; periods follow in sortable form, so that what
 * is over lies in front.
 */
public final class QueryStore {
  private static final int FORMAT = 1;
  private static final byte QUERY = 'q';
  private static final byte ANSWER = 'a';

  private final StagedWrites store;

  /** How far those of periods that are over were looked for. */
  private final Scan queries;

  private final Scan answers;

  public QueryStore(StagedWrites store) {
    this.store = store;
    this.queries = new Scan(store, Bytes.wrap(new byte[] {QUERY}));
    this.answers = new Scan(store, Bytes.wrap(new byte[] {ANSWER}));
  }

  /** Names a query: one for each output, subject, budget period and id. */
  public record Key(long period, String subject, String output, String query) {
    /** That of a candidate's query. */
    public static Key of(Candidate candidate, long period) {
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
   * @param spent number of answers, and of those that an operator skipped: while it is 0 the charge
   *     may be handed back
   * @param waiting number of its candidates that wait
   * @param secret state of a sparse-vector query, from its first answer on
   */
  public record Query(
      long windowStart,
      int candidates,
      long records,
      long spent,
      long waiting,
      Optional<SparseVector.State> secret) {

    Query waitingMore(int more) {
      return new Query(windowStart, candidates, records, spent, waiting + more, secret);
    }

    Query answered(long size, Optional<SparseVector.State> state) {
      return new Query(windowStart, candidates, size, spent + 1, waiting, state);
    }

    /** An answer was charged and not given. */
    public Query skipped() {
      return new Query(windowStart, candidates, records, spent + 1, waiting, secret);
    }

    private byte[] encode() {
      ByteWriter out =
          new ByteWriter()
              .fixed8(FORMAT)
              .signed(windowStart)
              .unsigned(candidates)
              .unsigned(records)
              .unsigned(spent)
              .unsigned(waiting);
      secret.ifPresent(state -> state.write(out));
      return out.toBytes();
    }

    private static Query decode(byte[] bytes) {
      ByteReader in = new ByteReader(bytes).format(FORMAT, "a query");
      long start = in.signed();
      int candidates = (int) in.unsigned();
      long records = in.unsigned();
      long spent = in.unsigned();
      long waiting = in.unsigned();
      Optional<SparseVector.State> secret =
          in.atEnd() ? Optional.empty() : Optional.of(SparseVector.State.read(in));
      in.end();
      return new Query(start, candidates, records, spent, waiting, secret);
    }
  }

  /**
   * What is remembered of a candidate.
   *
   * @param digest of its contents
   * @param given the answer; none while it waits
   */
  public record Answer(byte[] digest, Optional<Given> given) {
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
  public record Given(long outcome, long timestamp) {}

  Optional<Query> query(Key key) {
    return Optional.ofNullable(store.get(queryKey(key))).map(Query::decode);
  }

  /** Keeps a query. */
  public void put(Key key, Query query) {
    Bytes at = queryKey(key);
    store.put(at, query.encode());
    queries.written(at);
  }

  /** Forgets a query. */
  public void delete(Key key) {
    store.delete(queryKey(key));
  }

  Optional<Answer> answer(Key key, int index) {
    return Optional.ofNullable(store.get(answerKey(key, index))).map(Answer::decode);
  }

  /** Keeps the answer to one candidate. */
  public void put(Key key, int index, Answer answer) {
    Bytes at = answerKey(key, index);
    store.put(at, answer.encode());
    answers.written(at);
  }

  /** Forgets the answer to one candidate. */
  public void delete(Key key, int index) {
    store.delete(answerKey(key, index));
  }

  /**
   * Forgets queries and answers of periods before one.
   *
   * @return how many; fewer than {@code most} only when none is left
   */
  public int forgetBefore(long period, int most) {
    int forgotten = forgetBefore(period, QUERY, queries, most);
    return forgotten < most
        ? forgotten + forgetBefore(period, ANSWER, answers, most - forgotten)
        : forgotten;
  }

  private int forgetBefore(long period, byte kind, Scan scan, int most) {
    Bytes to = Bytes.wrap(new ByteWriter().fixed8(kind).sortable(period).toBytes());
    return scan.take(to, most, over -> store.delete(over.key));
  }

  private static Bytes queryKey(Key key) {
    return Bytes.wrap(key.write(QUERY).toBytes());
  }

  private static Bytes answerKey(Key key, int index) {
    return Bytes.wrap(key.write(ANSWER).sortable(index).toBytes());
  }
}
