// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.features;

import io.sfumato.inference.FeatureLikelihood;
import io.sfumato.inference.Likelihood;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.features.FeatureQuery;
import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.FeatureSpec;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.schema.FeatureRelease;
import io.sfumato.text.Visible;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/**
 * Sums that nobody reads one by one: how many, of how many records, and whether noise drowns them.
 */
final class FeatureSumsView implements OutputView {
  @Override
  public Schema schema() {
    return FeatureRelease.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("records", "sums");
  }

  @Override
  public String row(IndexedRecord output) {
    FeatureRelease release = (FeatureRelease) output;
    return String.format(
        Locale.ROOT,
        "%s  %d sums of features, norm %.4g (noise alone %.4g)",
        records(release),
        release.getSums().size(),
        norm(release),
        noise(release));
  }

  private static String records(FeatureRelease release) {
    return release.getRecordsDeviation() > 0
        ? String.format(
            Locale.ROOT,
            "%.1f +-%.1f records",
            release.getRecords(),
            1.96 * release.getRecordsDeviation())
        : String.format(Locale.ROOT, "%,.0f records", release.getRecords());
  }

  private static double norm(FeatureRelease release) {
    return Math.sqrt(release.getSums().stream().mapToDouble(sum -> sum * sum).sum());
  }

  private static double noise(FeatureRelease release) {
    return release.getDeviation() * Math.sqrt(release.getSums().size());
  }

  /**
   * The density of noise around what pseudo-data would have come to.
   *
   * @throws IllegalArgumentException if the release is none that the file plans; says why
   */
  @Override
  public Optional<Likelihood> likelihood(IndexedRecord output, PlannedRelease planned) {
    FeatureRelease release = (FeatureRelease) output;
    PlannedFeatureSums plan = (PlannedFeatureSums) planned;
    FeatureSumsSpec spec = plan.spec();
    if (release.getSums().size() != spec.kept().count()) {
      throw new IllegalArgumentException(
          "the release has %d sums, the file keeps %d features"
              .formatted(release.getSums().size(), spec.kept().count()));
    }
    FeatureSpec kept =
        new FeatureSpec(release.getSums().size(), release.getBandwidth(), release.getSeed());
    if (!kept.equals(spec.kept()) || !release.getValues().equals(spec.values())) {
      throw new IllegalArgumentException(
          "the release is of the features of %s with bandwidth %s and seed %s, the file keeps those of %s with %s and %s"
              .formatted(
                  Visible.of(release.getValues().toString()),
                  kept.bandwidth(),
                  Visible.of(kept.seed()),
                  spec.values(),
                  spec.kept().bandwidth(),
                  spec.kept().seed()));
    }
    if (spec.population().isEmpty() && release.getRecords() != Math.rint(release.getRecords())) {
      throw new IllegalArgumentException(
          "records: found " + release.getRecords() + ", where their number is public and whole");
    }
    GridMeasurement<FeatureQuery> mechanism = plan.plan().mechanism();
    if (release.getDeviation() != mechanism.deviation()
        || release.getRecordsDeviation() != plan.recordsDeviation()) {
      throw new IllegalArgumentException(
          "the release has noise of %.6g, the file plans %.6g: it is of another version of the file"
              .formatted(release.getDeviation(), mechanism.deviation()));
    }
    return Optional.of(
        new FeatureLikelihood(
            spec.kept().features(spec.dimensions()),
            release.getSums().stream().mapToDouble(Double::doubleValue).toArray(),
            mechanism.deviation(),
            release.getRecords(),
            plan.recordsDeviation()));
  }

  @Override
  public Card card(IndexedRecord output, PlannedRelease planned) {
    FeatureRelease release = (FeatureRelease) output;
    double norm = norm(release);
    double noise = noise(release);
    return new Card(
        release.getWindowStart(),
        release.getWindowEnd(),
        release.getRecordsDeviation() > 0
            ? OptionalLong.empty()
            : OptionalLong.of(Math.round(release.getRecords())),
        OptionalDouble.empty(),
        List.of(
            new Card.Row("norm of all sums", norm, String.format(Locale.ROOT, "%.4g", norm)),
            new Card.Row("of noise alone", noise, String.format(Locale.ROOT, "%.4g", noise))));
  }
}
