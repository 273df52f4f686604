// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import static io.sfumato.audit.AuditedFiles.A_OR_B;
import static io.sfumato.audit.AuditedFiles.WARD;
import static io.sfumato.audit.AuditedFiles.ofDatasets;
import static io.sfumato.audit.AuditedFiles.ofRecords;
import static io.sfumato.audit.AuditedFiles.ofUsers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.audit.Mutant.Edit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the referee would say if a mend were taken out: each mutation of the program is found, as
 * what it is. Without one nothing is found of the same files.
 */
@Tag("deep")
class MutantTest {
  private static final ReplayAudit AUDIT = new ReplayAudit(24, 6, 2, 1);

  /** Of few neighbours, where most of them show what is wrong. */
  private static final ReplayAudit FEW = new ReplayAudit(8, 4, 1, 1);

  /** So long that bins of the past are put together, of few neighbours. */
  private static final ReplayAudit LONG = new ReplayAudit(8, 80, 0, 1);

  private static final String TWO_OF_USERS = "per-window: 2, subjects: 2";
  private static final String THREE_OF_USERS = "per-window: 3, subjects: 2";
  private static final String WARDS_NAMED = "[north, south, west]";

  /** Users whose windows are each a period. */
  private static final String WARDS =
      ofUsers(
          WARD + ", " + A_OR_B,
          TWO_OF_USERS,
          WARDS_NAMED,
          "epsilon: 6, delta: 1e-5, period: window",
          "count: { name: n, share: { epsilon: 2, delta: 1e-6 } }",
          "count: { name: noisy, method: laplace, share: { epsilon: 2, delta: 1e-6 } }",
          "count: { name: run, by: total, running: 4, share: { epsilon: 2, delta: 1e-6 } }");

  /**
   * Running counts by a tree, which the calibrator takes for more windows than a referee looks at.
   */
  private static final String TREES = Audited.BY_TREES + WARDS;

  /** The last windows, alone and beside counts without an end, of users with several windows. */
  private static final String LAST =
      ofUsers(
          WARD + ", " + A_OR_B,
          TWO_OF_USERS,
          WARDS_NAMED,
          "epsilon: 6, delta: 1e-5, period: lifetime",
          "count: { name: last, over: 3, windows: 2, share: { epsilon: 2, delta: 1e-6 } }",
          "count: { name: pure, over: 3, windows: 2, method: laplace, share: { epsilon: 2, delta: 1e-6 } }",
          "count: { name: ever, by: total, running: forever, over: 2, windows: 4, share: { epsilon: 2, delta: 1e-6 } }");

  /** Users and subjects that are discovered. */
  private static final String NAMES =
      ofUsers(
          WARD + ", " + A_OR_B,
          "per-window: 2, subjects: 1",
          "{ discover: { name: places, share: { epsilon: 1, delta: 1e-6 }, windows: 5 } }",
          "epsilon: 2, delta: 1e-5, period: lifetime",
          "count: { name: n, windows: 5, share: { epsilon: 1, delta: 1e-6 } }");

  /** Users and words that are discovered. */
  private static final String WORDS =
      ofUsers(
          WARD
              + ", category: what, categories: { discover: { share: { epsilon: 1, delta: 1e-6 }, windows: 5 } }",
          "per-window: 2, subjects: 1",
          WARDS_NAMED,
          "epsilon: 1, delta: 1e-6, period: lifetime");

  /** All tables of a release for one charge. */
  private static final String TABLES =
      ofUsers(
          WARD + ", category: [a, b, c], categories: { a: [x, y], b: [x, y, z], c: [x, y] }",
          TWO_OF_USERS,
          "[north, south]",
          "epsilon: 2, delta: 1e-6, period: window",
          "table: { name: t, share: { epsilon: 2, delta: 1e-6 } }");

  /** Users who send several items in a record. */
  private static final String ITEMS =
      ofUsers(
          WARD + ", category: \"tags[]\", categories: [a, b]",
          TWO_OF_USERS,
          WARDS_NAMED,
          "epsilon: 6, delta: 1e-5, period: window",
          "count: { name: n, share: { epsilon: 2, delta: 1e-6 } }",
          "count: { name: all, by: total, method: laplace, share: { epsilon: 2, delta: 1e-6 } }",
          "histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 } }");

