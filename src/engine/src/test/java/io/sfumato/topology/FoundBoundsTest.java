// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.gate.StateEpoch;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ShownOutput;
import io.sfumato.release.Plan;
import io.sfumato.release.Releases;
import io.sfumato.release.Shown;
import io.sfumato.rows.Card;
import io.sfumato.schema.BoundsRelease;
import io.sfumato.schema.BoundsRow;
import io.sfumato.schema.MeanRelease;
import io.sfumato.schema.MeanRow;
import io.sfumato.schema.Refusal;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.serde.JournalEntry.Contributions;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Bounds that are found, and means by them. There is so much budget that noise on counts is 0 but
 * for a chance of e^-300, and that on parts below 0.001 of a record: what is compared has room for
 * ten of these and more.
 */
class FoundBoundsTest {
  private static final double NEAR = 0.05;

  /** Periods of three windows; the mean comes first in the file. */
  private static final String USERS =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b], values: [x] }
      contributions: { per-window: 3, subjects: 2 }
      subjects: [north, south]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 900000, delta: 1e-6, period: 30s }
      releases:
        - mean: { name: means, value: x, bounds: auto, by: total, moments: 2, share: { epsilon: 400000 } }
        - mean: { name: apart, value: x, bounds: auto, by: category, share: { epsilon: 400000 } }
        - bounds: { name: range, value: x, share: { epsilon: 100000 } }
      """;

  private static final String RECORDS =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, values: [x, y] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 900000, delta: 1e-6, period: lifetime }
      releases:
        - bounds: { name: range, value: x, share: { epsilon: 100000 } }
        - bounds: { name: other, value: y, share: { epsilon: 100000 } }
        - mean: { name: means, values: [x, y], bounds: auto, share: { epsilon: 700000 }, windows: 3 }
      """;

  @TempDir Path state;

  private static void send(
      Fixture pipeline, String who, String ward, int window, String what, String x) {
    pipeline.sendJson(
        window * 10L + 1, "'who':'%s','ward':'%s','what':'%s','x':%s", who, ward, what, x);
  }

  /** One user each. */
  private static void send(Fixture pipeline, String ward, int window, Object... numbers) {
    for (int i = 0; i < numbers.length; i++) {
      String what = i % 2 == 0 ? "a" : "b";
      send(pipeline, "user" + i, ward, window, what, "\"" + numbers[i] + "\"");
    }
  }

  private static List<BoundsRelease> bounds(Fixture pipeline) {
    return pipeline.releases("range", BoundsRelease.class);
  }

  private static List<MeanRelease> means(Fixture pipeline, String topic) {
    return pipeline.releases(topic, MeanRelease.class);
  }

  private static MeanRow row(MeanRelease release, String category) {
    return release.getRows().stream()
        .filter(row -> Objects.equals(row.getCategory(), category))
        .findFirst()
        .orElseThrow();
  }

  private static void assertBounds(BoundsRelease found, Double lowest, Double highest, int passed) {
    assertThat(found.getLowest()).isEqualTo(lowest);
    assertThat(found.getHighest()).isEqualTo(highest);
    assertThat(found.getPassed()).isEqualTo(passed);
    assertThat(found.getRows()).hasSize(passed);
  }

  private static void assertRow(MeanRow row, double lowest, double highest, double... numbers) {
    double[] clipped =
        Arrays.stream(numbers).map(x -> Math.max(lowest, Math.min(highest, x))).toArray();
    double sum = Arrays.stream(clipped).sum();
    double mean = sum / clipped.length;
    double near = NEAR * (highest - lowest);
    assertThat(row.getLowest()).isEqualTo(lowest);
    assertThat(row.getHighest()).isEqualTo(highest);
    assertThat(row.getCount().getValue()).isCloseTo(clipped.length, within(NEAR));
    assertThat(row.getSum().getValue()).isCloseTo(sum, within(near));
    assertThat(row.getMean().getValue()).isCloseTo(mean, within(near));
    assertThat(row.getMean().getLow()).isLessThanOrEqualTo(mean);
    assertThat(row.getMean().getHigh()).isGreaterThanOrEqualTo(mean);
    if (row.getVariance() != null) {
      double variance =
          Arrays.stream(clipped).map(x -> (x - mean) * (x - mean)).sum() / clipped.length;
      assertThat(row.getVariance().getValue())
          .isCloseTo(variance, within(NEAR * (highest - lowest) * (highest - lowest)));
    }
  }

  @Test
  void shouldFindBoundsOncePerPeriodAndGoByThemFromThatVeryWindowOn() {
    try (Fixture pipeline = new Fixture(USERS, state)) {
      send(pipeline, "north", 0, 2.5, 7, 100, 0.75);
      send(pipeline, "north", 1, 500, 0.1, 64);
      pipeline.tick(22);
      List<BoundsRelease> found = bounds(pipeline);
      assertThat(found).extracting(BoundsRelease::getSubject).containsExactly("north", "south");
      assertBounds(found.get(0), 0.5, 128.0, 4);
      assertThat(found.get(0).getRecords()).as("private").isNull();
      assertThat(found.get(0).getRows().get(0)).isEqualTo(new BoundsRow(0.5, 1.0, 1L));
      assertBounds(found.get(1), null, null, 0);
      List<MeanRelease> means = means(pipeline, "means");
      assertThat(means).extracting(MeanRelease::getSubject).containsExactly("north", "north");
      assertRow(row(means.get(0), null), 0.5, 128, 2.5, 7, 100, 0.75);
      assertRow(row(means.get(1), null), 0.5, 128, 500, 0.1, 64);
      List<MeanRelease> apart = means(pipeline, "apart");
      assertRow(row(apart.get(0), "a"), 0.5, 128, 2.5, 100);
      assertRow(row(apart.get(0), "b"), 0.5, 128, 7, 0.75);
      assertRow(row(apart.get(1), "b"), 0.5, 128, 0.1);
    }
  }

  @Test
  void shouldShowWhatWasFound() {
    try (Fixture pipeline = new Fixture(USERS, state)) {
      send(pipeline, "north", 0, 2.5, 7, 100, 0.75);
      pipeline.tick(12);
      List<BoundsRelease> found = bounds(pipeline);
      OutputView view = Releases.viewOf(found.get(0)).orElseThrow();
      assertThat(Shown.whole(found.get(0)))
          .endsWith("  x between 0.5 and 128: 4 ranges with a noisy count of 1 or more");
      assertThat(Shown.whole(found.get(1)))
          .endsWith("  x has no bounds: no range with a noisy count of 1 or more");
      PlannedRelease planned = Fixture.plan(USERS).releases().get(2);
      Card card = new ShownOutput(view, found.get(0)).card(planned);
      assertThat(card.sections().get(0).caption()).isEqualTo("records of x");
      assertThat(card.rows())
          .extracting(Card.Row::label)
          .containsExactly("0.5 to 1", "2 to 4", "4 to 8", "64 to 128");
      assertThat(new ShownOutput(view, found.get(1)).card(planned).rows()).isEmpty();
    }
  }

  /** Nothing was found of the other ward: whoever asks for its means is told so, and why. */
  @Test
  void shouldRefuseWhatHasNoBoundsYet() {
    try (Fixture pipeline = new Fixture(USERS, state)) {
      send(pipeline, "north", 0, 3);
      send(pipeline, "south", 1, 3);
      pipeline.tick(22);
      assertThat(pipeline.refusals())
          .extracting(Refusal::getOutput, Refusal::getSubject, Refusal::getCode)
          .containsExactlyInAnyOrder(
              tuple("means", "south", RefusalCode.NO_BOUNDS),
              tuple("apart", "south", RefusalCode.NO_BOUNDS),
              tuple("means", "south", RefusalCode.NO_BOUNDS),
              tuple("apart", "south", RefusalCode.NO_BOUNDS));
      send(pipeline, "south", 3, 5);
      pipeline.tick(42);
      assertThat(means(pipeline, "means"))
          .filteredOn(release -> release.getSubject().equals("south"))
          .singleElement()
          .satisfies(release -> assertRow(row(release, null), 4, 8, 5));
    }
  }

  @Test
  void shouldGoOnWithTheLastBoundsWhereNothingPasses() {
    try (Fixture pipeline = new Fixture(USERS, state)) {
      send(pipeline, "north", 0, 3);
      send(pipeline, "north", 4, 1);
      send(pipeline, "north", 6, -20);
      send(pipeline, "north", 7, -20, 5);
      pipeline.tick(92);
      List<BoundsRelease> north =
          bounds(pipeline).stream().filter(b -> b.getSubject().equals("north")).toList();
      assertThat(north)
          .extracting(release -> (release.getWindowStart().toEpochMilli() - NOW) / 10_000)
          .containsExactly(0L, 3L, 6L);
      assertBounds(north.get(0), 2.0, 4.0, 1);
      assertBounds(north.get(1), null, null, 0);
      assertBounds(north.get(2), -32.0, -16.0, 1);
      List<MeanRelease> means =
          means(pipeline, "means").stream().filter(m -> m.getSubject().equals("north")).toList();
      assertThat(means).as("every window").hasSize(9);
      assertRow(row(means.get(4), null), 2, 4, 1);
      assertRow(row(means.get(6), null), -32, -16, -20);
      assertRow(row(means.get(7), null), -32, -16, -20, 5);
    }
  }

  @Test
  void shouldTakeEveryNumber() {
    try (Fixture pipeline = new Fixture(USERS, state)) {
      send(pipeline, "north", 0, -6, 0, 1e-300, 1e12, "-0.0");
      send(pipeline, "south", 0, 0, 4.9e-324, -1e-12);
      pipeline.tick(12);
      List<BoundsRelease> found = bounds(pipeline);
      double top = 0x1.0p40;
      assertBounds(found.get(0), -8.0, top, 3);
      assertThat(found.get(0).getRows())
          .containsExactly(
              new BoundsRow(-8.0, -4.0, 1L),
              new BoundsRow(0.0, 0.0, 3L),
              new BoundsRow(0x1.0p39, top, 1L));
      double tiny = 0x1.0p-32;
      assertBounds(found.get(1), -tiny, tiny, 1);
      List<MeanRelease> means = means(pipeline, "means");
      assertRow(row(means.get(0), null), -8, top, -6, 0, 0, 1e12, 0);
      assertThat(row(means.get(1), null).getMean().getValue()).isCloseTo(0, within(tiny));
      assertThat(row(means.get(1), null).getCount().getValue()).isCloseTo(3, within(NEAR));
      assertThat(pipeline.deadLetters()).isEmpty();
    }
  }

  /** Who is alone in a dataset: of a subject the first window that is released. */
  @Test
  void shouldFindBoundsOfOnePersonsNumbersOnceInALifetime() {
    try (Fixture pipeline = new Fixture(RECORDS, state)) {
      for (int window : new int[] {0, 1, 2}) {
        for (String who : window == 0 ? List.of("ann") : List.of("ann", "bob")) {
          pipeline.sendJson(window * 10L + 1, "'who':'%s','x':%d,'y':-3", who, 5 + 20 * window);
        }
      }
      pipeline.sendJson(90, "'who':'eve','x':1,'y':1");
      List<BoundsRelease> found = bounds(pipeline);
      assertThat(found).extracting(BoundsRelease::getSubject).containsExactly("ann", "bob");
      assertBounds(found.get(0), 4.0, 8.0, 1);
      assertBounds(found.get(1), 16.0, 32.0, 1);
      assertThat(found.get(0).getRecords()).isEqualTo(1);
      List<MeanRelease> means = means(pipeline, "means");
      assertThat(means).hasSize(5);
      MeanRow x = means.get(0).getRows().get(0);
      assertRow(x, 4, 8, 5);
      assertThat(x.getParts()).as("the first part follows from N").hasSize(1);
      assertRow(means.get(0).getRows().get(1), -4, -2, -3);
      assertThat(means.get(0).getGuarantee().getMechanism()).contains("rounded=1");
      assertThat(pipeline.refusals()).isEmpty();
    }
  }

  /** The noise of this key lets no single record pass: nothing is left to chance. */
  @Test
  void shouldChargeNothingForWhatHasNoBounds() {
    Plan plan = Fixture.plan(RECORDS.replace("100000", "0.5"));
    KeeperRun run = new KeeperRun();
    List<JournalEntry> journal = new ArrayList<>();
    journal.add(new Genesis(0, new StateEpoch(7, 7)));
    journal.add(new Watermark(0, NOW));
    for (int window = 0; window < 2; window++) {
      long start = NOW + window * 10_000L;
      journal.add(new Observation("ann", start, 0, List.of(3.0, 4.0), 0));
      journal.add(new Watermark(0, start + 10_000));
    }
    List<Object> outputs =
        run.run(plan, Fixture.deployment(1, PipelineMeters.none()), journal).stream()
            .<Object>map(output -> Outputs.decodeAny(output.value()))
            .toList();
    assertThat(outputs)
        .filteredOn(Refusal.class::isInstance)
        .extracting(refusal -> ((Refusal) refusal).getCode())
        .containsExactly(RefusalCode.NO_BOUNDS, RefusalCode.NO_BOUNDS);
    assertThat(outputs).filteredOn(BoundsRelease.class::isInstance).hasSize(2);
    assertThat(LedgerLines.of(run.store(Names.LEDGER_STORE)))
        .extracting(LedgerImage.Line::share)
        .containsExactlyInAnyOrder("range", "other");
  }

  /** Records of one user each in the ward "north", and the window's end. */
  private static List<JournalEntry> window(int window, double... numbers) {
    long start = NOW + window * 10_000L;
    List<Contribution> records =
        IntStream.range(0, numbers.length)
            .mapToObj(i -> new Contribution("user" + i, start, "north", 0, i, List.of(numbers[i])))
            .toList();
    List<JournalEntry> journal = new ArrayList<>();
    if (!records.isEmpty()) {
      journal.add(new Contributions(records));
    }
    journal.add(new Watermark(0, start + 10_000));
    return journal;
  }

  private static long charges(PopulationRun run, String share, String user) {
    return LedgerLines.of(run.store(Names.LEDGER_STORE)).stream()
        .filter(line -> line.share().equals(share) && line.subject().equals(user))
        .flatMap(line -> line.charges().values().stream())
        .mapToLong(Long::longValue)
        .sum();
  }

  @Test
  void shouldChargeUsersForBoundsInTheWindowsThatFindThem() {
    Plan plan = Fixture.plan(USERS);
    PopulationRun run = new PopulationRun();
    run.outputs(plan, PopulationRun.beginning());
    run.outputs(plan, window(0, 3));
    assertThat(charges(run, "range", "user0")).isEqualTo(1);
    run.outputs(plan, window(1, 3, 4));
    run.outputs(plan, window(2, 3, 4));
    assertThat(charges(run, "range", "user0")).isEqualTo(1);
    assertThat(charges(run, "range", "user1")).as("came after the draw").isZero();
    assertThat(charges(run, "means", "user0")).isEqualTo(3);
    assertThat(charges(run, "means", "user1")).isEqualTo(2);
  }

  /** A transaction that was lost is done again, from the state and entries that it had. */
  @Test
  void shouldGiveTheSameBytesAgain() {
    Plan plan = Fixture.plan(USERS);
    PopulationRun run = new PopulationRun();
    run.outputs(plan, PopulationRun.beginning());
    run.outputs(plan, window(0, 3, -4));
    for (int window = 1; window < 4; window++) {
      List<String> before = run.lines();
      List<byte[]> outputs = run.outputs(plan, window(window, 5, 70));
      PopulationRun again = PopulationRun.of(before);
      assertThat(again.outputs(plan, window(window, 5, 70)))
          .hasSizeGreaterThanOrEqualTo(2)
          .containsExactlyElementsOf(outputs);
      assertThat(again.lines()).isEqualTo(run.lines());
    }
  }
}
