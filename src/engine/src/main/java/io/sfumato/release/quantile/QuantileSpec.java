// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.matrix.RootSensitivity;
import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.mechanism.quantile.QuantileQuery;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.RecordAggregation;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.UnplannableException;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.schema.QuantileRelease;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * Private quantiles of a number, for every subject and closed window.
 *
 * @param head name, topic and share
 * @param value name of the number
 * @param place of it among {@code input.values}, from 0
 * @param bins public
 * @param groups number of categories; 1 where all records are taken together
 * @param quantiles each between 0 and 1, ascending, at least one
 * @param population what one user may add, where many users feed one subject
 * @param planSize PUBLIC guess of a window's records in one group, for plans only
 */
public record QuantileSpec(
    Head head,
    String value,
    int place,
    Bins bins,
    int groups,
    List<Double> quantiles,
    Optional<Population> population,
    long planSize)
    implements ReleaseSpec {
  public QuantileSpec {
    quantiles = List.copyOf(quantiles);
  }

  @Override
  public Schema schema() {
    return QuantileRelease.getClassSchema();
  }

  @Override
  public PlannedRelease plan() throws UnplannableException {
    CalibrationTarget request = head.request();
    QuantileQuery query = new QuantileQuery(bins, groups);
    GridSensitivity sensitivity =
        population
            .map(
                users ->
                    users.charged(RootSensitivity.addOrRemove(query.root(), users.records(), 1)))
            .orElseGet(() -> RootSensitivity.replaceOne(query.root()));
    Calibrated<GridMeasurement<QuantileQuery>> plan =
        VectorCalibrator.gaussian(request, query, sensitivity)
            .orElseThrow(() -> head.cannotAfford());
    return new PlannedQuantile(this, plan);
  }

  @Override
  public boolean chargesRecords() {
    return population.filter(Population::chargesRecords).isPresent();
  }

  /** Whether categories are summarised apart. */
  boolean isByCategory() {
    return groups > 1;
  }

  /** What of it bears on what is released: states that live were made with these very texts. */
  void digest(CanonicalEncoder digest) {
    digest.text("quantile").text(rule().canonical());
    quantiles.forEach(q -> digest.number(Double.doubleToLongBits(q)));
  }

  /** All of them, as estimates ask for them. */
  double[] asked() {
    return quantiles.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** What is kept of records. */
  BinsRule rule() {
    return new BinsRule(place, bins, groups);
  }

  @Override
  public List<RecordAggregation> tallies() {
    return List.of(rule());
  }

  @Override
  public Optional<NumberBounds> bounds(int place) {
    return place == this.place
        ? Optional.of(new NumberBounds(bins.edge(0), bins.edge(bins.number())))
        : Optional.empty();
  }
}