  /** Users whose records have numbers. */
  private static final String SCORES =
      "features: { bandwidth: 0.6, count: 20 }\n"
          + ofUsers(
              WARD + ", values: [x]",
              THREE_OF_USERS,
              WARDS_NAMED,
              "epsilon: 2, delta: 1e-6, period: window",
              "features: { name: sums, share: { epsilon: 2, delta: 1e-6 } }");

  /** Users whose numbers are summarised. */
  private static final String AMOUNTS =
      ofUsers(
          WARD + ", values: [x]",
          THREE_OF_USERS,
          WARDS_NAMED,
          "epsilon: 4, delta: 1e-6, period: window",
          "mean: { name: means, value: x, bounds: [0, 2], moments: 2, share: { epsilon: 2 } }",
          "quantile: { name: parts, value: x, bounds: [0, 2], bins: 64, share: { epsilon: 2, delta: 1e-6 } }");

  /** Persons whose numbers are summarised in the cells of two fields. */
  private static final String CELLS =
      ofRecords(
          "subject: who, values: [x], category: [region, product],"
              + " categories: { region: [north, south], product: [tea, coffee] }",
          "epsilon: 2, delta: 1e-6, period: window",
          "quantile: { name: parts, by: category, value: x, bounds: [0, 2], bins: 64, share: { epsilon: 2, delta: 1e-6 } }");

  /** Users whose numbers are summarised over windows. */
  private static final String ADDED =
      ofUsers(
          WARD + ", values: [x]",
          THREE_OF_USERS,
          WARDS_NAMED,
          "epsilon: 4, delta: 1e-5, period: window",
          "mean: { name: run, value: x, bounds: [0, 2], moments: 2, method: gaussian, running: 4, over: 2, share: { epsilon: 2, delta: 1e-6 } }",
          "mean: { name: last, value: x, bounds: [0, 2], method: gaussian, over: 3, share: { epsilon: 2, delta: 1e-6 } }");

  /** The same with Laplace noise on each window's own parts. */
  private static final String OWN =
      ofUsers(
          WARD + ", values: [x]",
          THREE_OF_USERS,
          WARDS_NAMED,
          "epsilon: 4, delta: 1e-5, period: window",
          "mean: { name: run, value: x, bounds: [0, 2], moments: 2, running: 4, over: 2, share: { epsilon: 2 } }");

  /** Persons whose numbers are summarised over windows, of which several are a period. */
  private static final String READINGS =
      ofRecords(
          "subject: who, values: [x]",
          "epsilon: 4, delta: 1e-5, period: lifetime",
          "mean: { name: run, value: x, bounds: [0, 2], method: gaussian, running: forever, over: 2, windows: 3, share: { epsilon: 4, delta: 1e-6 } }");

  /** Users whose numbers are summarised within bounds that are found, once in two windows. */
  private static final String FOUND =
      ofUsers(
              WARD + ", values: [x]",
              THREE_OF_USERS,
              WARDS_NAMED,
              "epsilon: 500, delta: 1e-6, period: 20s",
              "mean: { name: means, value: x, bounds: auto, moments: 2, share: { epsilon: 2 } }",
              "bounds: { name: range, value: x, share: { epsilon: 400 } }")
          .replace("clock: ticks", "clock: ticks, begin: 2026-01-05");

  /** Users of whom more is reported as left out than counts. */
  private static final String LOST =
      ofUsers(
          WARD + ", " + A_OR_B,
          "per-window: 2, subjects: 1, left-out: 3",
          WARDS_NAMED,
          "epsilon: 6, delta: 1e-5, period: window",
          "count: { name: n, share: { epsilon: 2, delta: 1e-6 } }",
          "count: { name: lost, by: left-out, share: { epsilon: 2, delta: 1e-6 } }",
          "count: { name: ever, by: left-out, running: 4, method: laplace, share: { epsilon: 2, delta: 1e-6 } }");

