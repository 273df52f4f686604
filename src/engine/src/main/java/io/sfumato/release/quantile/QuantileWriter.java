// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.estimate.quantile.QuantileEstimate;
import io.sfumato.estimate.quantile.QuantileEstimate.Place;
import io.sfumato.estimate.quantile.QuantileEstimates.Told;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.EstimateFields;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.schema.Estimate;
import io.sfumato.schema.Quantile;
import io.sfumato.schema.QuantileRelease;
import io.sfumato.schema.QuantileRow;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Says what noisy bins tell.
 *
 * @param spec of the file
 */
record QuantileWriter(QuantileSpec spec) {
  /** What is told of all records together. */
  QuantileRelease write(OutputLabel label, OptionalLong records, Told told) {
    QuantileRelease release = label.on(new QuantileRelease());
    release.setValue(spec.value());
    release.setLowest(spec.bins().edge(0));
    release.setHighest(spec.bins().edge(spec.bins().number()));
    release.setBins(spec.bins().number());
    release.setScale(Scales.word(spec.bins().scale()));
    release.setRecords(records.isPresent() ? (Long) records.getAsLong() : null);
    release.setCount(EstimateFields.of(told.count()));
    release.setQuantiles(quantiles(told));
    release.setExampleLeftOut(label.exampleLeftOut());
    return release;
  }

  /** What is told of each category. */
  List<QuantileRow> categories(OutputLabel label, List<Told> each) {
    List<String> names = label.pipeline().input().allCategories();
    List<QuantileRow> categories = new ArrayList<>();
    for (int i = 0; i < each.size(); i++) {
      Told told = each.get(i);
      categories.add(
          new QuantileRow(names.get(i), EstimateFields.of(told.count()), quantiles(told)));
    }
    return categories;
  }

  private static List<Quantile> quantiles(Told told) {
    return told.quantiles().stream().map(QuantileWriter::written).toList();
  }

  private static Quantile written(QuantileEstimate estimate) {
    boolean clipped = estimate.place() != Place.BETWEEN;
    return new Quantile(
        estimate.q(),
        new Estimate(
            estimate.value(), estimate.low(), estimate.high(), clipped, estimate.unknown()),
        clipped);
  }

  /** The largest output. */
  Caps caps(Pipeline pipeline) {
    int quantiles = spec.quantiles().size();
    List<String> categories = spec.isByCategory() ? pipeline.input().allCategories() : List.of();
    return new Caps()
        .text("value", spec.value())
        .text("scale", Scales.word(spec.bins().scale()))
        .setting("of", quantiles)
        .items("quantiles", quantiles)
        .setting("input.categories", categories.size(), "ask for fewer quantiles ('of')")
        .items("categories", categories.size())
        .texts("categories.category", categories)
        .items("categories.quantiles", quantiles);
  }
}
