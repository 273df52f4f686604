// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.inference.PopulationMonteCarlo;
import io.sfumato.modeller.EventRates;
import io.sfumato.modeller.MixtureOfUniforms;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.Plan;
import io.sfumato.runtime.RefusedException;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.schema.Guarantees;
import io.sfumato.serde.JsonRecords;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Saved releases, right and wrong ones. */
class PublishedReleaseTest {
  private static final Path PIPELINE =
      Path.of(
          "src/engine/src/test/resources/io/sfumato/release/former-diary-model-by-patient.yaml");
  private static final Instant TIME = Instant.parse("1988-04-01T00:00:00Z");

  @TempDir Path folder;
  private Pipeline pipeline;
  private PlannedRelease planned;

  @BeforeEach
  void plan() throws Exception {
    pipeline = PipelineFile.read(PIPELINE);
    planned = Plan.of(PIPELINE.toString(), pipeline).releases().get(0);
  }

  /** Noisy counts 1, 2, 3, ..., none on the floor. */
  private DirichletRelease release() {
    int categories = pipeline.input().allCategories().size();
    double total = categories * (categories + 1) / 2.0;
    List<Double> shares = new ArrayList<>();
    double left = 1;
    for (int i = 1; i < categories; i++) {
      shares.add(Math.round(i / total * 0x1.0p40) * 0x1.0p-40);
      left -= shares.get(i - 1);
    }
    shares.add(left);
    long start = pipeline.window().startOf(TIME.toEpochMilli());
    return DirichletRelease.newBuilder()
        .setReleaseId("some release")
        .setPipeline(pipeline.name())
        .setOutput("quarterly-mix")
        .setSubject("p01")
        .setWindowStart(Instant.ofEpochMilli(start))
        .setWindowEnd(Instant.ofEpochMilli(pipeline.window().endOf(start)))
        .setRecords((long) total)
        .setCategories(pipeline.input().allCategories())
        .setProbabilities(shares)
        .setGuarantee(
            Guarantees.any()
                .setUnit("record")
                .setMechanism(planned.charge().mechanism())
                .setEpsilon(planned.share().epsilon().value().doubleValue())
                .setDelta(planned.share().delta().value().doubleValue())
                .setPipelineVersion(pipeline.version())
                .build())
        .build();
  }

  private PublishedRelease read(String output, String... lines) throws Exception {
    Path file = Files.write(folder.resolve("saved.json"), List.of(lines));
    return PublishedRelease.ofFile(wanted(output), file);
  }

  private PublishedRelease.Wanted wanted(String output) throws Exception {
    return PublishedRelease.Wanted.of(PIPELINE, pipeline, output, "p01", TIME);
  }