  /** One user in all windows of a tree, which share its noises. */
  private static final String RUNNING =
      Audited.BY_TREES
          + ofUsers(
              WARD + ", " + A_OR_B,
              "per-window: 1",
              WARDS_NAMED,
              "epsilon: 1, delta: 1e-2, period: lifetime",
              "count: { name: n, by: total, running: 64, method: laplace, windows: 64, share: { epsilon: 1, delta: 1e-2 } }");

  private static final String ROSTER =
      ofUsers(
          WARD + ", category: what, categories: [a, b, c]",
          TWO_OF_USERS,
          "roster",
          "epsilon: 4, delta: 1e-6, period: lifetime",
          "count: { name: n, windows: 2, share: { epsilon: 4, delta: 1e-6 } }");

  private static final String DIARY =
      ofRecords(
          "subject: who, category: what, categories: [a, b, c]",
          "epsilon: 4, delta: 1e-5, period: lifetime",
          "histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 }, windows: 3 }",
          "abc: { name: ask, method: soft, threshold: 0.4, share: { epsilon: 2, delta: 1e-6 }, queries: 2, candidates: 4 }");

  private static final String GLUCOSE =
      ofRecords(
          "subject: who, values: [x]",
          "epsilon: 4, delta: 1e-5, period: lifetime",
          "abc: { name: ask, distance: summaries, clip: 4, summaries: [{ mean: x, scale: 20 }, { deviation: x, scale: 10 }], threshold: 2, share: { epsilon: 4, delta: 1e-6 }, queries: 2, candidates: 4 }");

  private static final String TASTE =
      ofDatasets(
          "subject: who, category: what, categories: [a, b, c]",
          "epsilon: 0.5, period: window",
          "mollifier: { name: taste, share: { epsilon: 0.5 } }");

  private static final String PLACES =
      ofDatasets(
          "subject: who, values: [x]",
          "epsilon: 0.5, period: window",
          "mollifier: { name: place, sampler: projection, pool: 64, share: { epsilon: 0.5 }, reference: { gaussians: [ { mean: [0], deviation: [5] } ] } }");

  /**
   * A change of the program that breaks a promise.
   *
   * @param promise that is broken, in words
   * @param yaml file under which it shows
   * @param audit that is large enough to show it
   * @param kind of the violation that is found
   */
  private record Mutation(
      String promise, String yaml, ReplayAudit audit, String kind, List<Edit> edits) {
    Mutation(
        String promise, String yaml, String kind, String file, String snippet, String replacement) {
      this(promise, yaml, AUDIT, kind, List.of(new Edit(file, snippet, replacement)));
    }

    @Override
    public String toString() {
      return promise;
    }
  }

