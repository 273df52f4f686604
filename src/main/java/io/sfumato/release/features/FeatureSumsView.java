// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.features;

import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.schema.FeatureRelease;
import java.util.List;
import java.util.Locale;
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
