// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.features;

import io.sfumato.inference.FeatureLikelihood;
import io.sfumato.inference.Likelihood;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.features.FeatureQuery;
import io.sfumato.pipeline.FeatureSpec;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Plurals;
import io.sfumato.rows.Column;
import io.sfumato.rows.Column.Place;
import io.sfumato.rows.Column.Style;
import io.sfumato.rows.Group;
import io.sfumato.rows.NoiseScope;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.OutputRows;
import io.sfumato.rows.Quantity;
import io.sfumato.rows.Reading;
import io.sfumato.schema.FeatureRelease;
import io.sfumato.text.ControlCharEscaper;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/**
 * Sums that nobody reads one by one: how many, of how many records, and whether noise drowns them.
 */
final class FeatureSumsView implements OutputView {
  private static final String NORM = "norm of sums";
  private static final String NOISE = "norm of noise alone";

  /** Standard deviations to either side that hold a normal number in 95 of 100 cases. */
  private static final double NORMAL_95 = 1.96;

  @Override
  public Schema schema() {
    return FeatureRelease.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("records", "sums");
  }

  @Override
  public List<OutputRow> rows(IndexedRecord output, Optional<PlannedRelease> planned) {
    FeatureRelease release = (FeatureRelease) output;
    double deviation = release.getRecordsDeviation();
    double records = release.getRecords();
    OutputRows rows = OutputRows.of(output).sharing(NoiseScope.WINDOW);
    if (deviation > 0) {
      rows.drawn(
          Group.ALL,
          Reading.RECORDS,
          Quantity.around(records, NORMAL_95 * deviation).withDeviation(deviation));
    } else {
      rows.fact(Reading.RECORDS, Quantity.of(records));
    }
    rows.drawn(Group.ALL, NORM, Quantity.of(norm(release)))
        .fact(NOISE, Quantity.of(noise(release)));
    for (int i = 0; i < release.getSums().size(); i++) {
      rows.drawn(
          Group.ALL,
          "sum " + i,
          Quantity.of(release.getSums().get(i)).withDeviation(release.getDeviation()));
    }
    return rows.all();
  }

  @Override
  public Reading reading(IndexedRecord output) {
    FeatureRelease release = (FeatureRelease) output;
    return Reading.headline(
            String.format(
                Locale.ROOT,
                "%s, norm %.4g (noise alone %.4g)",
                Plurals.of(release.getSums().size(), "sum of features", "sums of features"),
                norm(release),
                noise(release)),
            Column.of(NORM, "norm of all sums", Style.INTERVAL).in(Place.CARD),
            Column.of(NOISE, "of noise alone", Style.INTERVAL).in(Place.CARD))
        .withFacts(Column.of(Reading.RECORDS, "", Style.AROUND).worded("%s records"));
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
                  ControlCharEscaper.of(release.getValues().toString()),
                  kept.bandwidth(),
                  ControlCharEscaper.of(kept.seed()),
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
}
