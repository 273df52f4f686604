// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.estimate.quantile.QuantileEstimate;
import io.sfumato.estimate.quantile.QuantileEstimate.Place;
import io.sfumato.estimate.quantile.QuantileEstimates.Told;
import io.sfumato.pipeline.EstimateFields;
import io.sfumato.pipeline.Footprint.Part;
import io.sfumato.pipeline.OutputBytes;
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
  List<Part> size(OutputBytes out, Pipeline pipeline) {
    out.text("value", spec.value())
        .decimal("lowest")
        .decimal("highest")
        .whole("bins")
        .text("scale", Scales.word(spec.bins().scale()))
        .whole("records")
        .list("quantiles")
        .list("categories")
        .decimal("example_left_out");
    EstimateFields.size(out, "count");
    long estimate = EstimateFields.size(out);
    long each = out.ofDecimal() + estimate + out.ofTruth() + out.ofFields("of", "at", "clipped");
    int count = spec.quantiles().size();
    Part together = Part.of("of", count, count * each);
    if (!spec.isByCategory()) {
      return List.of(together);
    }
    long category =
        out.ofFields("category", "count", "quantiles") + estimate + out.ofList() + count * each;
    List<String> categories = pipeline.input().allCategories();
    return List.of(
        together,
        new Part(
            "input.categories",
            categories.size(),
            out.ofTexts(categories) + category * categories.size(),
            "ask for fewer quantiles ('of')"));
  }
}