  private void assertRefused(Consumer<DirichletRelease> change, String why) {
    DirichletRelease wrong = release();
    change.accept(wrong);
    assertThatThrownBy(() -> read("quarterly-mix", JsonRecords.line(wrong)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(why)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
  }

  @Test
  void shouldRefuseALineOfAnotherType() {
    String line = JsonRecords.typedLine(release()).replace("DirichletRelease", "CountRelease");
    assertThatThrownBy(() -> read("quarterly-mix", line))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("line 1: not a DirichletRelease");
  }

  @Test
  void aSavedReleaseIsAskedWithoutACluster() throws Exception {
    PublishedRelease release = read("quarterly-mix", JsonRecords.typedLine(release()));
    EventRates rates = new EventRates(pipeline.input().allCategories());
    ReleaseQuery query =
        new ReleaseQuery(new ModelQuery.Model("event-rates", rates, List.of()), 2000, 1);
    long[] weighed = new long[1];
    PopulationMonteCarlo.Result result = query.ask(release, () -> weighed[0]++);
    assertThat(weighed[0]).isEqualTo(2000);
    // Noise and data leave it open by less than this.
    assertThat(result.posterior().mean(13)).isBetween(0.08, 0.2);
    assertThat(result.posterior().mean(0)).isBetween(0.001, 0.06);
    assertThat(new FittedReport(query, release, result).json()).contains("effective_draws");
  }

  @Test
  void aReleaseOfAnotherPlanIsRefused() {
    assertRefused(r -> r.setPipeline("other"), "but of 'quarterly-mix' of 'other'");
    assertRefused(r -> r.setOutput("other"), "but of 'other' of 'diary-model'");
    assertRefused(r -> r.setSubject("p02"), "it has p02");
    assertRefused(r -> r.setWindowStart(Instant.EPOCH), "window from 1988");
    assertRefused(r -> r.getGuarantee().setPipelineVersion(2), "version 2");
    assertRefused(r -> r.getGuarantee().setMechanism("none"), "mechanism none");
    assertRefused(r -> r.getGuarantee().setEpsilon(3), "epsilon 3.0");
    assertRefused(r -> r.getGuarantee().setDelta(0.1), "delta 0.1");
    assertRefused(r -> r.getGuarantee().setUnit("user"), "unit user");
    assertRefused(r -> r.setCategories(List.of("a", "b")), "categories [a, b]");
  }

  private static void swapped(DirichletRelease release) {
    List<String> categories = new ArrayList<>(release.getCategories());
    Collections.swap(categories, 0, 1);
    release.setCategories(categories);
  }

  @Test
  void aHostileFieldIsRefused() {
    assertRefused(r -> r.setRecords(null), "records: found none");
    assertRefused(r -> r.setRecords(-1L), "records: found -1");
    assertRefused(r -> r.setRecords(Long.MAX_VALUE), "2^30");
    assertRefused(r -> r.setProbabilities(List.of(1.0)), "found 1 numbers");
    for (double bad : new double[] {-1, 0, 1, 1e300}) {
      assertRefused(r -> r.getProbabilities().set(0, bad), "found " + bad);
    }
    assertRefused(r -> r.getProbabilities().set(0, 0.5), "add up to");
    assertRefused(r -> r.setCounts(List.of(1L)), "counts and probabilities");
    assertRefused(PublishedReleaseTest::swapped, "categories");
    assertRefused(r -> r.getProbabilities().set(0, Double.NaN), "line 1: not a DirichletRelease");
  }

  @Test
  void whatAnswersNoSuchQuestionIsRefused() {
    String line = JsonRecords.line(release());
    assertThatThrownBy(() -> read("model-check", line)).hasMessageContaining("leave out --from");
    assertThatThrownBy(() -> read("none", line)).hasMessageContaining("quarterly-mix");
    assertThatThrownBy(() -> read("quarterly-mix", "{}")).hasMessageContaining("line 1");
    assertThatThrownBy(() -> read("quarterly-mix")).hasMessageContaining("holds no release");
    DirichletRelease other = release();
    other.setReleaseId("another");
    assertThatThrownBy(() -> read("quarterly-mix", line, JsonRecords.line(other)))
        .hasMessageContaining("2 different releases");
  }

  /** A file of much: the reader learns what it holds, and a wrong line's number. */
  @Test
  void aFileWithoutTheWantedReleaseIsRefused() throws Exception {
    List<String> lines = new ArrayList<>();
    for (int i = 10; i < 20; i++) {
      DirichletRelease other = release();
      other.setSubject("p" + i);
      lines.add(JsonRecords.line(other));
    }
    assertOneLine(
        () -> read("quarterly-mix", lines.toArray(String[]::new)),
        "holds no release of quarterly-mix about p01",
        "it has p10 1988",
        "and 4 more");
    lines.add(" ");
    lines.add("subject,share");
    assertOneLine(
        () -> read("quarterly-mix", lines.toArray(String[]::new)),
        "line 12: not a DirichletRelease",
        "consume");
    assertOneLine(() -> read("quarterly-mix", "[1, 2"), "line 1: not a DirichletRelease");
    PublishedRelease.Wanted wanted = wanted("quarterly-mix");
    assertOneLine(
        () -> PublishedRelease.ofFile(wanted, folder.resolve("none.json")), "no such file");
    assertOneLine(() -> PublishedRelease.ofFile(wanted, folder), "cannot be read");
    Path binary = folder.resolve("binary");
    assertOneLine(
        () ->
            PublishedRelease.ofFile(wanted, Files.write(binary, new byte[] {(byte) 0xc3, 1, 2, 3})),
        "cannot be read as UTF-8 text");
  }

  private static void assertOneLine(ThrowableAssert.ThrowingCallable reading, String... words) {
    assertThatThrownBy(reading)
        .isInstanceOf(RefusedException.class)
        .satisfies(e -> assertThat(e.getMessage()).contains(words).doesNotContain("\n"));
  }

  /** Before a file or a topic is looked at. */
  @Test
  void anOutputWithoutLikelihoodIsRefused() throws Exception {
    Path wards = Path.of("topology", "wards.yaml");
    Pipeline several = PipelineFile.read(wards);
    PublishedRelease.Wanted wanted =
        PublishedRelease.Wanted.of(wards, several, "ward-total", "north", TIME);
    assertOneLine(
        () -> PublishedRelease.ofFile(wanted, folder.resolve("none.json")),
        "output 'ward-total' has no likelihood; outputs for --from: ward-mix, ward-counts");
    Path taste = Path.of("topology", "diary-taste.yaml");
    PublishedRelease.Wanted item =
        PublishedRelease.Wanted.of(taste, PipelineFile.read(taste), "taste", "p01", TIME);
    assertOneLine(
        () -> PublishedRelease.ofFile(item, folder.resolve("none.json")),
        "output 'taste' has no likelihood; the file has no output that --from can use (histogram,"
            + " count by category or features)");
  }

  @Test
  void numbersAreNoCategories() throws Exception {
    PublishedRelease release = read("quarterly-mix", JsonRecords.line(release()));
    ReleaseQuery query =
        new ReleaseQuery(
            new ModelQuery.Model("mixture-of-uniforms", new MixtureOfUniforms(5), List.of()),
            100,
            1);
    assertThatThrownBy(() -> query.ask(release, () -> {}))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("take event-rates");
  }
}
