// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.mechanism.Estimate;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.mechanism.moments.MomentEstimates;
import io.sfumato.mechanism.moments.MomentMechanism;
import io.sfumato.mechanism.moments.MomentShape;
import io.sfumato.mechanism.moments.NoisyMoments;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.schema.MeanRelease;
import io.sfumato.schema.MeanRow;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Says what noisy parts tell of numbers within bounds. */
final class MeanWriter {
  private final MeanSpec spec;
  private final MomentMechanism mechanism;
  private final MomentShape shape;
  private final List<NumberBounds> bounds;

  /**
   * @param bounds one a number
   */
  MeanWriter(PlannedMean planned, List<NumberBounds> bounds) {
    this.spec = planned.spec();
    this.mechanism = planned.plan().mechanism();
    this.shape = spec.shape();
    this.bounds = List.copyOf(bounds);
  }

  /** A draw as an output. */
  MeanRelease write(OutputLabel label, NoisyMoments drawn) {
    MeanRelease release = label.on(new MeanRelease());
    OptionalLong records = drawn.records();
    release.setRecords(records.isPresent() ? (Long) records.getAsLong() : null);
    release.setDeviation(mechanism.noise().deviation() / BernsteinParts.STEPS);
    List<MeanRow> rows = new ArrayList<>();
    for (int group = 0; group < shape.groups(); group++) {
      for (int field = 0; field < shape.fields(); field++) {
        rows.add(row(label, drawn, group, field));
      }
    }
    release.setRows(rows);
    release.setExampleLeftOut(label.exampleLeftOut());
    return release;
  }

  private MeanRow row(OutputLabel label, NoisyMoments drawn, int group, int field) {
    MeasuredValue value = spec.values().get(field);
    NumberBounds within = bounds.get(field);
    MomentEstimates found = MomentEstimates.of(mechanism, drawn, group, field, within);
    List<Double> parts = new ArrayList<>();
    for (int k = mechanism.sensitivity().firstPart(); k < shape.parts(); k++) {
      parts.add(drawn.of(group, field, k) / (double) BernsteinParts.STEPS);
    }
    MeanRow row = new MeanRow();
    row.setCategory(
        spec.isByCategory() ? label.pipeline().input().allCategories().get(group) : null);
    row.setValue(value.name());
    row.setLowest(within.lo());
    row.setHighest(within.hi());
    row.setCount(written(found.count()));
    row.setSum(written(found.sum()));
    row.setMean(written(found.mean()));
    row.setVariance(found.variance().map(MeanWriter::written).orElse(null));
    row.setSpread(found.deviation().map(MeanWriter::written).orElse(null));
    row.setParts(parts);
    return row;
  }

  private static io.sfumato.schema.Estimate written(Estimate estimate) {
    return new io.sfumato.schema.Estimate(estimate.value(), estimate.low(), estimate.high());
  }
}
