// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.BudgetShare;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.abc.Summary;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.avro.Schema;

/** One output of a pipeline, as its file says it. */
public interface ReleaseSpec extends OutputSpec {
  /** What every output says of itself. */
  Head head();

  @Override
  default String name() {
    return head().name();
  }

  @Override
  default String topic() {
    return head().topic();
  }

  @Override
  default Schema schema() {
    return head().schema().orElseThrow();
  }

  /** What it may spend of the budget. */
  default ShareSpec share() {
    return head().share();
  }

  /**
   * Releases of one subject and period, or records of one user, that the share must cover, at least
   * 1.
   */
  default long horizon() {
    return head().horizon();
  }

  /**
   * Its parameters, from public facts alone.
   *
   * @throws UnplannableException if there are none; says why
   */
  PlannedRelease plan() throws UnplannableException;

  /** What does not fit the rest of the file, each a whole sentence; empty if all does. */
  default List<String> conflicts(BudgetSpec budget, Optional<Population> population) {
    return List.of();
  }

  /** Whether it is asked, rather than drawn when windows close. */
  default boolean answersQueries() {
    return false;
  }

  /** Most numbers that a candidate of its queries tells of itself; 0 where nobody asks. */
  default int candidateNumbers(Pipeline pipeline) {
    return 0;
  }

  /** Whether it needs a sample of the numbers of a dataset's records. */
  default boolean drawsFromNumbers() {
    return false;
  }

  /** Whether it needs the features that a pipeline keeps of numbers. */
  default boolean measuresFeatures() {
    return false;
  }

  /** Summary statistics that it measures distances by; most measure none. */
  default List<Summary> summaries() {
    return List.of();
  }

  /** What it keeps of records one by one, beside their counts by category; most keep nothing. */
  default List<RecordAggregation> tallies() {
    return List.of();
  }

  /** In which windows it is released. */
  default Schedule schedule() {
    return Schedule.EVERY_WINDOW;
  }

  /**
   * The number whose bounds it finds, if it finds any.
   *
   * @return its place among {@code input.values}, from 0
   */
  default OptionalInt boundsFound() {
    return OptionalInt.empty();
  }

  /**
   * Numbers whose bounds another release has to find.
   *
   * @return their places among {@code input.values}, from 0
   */
  default List<Integer> boundsWanted() {
    return List.of();
  }

  /** Whether answers decide how many more there are. */
  default boolean stopsAdaptively() {
    return false;
  }

  /** Whether what is drawn of a subject leaves something to later draws, its own or others'. */
  default boolean remembers() {
    return windowsCounted() > 1;
  }

  /** Whether draws go by windows before the first one that the output says it is about. */
  default boolean readsEarlierWindows() {
    return usesHistory();
  }

  /**
   * Whether what is published of a subject goes by what was published of it before: where a record
   * is changed, later outputs may differ too, in what follows from draws alone.
   */
  default boolean usesHistory() {
    return false;
  }

  /**
   * The public range of one of the records' numbers that it looks at; nothing where it knows none.
   *
   * @param place of the number among {@code input.values}, from 0
   */
  default Optional<NumberBounds> bounds(int place) {
    return Optional.empty();
  }

  /**
   * Under which name states keep what its draws leave to later ones: that of the output, unless it
   * is about something that outlives the output's name. No name of an output has a space. What lies
   * under a name with one is public, and stays where a version has no such output; what lies under
   * an output's own is deleted then.
   */
  default String memory() {
    return name();
  }

  /** How it finds subjects that nobody listed; nothing for most. */
  default Optional<DiscoveryLimits> findsSubjects() {
    return Optional.empty();
  }

  /** Whether it tells how many records the bounds of contributions left out. */
  default boolean countsLeftOut() {
    return false;
  }

  /** In which cells it counts distinct users; nothing where it counts none. */
  default Optional<CellPlaces> cells() {
    return Optional.empty();
  }

  /** For how many windows after its close a dataset must stay; 0 if it is needed once. */
  default int keep() {
    return 0;
  }

  /**
   * Whether users are charged for every record of theirs that counts, rather than once a window.
   */
  default boolean chargesRecords() {
    return false;
  }

  /** How many windows one output may be about, at least 1: a running count is about many. */
  default int windowsCounted() {
    return 1;
  }

  /** Most records of one user and window that it counts, over all subjects. */
  default int recordsOf(Population users) {
    return users.records();
  }

  /**
   * What every output says of itself.
   *
   * @param name of the output, and by default of its topic
   * @param topic that it is published to
   * @param schema of what it publishes, unless the release says otherwise; empty where it always
   *     does
   * @param share what it may spend
   * @param horizon releases of one subject, or user, and period that the share must cover, at least
   *     1
   */
  record Head(String name, String topic, Optional<Schema> schema, ShareSpec share, long horizon) {
    /** Of a release that says itself what it publishes. */
    public Head(String name, String topic, ShareSpec share, long horizon) {
      this(name, topic, Optional.empty(), share, horizon);
    }

    /** The same, drawn once a period. */
    public Head once() {
      return new Head(name, topic, schema, share, 1);
    }

    /** What the share must afford. */
    public CalibrationTarget request() {
      return new CalibrationTarget(share.ledger(), share.epsilon(), share.delta(), horizon);
    }

    /** That the share is too small. */
    public UnplannableException cannotAfford() {
      return share.cannotAfford(horizon);
    }
  }

  /**
   * A part of the budget.
   *
   * @param epsilon added up over the shares, at most the budget's
   * @param delta likewise
   * @param ledger name under which its charges are kept; that of the release, unless an output that
   *     was renamed goes on with its old one
   */
  record ShareSpec(Epsilon epsilon, Delta delta, String ledger) {
    /** The share, once it is known how its charges are counted. */
    public BudgetShare counted(PrivacyFilter filter) {
      return new BudgetShare(ledger, epsilon, delta, filter);
    }

    /** That it is too small. */
    public UnplannableException cannotAfford(long releases) {
      return new UnplannableException(
          "a share of epsilon %s and delta %s cannot afford %d releases; raise the share or plan fewer windows"
              .formatted(epsilon, delta, releases));
    }
  }
}