  static Stream<Mutation> mutations() {
    return Stream.of(
        new Mutation(
            "subjects of one user alone pass next to never",
            NAMES,
            "distance",
            "mechanism/partitionselection/Threshold.java",
            "return new Threshold(high);",
            "return new Threshold(high - 1);"),
        new Mutation(
            "a user counts once for a subject",
            NAMES,
            "distance",
            "topology/contributions/ContributionBounding.java",
            ".distinct()",
            ""),
        new Mutation(
            "words of one user alone pass next to never",
            WORDS,
            "distance",
            "mechanism/partitionselection/Threshold.java",
            "return new Threshold(high);",
            "return new Threshold(high - 1);"),
        new Mutation(
            "a user counts once for a word",
            WORDS,
            "distance",
            "topology/contributions/Contributions.java",
            "++found > population.perName()",
            "++found > population.records()"),
        new Mutation(
            "noise of tables is made for all records of a user, in one cell of each",
            TABLES,
            "distance",
            "mechanism/tables/TableWeights.java",
            "rootUp(squares().multiply(BigInteger.valueOf(records).pow(2))));",
            "rootUp(squares().multiply(BigInteger.valueOf(records))));"),
        new Mutation(
            "a record counts once in each table",
            TABLES,
            "distance",
            "release/table/CellsRule.java",
            "to.add(cell, 1);",
            "to.add(cell, 2);"),
        new Mutation(
            "a user's window is charged",
            WARDS,
            "loss",
            "topology/contributions/UserCharger.java",
            "output.charge(user, windowStart, room);",
            ""),
        new Mutation(
            "at most C records of a user count over all subjects",
            WARDS,
            "distance",
            "topology/contributions/Contributions.java",
            ".limit(population.records())",
            ""),
        new Mutation(
            "at most C items of a user count, not all items of C records",
            ITEMS,
            AUDIT,
            "distance",
            List.of(
                new Edit(
                    "topology/intake/IntakeProcessor.java",
                    "source.offset(), item.place())",
                    "source.offset())"),
                new Edit(
                    "topology/contributions/Contributions.java",
                    "if (mine.entries.size() > population.records()) {\n      mine.entries.remove",
                    "if (mine.entries.stream().map(Entry::rank).distinct().count() > population.records()) {\n      mine.entries.remove"),
                new Edit(
                    "topology/contributions/Contributions.java",
                    ".limit(population.records())",
                    ".filter(entry -> recordsBefore(entry) < population.records())"),
                new Edit(
                    "topology/contributions/Contributions.java",
                    "  public byte[] encode() {",
                    """
                      private long recordsBefore(Entry entry) {
                        return subjects.values().stream()
                            .flatMap(mine -> mine.entries.stream())
                            .map(Entry::rank)
                            .filter(rank -> rank < entry.rank())
                            .distinct()
                            .count();
                      }

                      byte[] encode() {
                    """))),
        new Mutation(
            "which items of a user count depends on no other user",
            ITEMS,
            AUDIT,
            "replay",
            List.of(
                new Edit("topology/intake/IntakeProcessor.java", "item.place())", "read++)"),
                new Edit(
                    "topology/intake/IntakeProcessor.java",
                    "private ThreadProgress pace;",
                    "private ThreadProgress pace; private int read;"))),
        new Mutation(
            "sums of features have noise for all of a user's records, not for one",
            SCORES,
            "distance",
            "mechanism/features/FeatureSensitivity.java",
            "double moved = records * ofRecord",
            "double moved = ofRecord"),
        new Mutation(
            "the number of records that has features is protected too",
            SCORES,
            "distance",
            "mechanism/features/FeatureSensitivity.java",
            "+ (double) recordSteps * recordSteps",
            ""),
        new Mutation(
            "sums of features are charged as the noise that they have",
            SCORES,
            "loss",
            "mechanism/additive/TheoremD.java",
            "return l2 / Math.sqrt(variance - BRIDGE) * UP;",
            "return l2 / Math.sqrt(2 * variance - BRIDGE) * UP;"),
        new Mutation(
            "at most C records of a user have features over all subjects",
            SCORES,
            "distance",
            "topology/contributions/Contributions.java",
            ".limit(population.records())",
            ""),
        new Mutation(
            "means have noise for all of a user's records, not for one",
            AMOUNTS,
            "distance",
            "mechanism/moments/MomentSensitivity.java",
            "long steps = records * BernsteinParts.STEPS;",
            "long steps = BernsteinParts.STEPS;"),
        new Mutation(
            "means over windows have noise for all of a user's records, not for one",
            ADDED,
            "distance",
            "mechanism/moments/MomentSensitivity.java",
            "long steps = records * BernsteinParts.STEPS;",
            "long steps = BernsteinParts.STEPS;"),
        new Mutation(
            "the past is in rows of means by coefficients that fall",
            ADDED,
            "distance",
            "mechanism/continual/RunningSums.java",
            "weights[bin] = coefficients.at(lag);",
            "weights[bin] = coefficients.at(0);"),
        new Mutation(
            "rows of means have noise for what their own sensitivity says",
            ADDED,
            "distance",
            "release/mean/MeanSpec.java",
            "new RowCharge.OfWindow(way.moved())",
            "new RowCharge.OfWindow(MomentSensitivity.addOrRemove(way.degree(), 1, 1).moved())"),
        new Mutation(
            "windows' own parts have noise for what they move by in all",
            OWN,
            "distance",
            "mechanism/continual/RowSensitivity.java",
            "window.each(),\n        window.l2());",
            "Math.max(1, window.each() / 3),\n        window.l2());"),
        new Mutation(
            "noise on windows' own parts is as large as its grid says",
            OWN,
            "loss",
            "mechanism/additive/GridLaplace.java",
            "double pure = quotient(sensitivity.l1());",
            "double pure = quotient(sensitivity.l1()) / 2;"),
        new Mutation(
            "a replaced record is taken off rows, and another one is added",
            READINGS,
            "distance",
            "mechanism/moments/MomentSensitivity.java",
            "Math.sqrt(2) * steps",
            "0.1 * steps"),
        new Mutation(
            "who is forgotten goes on in what was closed before, however far slices are",
            READINGS,
            "slicing",
            "topology/release/ForgottenMemories.java",
            "if (start <= released) {",
            "if (start >= released) {"),
        new Mutation(
            "who is forgotten begins anew in what is closed after, however far slices are",
            READINGS,
            "slicing",
            "topology/subjects/WindowReleases.java",
            "memories.reach(key.subject(), key.windowStart());",
            ""),
        new Mutation(
            "quantiles have noise for all of a user's records, not for one",
            AMOUNTS,
            "distance",
            "release/quantile/QuantileSpec.java",
            "RootSensitivity.addOrRemove(query.root(), users.records(), 1)",
            "RootSensitivity.addOrRemove(query.root(), 1, 1)"),
        new Mutation(
            "numbers beyond their bounds count as the bounds",
            AMOUNTS,
            "replay",
            "mechanism/NumberBounds.java",
            "Math.max(lo, Math.min(hi, x))",
            "Math.max(lo, Math.min(1e9, x))"),
        new Mutation(
            "a record is in one bin",
            AMOUNTS,
            "distance",
            "release/quantile/BinsRule.java",
            "to.add(first + bins.of(numbers[place]), 1);",
            "to.add(first + bins.of(numbers[place]), 1); to.add(0, 1);"),
        new Mutation(
            "a record that changes its category moves the rows of two",
            CELLS,
            FEW,
            "distance",
            List.of(
                new Edit(
                    "mechanism/matrix/RootSensitivity.java",
                    "rootUp(root.squaredNorm(1).shiftLeft(1))",
                    "rootUp(root.squaredNorm(1))"))),
        new Mutation(
            "a record is in the bins of its own category alone",
            CELLS,
            FEW,
            "distance",
            List.of(
                new Edit(
                    "release/quantile/BinsRule.java",
                    "to.add(first + bins.of(numbers[place]), 1);",
                    "to.add(first + bins.of(numbers[place]), 1); to.add(bins.of(numbers[place]), 1);"))),
        new Mutation(
            "what randomness follows from has the records of categories",
            CELLS,
            FEW,
            "distance",
            List.of(
                new Edit(
                    "mechanism/quantile/QuantileQuery.java",
                    "rows.encode(encoder, measurement, category);",
                    ""))),
        new Mutation(
            "means are charged as the noise that they have",
            AMOUNTS,
            "loss",
            "mechanism/additive/GridLaplace.java",
            "double pure = quotient(sensitivity.l1());",
            "double pure = quotient(sensitivity.l1()) / 2;"),
        new Mutation(
            "means by found bounds have noise for all of a user's records, not for one",
            FOUND,
            "distance",
            "mechanism/moments/MomentSensitivity.java",
            "long steps = records * BernsteinParts.STEPS;",
            "long steps = BernsteinParts.STEPS;"),
        new Mutation(
            "what randomness follows from has the parts by found bounds",
            FOUND,
            "distance",
            "mechanism/moments/DeferredBoundsMechanism.java",
            "distribution.encodeInput(encoder);",
            ""),
        new Mutation(
            "users are charged for bounds in the windows that find them",
            FOUND,
            "loss",
            "topology/contributions/UserCharger.java",
            ".filter(output -> pipeline.isDue(output.release(), windowStart))",
            ".filter(output -> pipeline.isDue(output.release(), windowStart + 10_000))"),
        new Mutation(
            "bounds are found in the windows that users are charged for",
            FOUND,
            "loss",
            "topology/release/ReleaseSchedule.java",
            "return pipeline.isDue(release, windowStart);",
            "return true;"),
        new Mutation(
            "at most D records of a user are told as left out over all subjects",
            LOST,
            "distance",
            "topology/contributions/Contributions.java",
            "left > 0 && lost.size() < mostLeftOut",
            "left > 0"),
        new Mutation(
            "what is left out costs what D records cost",
            LOST,
            "distance",
            "release/count/CountSpec.java",
            "int most = users.leftOut().orElse(1);",
            "int most = users.records();"),
        new Mutation(
            "which records of a user count depends on no other user",
            WARDS,
            AUDIT,
            "replay",
            List.of(
                new Edit(
                    "topology/intake/IntakeProcessor.java",
                    "source.offset(), item.place())",
                    "read++, item.place())"),
                new Edit(
                    "topology/intake/IntakeProcessor.java",
                    "private ThreadProgress pace;",
                    "private ThreadProgress pace; private long read;"))),
        new Mutation(
            "a window is in one node of each level",
            TREES,
            "distance",
            "release/count/TreeSampler.java",
            "completedBy(writer.exact(data))",
            "completedBy(writer.exact(data).map(own -> own.plus(own)))"),
        new Mutation(
            "a window is in the rows of running counts once",
            WARDS,
            "distance",
            "mechanism/continual/RunningSums.java",
            "sums[i].add(window[i], Coefficients.ONE);",
            "sums[i].add(window[i], 2 * Coefficients.ONE);"),
        new Mutation(
            "the past is weighed by coefficients that fall",
            LAST,
            LONG,
            "distance",
            List.of(
                new Edit(
                    "mechanism/continual/RunningSums.java",
                    "weights[bin] = coefficients.at(lag);",
                    "weights[bin] = coefficients.at(0);"))),
        new Mutation(
            "a bin that is put together holds each window once",
            LAST,
            LONG,
            "distance",
            List.of(
                new Edit(
                    "mechanism/continual/RunningSums.java",
                    "next.get(place).plus(next.remove(place + 1))",
                    "next.get(place)"
                        + ".plus(next.get(place + 1))".repeat(8)
                        + ".plus(next.remove(place + 1))"))),
        new Mutation(
            "rows have noise for all rows that a window is in",
            WARDS,
            "distance",
            "mechanism/continual/RowSensitivity.java",
            ".multiply(new BigDecimal(window.l2()), UP)",
            ".multiply(new BigDecimal(window.l2() / 2), UP)"),
        new Mutation(
            "noise is made for all that a user may add",
            WARDS,
            "loss",
            "mechanism/Sensitivity.java",
            "List.of(new Shift(records, 1))",
            "List.of(new Shift(records / 2.0, 1))"),
        new Mutation(
            "records do not move a clock of ticks",
            WARDS,
            "replay",
            "topology/intake/IntakeProcessor.java",
            "if (window.clock() == Clock.RECORDS) {",
            "if (window.clock() != null) {"),
        new Mutation(
            "a window is announced behind all that counts of it",
            WARDS,
            "slicing",
            "topology/contributions/ClosedContributions.java",
            "if (next.size() < most) {",
            "if (next.size() <= most) {"),
        new Mutation(
            "what is drawn is charged",
            DIARY,
            "loss",
            "gate/LedgerRule.java",
            "ledgers.put(key, found.get(own).plus(chargeId));",
            "ledgers.put(key, found.get(own));"),
        new Mutation(
            "a ledger never holds more than its share affords",
            DIARY,
            "loss",
            "gate/LedgerRule.java",
            "if (!admitsSpans(found, length)) {",
            "if (false) {"),
        new Mutation(
            "answers are noisy enough for one record",
            DIARY,
            "distance",
            "mechanism/abc/Distances.java",
            "return Math.sqrt(2) / atLeastOne(records) + ROUNDING;",
            "return Math.sqrt(2) / 2 / atLeastOne(records) + ROUNDING;"),
        new Mutation(
            "the sensitivity of summaries is their clip",
            GLUCOSE,
            "distance",
            "mechanism/abc/Distances.java",
            "return bound;",
            "return bound / 2;"),
        new Mutation(
            "the distance of summaries is clipped",
            GLUCOSE,
            "distance",
            "mechanism/abc/Distances.java",
            "return Math.min(bound, distance);",
            "return distance;"),
        new Mutation(
            "who has no records is released too",
            TASTE,
            "replay",
            "topology/subjects/EnrolledSubjects.java",
            "} else if (!releases.release(datasetOf(key), slice)) {",
            "} else if (datasets.get(key).isPresent() && !releases.release(datasetOf(key), slice)) {"),
        new Mutation(
            "the distributions of a pool lie in the band that is charged",
            PLACES,
            "distance",
            "mechanism/mollifier/PooledItems.java",
            "new FiniteSampler(SAMPLER, band, shares)",
            "new FiniteSampler(SAMPLER, new LikelihoodRatioBand(2 * band.epsilon(), Math.exp(-band.epsilon())), shares)"),
        new Mutation(
            "any two datasets have distributions within one band",
            TASTE,
            "distance",
            "mechanism/mollifier/FiniteSampler.java",
            "double ratio = StrictMath.exp(band.epsilon())",
            "double ratio = StrictMath.exp(1.5 * band.epsilon())"),
        new Mutation(
            "windows that share a noise pay for its square",
            RUNNING,
            new ReplayAudit(16, 66, 0, 1),
            "loss",
            List.of(
                new Edit(
                    "mechanism/additive/LaplaceNoise.java",
                    "curve.atMost(pure),",
                    "RenyiCurve.pure(pure),"))),
        new Mutation(
            "who is enrolled does not depend on how far slices are",
            ROSTER,
            new ReplayAudit(8, 5, 6, 1),
            "slicing",
            List.of(
                new Edit(
                    "topology/window/WindowStateMachine.java",
                    "return watermarks.firstOpen(window.firstStartFrom(from));",
                    "return from;"))),
        new Mutation(
            "a record of a window before the first one stops nobody",
            WARDS,
            AUDIT,
            "replay",
            List.of(
                new Edit(
                    "topology/clock/TimelinessFilter.java",
                    "if (closed || window.isBeforeBegin(start)) {",
                    "if (watermark.latestTime() != PartitionWatermark.UNSET && closed) {"),
                new Edit(
                    "topology/window/WindowStateMachine.java",
                    "if (window.isBeforeBegin(windowStart)) {",
                    "if (false) {"),
                new Edit(
                    "topology/contributions/ClosedContributions.java",
                    "delete(before.key());",
                    "before.key();"),
                new Edit(
                    "topology/contributions/ClosedContributions.java",
                    "if (early.size() < most) {",
                    "if (most > 0) {"))));
  }

