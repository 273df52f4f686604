// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.release.PipelineFile;
import io.sfumato.schema.FeatureRelease;
import io.sfumato.serde.Outputs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From records with numbers to one noisy sum of their features. */
class FeaturesTest {
  private static final String YAML =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, values: [x, y] }
      features: { count: 20, bandwidth: 0.8, seed: public }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 6000, delta: 1e-5, period: window }
      releases:
        - features: { name: sums, share: { epsilon: 6000, delta: 1e-6 } }
      """;

  @TempDir Path state;

  private static byte[] event(String who, long second, double x, double y) {
    return String.format(
            Locale.ROOT,
            "{\"who\":\"%s\",\"at\":%d,\"x\":%s,\"y\":%s}",
            who,
            Fixture.NOW + second * 1000,
            x,
            y)
        .getBytes(StandardCharsets.UTF_8);
  }

  private List<byte[]> published(String folder, List<byte[]> records) {
    try (Fixture pipeline = new Fixture(YAML, state.resolve(folder))) {
      records.forEach(record -> pipeline.send(null, record));
      pipeline.send(null, event("bob", 12, 1, 1));
      assertThat(pipeline.deadLetters()).isEmpty();
      return pipeline.records("sums").stream().map(record -> record.value()).toList();
    }
  }

  private static List<byte[]> thirtyRecords() {
    return new ArrayList<>(
        IntStream.range(0, 30).mapToObj(i -> event("ann", 1, i / 10.0, Math.sin(i))).toList());
  }

  /** So much budget that the noise is a hundredth of one record; seven deviations, of 20 sums. */
  @Test
  void shouldPublishTheSumsOfFeatures() {
    List<byte[]> bytes = published("once", thirtyRecords());
    assertThat(bytes).hasSize(1);
    FeatureRelease release = (FeatureRelease) Outputs.decodeAny(bytes.get(0));
    assertThat(release.getRecords()).isEqualTo(30);
    assertThat(release.getRecordsDeviation()).isZero();
    assertThat(release.getDeviation()).isBetween(0.001, 0.03);
    double[][] rows =
        IntStream.range(0, 30)
            .mapToObj(i -> new double[] {i / 10.0, Math.sin(i)})
            .toArray(double[][]::new);
    double[] mean = new RandomFeatures(2, 20, 0.8, "public").mean(rows);
    assertThat(release.getSums()).hasSize(20);
    for (int i = 0; i < 20; i++) {
      assertThat(release.getSums().get(i))
          .isCloseTo(30 * mean[i], within(7 * release.getDeviation()))
          .matches(sum -> sum * 65536 == Math.rint(sum * 65536));
    }
    assertThat(release.getGuarantee().getMechanism()).contains("discrete-gaussian features");
  }

  @Test
  void shouldPublishTheSameBytesForRecordsInAnyOrder() {
    List<byte[]> turned = thirtyRecords();
    Collections.reverse(turned);
    assertThat(published("turned", turned).get(0))
        .isEqualTo(published("straight", thirtyRecords()).get(0));
  }

  /** The randomness follows from the exact input: other data never meet the same noise. */
  @Test
  void shouldDrawOtherNoiseForOtherRecords() {
    List<byte[]> other = thirtyRecords();
    other.set(3, event("ann", 1, 2.9, -0.5));
    double[] mine = sums("mine", thirtyRecords());
    double[] others = sums("others", other);
    RandomFeatures features = new RandomFeatures(2, 20, 0.8, "public");
    double[] gone = features.phi(new double[] {0.3, Math.sin(3)});
    double[] came = features.phi(new double[] {2.9, -0.5});
    double[] noiseApart = new double[20];
    Arrays.setAll(noiseApart, i -> others[i] - mine[i] - (came[i] - gone[i]));
    assertThat(Arrays.stream(noiseApart).map(Math::abs).max().orElseThrow()).isGreaterThan(1e-3);
  }

  private double[] sums(String folder, List<byte[]> records) {
    FeatureRelease release = (FeatureRelease) Outputs.decodeAny(published(folder, records).get(0));
    return release.getSums().stream().mapToDouble(Double::doubleValue).toArray();
  }

  @Test
  void shouldRefuseFilesThatHaveNoFeatures() {
    assertThatThrownBy(
            () -> PipelineFile.parse("f", YAML.replaceFirst("features: \\{ count.*\n", "")))
        .isInstanceOf(PipelineFileException.class)
        .hasMessageContaining("features")
        .hasMessageContaining("bandwidth");
    assertThatThrownBy(
            () ->
                PipelineFile.parse(
                    "f",
                    YAML.replace("values: [x, y]", "category: c, categories: [a, b]")
                        .replaceFirst("features: \\{ count.*\n", "")))
        .isInstanceOf(PipelineFileException.class)
        .hasMessageContaining("use a histogram");
  }
}
