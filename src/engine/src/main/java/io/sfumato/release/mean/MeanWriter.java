// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.estimate.moments.MomentEstimates;
import io.sfumato.estimate.moments.NoisyMoments;
import io.sfumato.estimate.moments.PartsError;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.mechanism.moments.MomentQuery;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.EstimateFields;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.schema.MeanRelease;
import io.sfumato.schema.MeanRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Says what noisy parts tell of numbers within bounds.
 *
 * @param spec of the file
 * @param bounds one a number
 */
record MeanWriter(MeanSpec spec, List<NumberBounds> bounds) {
  MeanWriter {
    bounds = List.copyOf(bounds);
  }

  /** Within the bounds of the file. */
  static MeanWriter of(MeanSpec spec) {
    return new MeanWriter(spec, spec.values().stream().map(MeasuredValue::planned).toList());
  }

  /**
   * What is told of several windows.
   *
   * @param since start of the first one
   * @param windows how many there are
   * @param error of its parts
   * @param moments noisy parts
   */
  record Told(long since, long windows, PartsError error, NoisyMoments moments) {
    private Instant begin() {
      return Instant.ofEpochMilli(since);
    }
  }

  /** A draw of one window as an output. */
  MeanRelease write(OutputLabel label, GridMeasurement<MomentQuery> mechanism, NoisyMoments drawn) {
    return write(label, PartsError.of(mechanism), drawn);
  }

  private MeanRelease write(OutputLabel label, PartsError error, NoisyMoments drawn) {
    MeanRelease release = label.on(new MeanRelease());
    release.setRecords(records(drawn));
    release.setDeviation(deviation(error));
    release.setRows(rows(label, error, drawn));
    release.setExampleLeftOut(label.exampleLeftOut());
    return release;
  }

  /**
   * Sums over windows as an output.
   *
   * @param own running, or the window's own
   * @param last those of the last windows, where the file asks for them
   */
  MeanRelease write(OutputLabel label, Told own, Optional<Told> last) {
    MeanRelease release = write(label, own.error(), own.moments());
    if (spec.over().running().isPresent()) {
      release.setSince(own.begin());
      release.setWindows(own.windows());
    }
    last.ifPresent(
        told -> {
          release.setLastSince(told.begin());
          release.setLastWindows(told.windows());
          release.setLastRecords(records(told.moments()));
          release.setLastDeviation(deviation(told.error()));
          release.setLastRows(rows(label, told.error(), told.moments()));
        });
    return release;
  }

  private static Long records(NoisyMoments moments) {
    OptionalLong records = moments.records();
    return records.isPresent() ? (Long) records.getAsLong() : null;
  }

  private static double deviation(PartsError error) {
    return error.noise().deviation() / BernsteinParts.STEPS;
  }

  private List<MeanRow> rows(OutputLabel label, PartsError error, NoisyMoments drawn) {
    List<MeanRow> rows = new ArrayList<>();
    for (int group = 0; group < drawn.shape().groups(); group++) {
      for (int field = 0; field < drawn.shape().fields(); field++) {
        MeanRow row = row(error, drawn, group, field);
        row.setCategory(
            spec.isByCategory() ? label.pipeline().input().allCategories().get(group) : null);
        rows.add(row);
      }
    }
    return rows;
  }

  private MeanRow row(PartsError error, NoisyMoments drawn, int group, int field) {
    NumberBounds within = bounds.get(field);
    MomentEstimates found = MomentEstimates.of(error, drawn, group, field, within);
    List<Double> parts = new ArrayList<>();
    for (int k = error.sensitivity().firstPart(); k < drawn.shape().parts(); k++) {
      parts.add(drawn.of(group, field, k) / (double) BernsteinParts.STEPS);
    }
    MeanRow row = new MeanRow();
    row.setValue(spec.values().get(field).name());
    row.setLowest(within.lo());
    row.setHighest(within.hi());
    row.setCount(EstimateFields.of(found.count()));
    row.setSum(EstimateFields.of(found.sum()));
    row.setMean(EstimateFields.of(found.mean()));
    row.setVariance(found.variance().map(EstimateFields::of).orElse(null));
    row.setSpread(found.deviation().map(EstimateFields::of).orElse(null));
    row.setParts(parts);
    return row;
  }

  /** The largest output. */
  static Caps caps(MeanSpec spec, Pipeline pipeline) {
    List<String> values = spec.values().stream().map(MeasuredValue::name).toList();
    List<String> categories = spec.isByCategory() ? pipeline.input().allCategories() : List.of("");
    Caps caps =
        spec.isByCategory()
            ? new Caps().setting("input.categories", categories.size())
            : new Caps().setting("values", values.size());
    for (String list : List.of("rows", "last_rows")) {
      boolean isTold = list.equals("rows") || spec.over().last().isPresent();
      caps.items(list, isTold ? categories.size() * values.size() : 0)
          .texts(list + ".category", categories)
          .texts(list + ".value", values)
          .items(list + ".parts", spec.moments() + 1);
    }
    return caps;
  }
}