  @ParameterizedTest
  @MethodSource("mutations")
  void theRefereeFindsWhatBreaks(Mutation mutation) {
    Map<String, String> found =
        Mutant.of(mutation.edits()).violations(mutation.yaml(), mutation.audit(), mutation.kind());
    assertThat(found).as(mutation.promise()).containsKey(mutation.kind());
  }

  /**
   * What the referee finds of the program as it is. Several mutations share a file and an audit.
   */
  private static final Map<List<Object>, ReplayAudit.Findings> UNCHANGED = new HashMap<>();

  @ParameterizedTest
  @MethodSource("mutations")
  void ofTheProgramAsItIsNothingIsFound(Mutation mutation) {
    ReplayAudit.Findings found =
        UNCHANGED.computeIfAbsent(
            List.of(mutation.yaml(), mutation.audit()),
            of -> Audited.of(mutation.yaml(), mutation.audit()));
    assertThat(found.violations()).isEmpty();
    assertThat(found.lossRatio()).isLessThanOrEqualTo(1 + 1e-9);
  }

  @Test
  void aMutationFollowsItsFile() {
    String file = "topology/release/Releaser.java";
    assertThatThrownBy(() -> Mutant.of(List.of(new Edit(file, "no such snippet", ""))))
        .hasMessageContaining("does not have the snippet");
    assertThatThrownBy(() -> Mutant.of(List.of(new Edit(file, "final class Releaser", "class 7"))))
        .hasMessageContaining("as changed");
  }
}
