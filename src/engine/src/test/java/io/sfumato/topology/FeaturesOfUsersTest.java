// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.release.Plan;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.FeatureRelease;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Observations;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineStopException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Users' records carry numbers, of which each subject's features are summed. There is so much
 * budget that the noise is some thousandth of a record's norm; what is compared has room for ten
 * deviations, which 100 sums leave by a chance below 1e-20.
 */
class FeaturesOfUsersTest {
  private static final String FILE =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, values: [x, visit.y] }
      features: { count: 20, bandwidth: 0.8, seed: public }
      contributions: { per-window: 3, subjects: 2 }
      subjects: [north, south]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 900000, delta: 1e-6, period: lifetime }
      releases:
        - features: { name: sums, share: { epsilon: 450000, delta: 4e-7 }, windows: 2 }
      """;

  /** Beside categories, some of which are told as left out. */
  private static final String CATEGORISED =
      FILE.replace("time: at,", "time: at, category: what, categories: [a, b],")
              .replace("subjects: 2 }", "subjects: 2, left-out: 5 }")
          + """
            - count: { name: n, share: { epsilon: 200000, delta: 1e-7 }, windows: 2 }
            - count: { name: lost, by: left-out, share: { epsilon: 200000, delta: 1e-7 }, windows: 2 }
          """;

  private static final RandomFeatures FEATURES = new RandomFeatures(2, 20, 0.8, "public");

  @TempDir Path state;

  private static void send(Fixture pipeline, String who, String ward, String x, String y) {
    pipeline.sendJson(
        1, "'who':'%s','ward':'%s','what':'b','x':%s,'visit':{'y':%s}", who, ward, x, y);
  }

  private static void send(Fixture pipeline, String who, String ward, double x, double y) {
    send(pipeline, who, ward, Double.toString(x), Double.toString(y));
  }

  private static List<FeatureRelease> sums(Fixture pipeline) {
    return pipeline.releases("sums", FeatureRelease.class);
  }

  private static void assertSums(FeatureRelease release, String subject, double[]... records) {
    assertThat(release.getSubject()).isEqualTo(subject);
    assertThat(release.getRecords())
        .isCloseTo(records.length, within(10 * release.getRecordsDeviation()));
    assertThat(release.getRecordsDeviation()).isBetween(1e-6, 0.05);
    assertThat(release.getDeviation()).isBetween(1e-6, 0.02);
    double[] sum = new double[20];
    for (double[] record : records) {
      double[] phi = FEATURES.phi(record);
      for (int i = 0; i < 20; i++) {
        sum[i] += phi[i];
      }
    }
    assertThat(release.getSums()).hasSize(20);
    for (int i = 0; i < 20; i++) {
      assertThat(release.getSums().get(i))
          .isCloseTo(sum[i], within(10 * release.getDeviation() + 1e-4));
    }
  }

  private static double[] of(double... numbers) {
    return numbers;
  }

  /** What the users' keeper has passed on to the subjects. */
  private static List<Observation> counted(Fixture pipeline) {
    return pipeline.entries(Names.JOURNAL, Observations.class).stream()
        .flatMap(entry -> entry.records().stream())
        .toList();
  }

  @Test
  void shouldAddUpTheFeaturesOfUsersRecords() {
    try (Fixture pipeline = new Fixture(FILE, state)) {
      send(pipeline, "ann", "north", 0.5, -1);
      send(pipeline, "ann", "north", "\"2.25\"", "1e0");
      send(pipeline, "ann", "south", -3, 0);
      send(pipeline, "bob", "north", 0.5, -1);
      pipeline.tick(12);
      List<FeatureRelease> released = sums(pipeline);
      assertThat(released).hasSize(2);
      assertSums(released.get(0), "north", of(0.5, -1), of(2.25, 1), of(0.5, -1));
      assertSums(released.get(1), "south", of(-3, 0));
      assertThat(released.get(0).getGuarantee().getMechanism())
          .contains("discrete-gaussian features add-or-remove-3-of-2 m=20");
      assertThat(pipeline.deadLetters()).isEmpty();
    }
  }

  /** Nobody is told apart from a ward without records but by noise. */
  @Test
  void shouldReleaseSubjectsWithoutRecords() {
    try (Fixture pipeline = new Fixture(FILE, state)) {
      pipeline.tick(12);
      List<FeatureRelease> released = sums(pipeline);
      assertThat(released).hasSize(2);
      assertSums(released.get(0), "north");
      assertSums(released.get(1), "south");
    }
  }

  /** Which ones count is for their ranks to say; those that do have all of their numbers. */
  @Test
  void shouldCountAtMostCRecordsOfAUser() {
    try (Fixture pipeline = new Fixture(FILE, state)) {
      for (int i = 0; i < 20; i++) {
        send(pipeline, "ann", "north", i, -i / 4.0);
      }
      send(pipeline, "bob", "south", 7, 8);
      pipeline.tick(12);
      List<FeatureRelease> released = sums(pipeline);
      List<double[]> mine =
          counted(pipeline).stream()
              .filter(record -> record.subject().equals("north"))
              .map(record -> record.values().stream().mapToDouble(v -> v).toArray())
              .toList();
      assertThat(mine).hasSize(3).doesNotHaveDuplicates().allMatch(r -> r[1] == -r[0] / 4);
      assertSums(released.get(0), "north", mine.toArray(double[][]::new));
      assertSums(released.get(1), "south", of(7, 8));
    }
  }

  /** Over all subjects: their losses add. */
  @Test
  void shouldCountAtMostCRecordsOverAllSubjects() {
    try (Fixture pipeline = new Fixture(FILE, state)) {
      for (int i = 0; i < 20; i++) {
        send(pipeline, "ann", i % 2 == 0 ? "north" : "south", 1, 2);
      }
      pipeline.tick(12);
      List<FeatureRelease> released = sums(pipeline);
      assertThat(released.get(0).getRecords() + released.get(1).getRecords())
          .isCloseTo(3, within(0.5));
      for (FeatureRelease release : released) {
        int records = (int) Math.round(release.getRecords());
        double[][] alike = new double[records][];
        Arrays.fill(alike, of(1, 2));
        assertSums(release, release.getSubject(), alike);
      }
    }
  }

  @Test
  void shouldServeCategoriesAndNumbersAlike() {
    try (Fixture pipeline = new Fixture(CATEGORISED, state)) {
      for (int i = 0; i < 5; i++) {
        send(pipeline, "ann", "north", 4, 5);
      }
      send(pipeline, "bob", "south", 6, 7);
      pipeline.tick(12);
      List<FeatureRelease> released = sums(pipeline);
      assertSums(released.get(0), "north", of(4, 5), of(4, 5), of(4, 5));
      assertSums(released.get(1), "south", of(6, 7));
      assertThat(pipeline.counts("n")).containsExactly("north [0, 3]", "south [0, 1]");
      assertThat(pipeline.counts("lost")).containsExactly("north [2]", "south [0]");
    }
  }

  @Test
  void shouldBuryRecordsWithoutUsableNumbers() {
    try (Fixture pipeline = new Fixture(FILE, state)) {
      List<String> bad =
          List.of(
              "1e300",
              "1.1e12",
              "-1e13",
              "\"NaN\"",
              "\"Infinity\"",
              "\"many\"",
              "\"\"",
              "true",
              "[1]",
              "{}");
      for (String number : bad) {
        send(pipeline, "ann", "north", number, "1");
        send(pipeline, "ann", "north", "1", number);
      }
      send(pipeline, "ann", "north", "NaN", "1");
      // A missing number is no error: the record has no features.
      send(pipeline, "ann", "north", "1", "null");
      pipeline.sendJson(0, "'who':'ann','ward':'north','x':1");
      pipeline.tick(12);
      List<String> letters = pipeline.deadLetters();
      assertThat(letters).hasSize(2 * bad.size() + 1);
      assertThat(letters.subList(0, letters.size() - 1))
          .allMatch(letter -> letter.endsWith(":BAD_VALUE"));
      // No JSON at all.
      assertThat(letters.get(letters.size() - 1)).endsWith(":MALFORMED");
      assertSums(sums(pipeline).get(0), "north");
    }
  }

  @Test
  void shouldTakeTheLargestNumbersThereAre() {
    try (Fixture pipeline = new Fixture(FILE, state)) {
      send(pipeline, "ann", "north", 1e12, -1e12);
      send(pipeline, "bob", "north", -0.0, Double.MIN_VALUE);
      pipeline.tick(12);
      assertSums(sums(pipeline).get(0), "north", of(1e12, -1e12), of(0, 0));
    }
  }

  @Test
  void shouldForgetTheNumbersOfAUser() {
    try (Fixture pipeline = new Fixture(FILE, state)) {
      send(pipeline, "ann", "north", 1, 1);
      send(pipeline, "bob", "north", 2, 2);
      pipeline.command(ControlCommand.FORGET, "ann");
      pipeline.tick(12);
      assertSums(sums(pipeline).get(0), "north", of(2, 2));
    }
  }

  /** A retry writes what the first attempt wrote. */
  @Test
  void shouldWriteTheSameBytesAgain() {
    List<List<String>> runs = new ArrayList<>();
    for (int run = 0; run < 2; run++) {
      try (Fixture pipeline =
          new Fixture(
              FILE.replace("900000", "2").replace("450000", "1"), state.resolve("run" + run))) {
        for (int i = 0; i < 12; i++) {
          send(pipeline, i % 3 == 0 ? "ann" : "bob", i % 2 == 0 ? "north" : "south", i, i);
        }
        pipeline.tick(12);
        runs.add(
            pipeline.records("sums").stream()
                .map(release -> HexFormat.of().formatHex(release.value()))
                .toList());
      }
    }
    assertThat(runs.get(0)).hasSize(2).isEqualTo(runs.get(1));
  }

  /** Nothing of a record's numbers stays where the file names none. */
  @Test
  void shouldJournalNumbersOnlyWhereTheFileNamesThem() {
    String plain =
        CATEGORISED
            .replace(", values: [x, visit.y]", "")
            .replaceFirst("features: \\{ count.*\n", "")
            .replaceFirst(" *- features: .*\n", "");
    for (String file : List.of(plain, CATEGORISED)) {
      try (Fixture pipeline = new Fixture(file, state.resolve("of" + file.length()))) {
        send(pipeline, "ann", "north", 1.5, 2.5);
        List<Contribution> journal = pipeline.contributions();
        assertThat(journal)
            .singleElement()
            .extracting(Contribution::values)
            .isEqualTo(file.equals(plain) ? List.of() : List.of(1.5, 2.5));
      }
    }
  }

  /** Half of a window's records would have other numbers, or none; or the other way. */
  @ParameterizedTest
  @ValueSource(strings = {"", "values: [visit.y, x]", "values: [x]"})
  void shouldNeitherTakeUpNumbersNorDropThemInALaterVersion(String values) {
    String other =
        values.isEmpty()
            ? CATEGORISED
                .replace(", values: [x, visit.y]", "")
                .replaceFirst("features: \\{ count.*\n", "")
                .replaceFirst(" *- features: .*\n", "")
            : CATEGORISED.replace("values: [x, visit.y]", values);
    for (List<String> change : List.of(List.of(CATEGORISED, other), List.of(other, CATEGORISED))) {
      Plan before = Fixture.plan(change.get(0));
      Plan after = Fixture.plan("version: 2\n" + change.get(1));
      assertThatThrownBy(() -> Fixture.takeOver(before, after))
          .isInstanceOf(PipelineStopException.class)
          .hasMessageContaining("input.values: the state was made with")
          .hasMessageContaining("sfumato ledger export");
    }
  }
}
