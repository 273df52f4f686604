// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.examples.maximum;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.count.CountQuery;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.ReleaseKind;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.UnplannableException;
import io.sfumato.rows.Column;
import io.sfumato.rows.Column.Style;
import io.sfumato.rows.Group;
import io.sfumato.rows.NoiseScope;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.OutputRows;
import io.sfumato.rows.Quantity;
import io.sfumato.rows.Reading;
import io.sfumato.text.ControlCharEscaper;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** A kind of release of somebody else's: which category is the most frequent. */
public final class MaximumKind implements ReleaseKind {
  @Override
  public String word() {
    return "maximum";
  }

  @Override
  public ReleaseSpec read(ReleaseFields release) {
    return new Spec(
        release.head(),
        release
            .population()
            .map(users -> Sensitivity.addOrRemove(users.records()))
            .orElseGet(Sensitivity::replaceOne));
  }

  @Override
  public List<OutputView> outputs() {
    return List.of(new View());
  }

  private record Spec(Head head, Sensitivity sensitivity) implements ReleaseSpec {
    @Override
    public PlannedRelease plan() throws UnplannableException {
      return new PlannedMaximum(
          this,
          VectorCalibrator.laplaceWindows(head.request(), new CountQuery(), sensitivity)
              .orElseThrow(head::cannotAfford));
    }
  }

  /** Noise on every count is charged; the place of the largest is post-processing. */
  private record PlannedMaximum(Spec spec, Calibrated<CountMeasurement<CountQuery>> plan)
      implements PlannedRelease {
    @Override
    public Facts facts(Pipeline pipeline) {
      return Facts.of("maximum", spec)
          .share(this)
          .row("error")
          .say(
              "a category that leads by %d or more is named in 95 of 100 releases",
              2 * plan.mechanism().noise().halfWidth(1));
    }

    @Override
    public Caps caps(Pipeline pipeline) {
      return new Caps()
          .setting("input.categories", 1)
          .oneOf("category", pipeline.input().allCategories());
    }

    @Override
    public Optional<ReleaseSampler> sampler(Pipeline pipeline) {
      return Optional.of(
          (windowStart, data, memory) ->
              ReleaseSampler.Prepared.of(
                  plan.mechanism(),
                  data.map(window -> ExactVector.byCategory(window.histogram().orElseThrow())),
                  MaximumKind::written));
    }
  }

  private static MaximumRelease written(OutputLabel label, NoisyVector counts) {
    int largest = 0;
    for (int i = 1; i < counts.size(); i++) {
      largest = counts.of(i) > counts.of(largest) ? i : largest;
    }
    MaximumRelease release = label.on(new MaximumRelease());
    release.put("category", label.pipeline().input().allCategories().get(largest));
    return release;
  }

  private static final class View implements OutputView {
    private static final String LARGEST = "largest";

    @Override
    public Schema schema() {
      return MaximumRelease.SCHEMA$;
    }

    @Override
    public List<OutputRow> rows(IndexedRecord output, Optional<PlannedRelease> planned) {
      MaximumRelease release = (MaximumRelease) output;
      return OutputRows.of(output)
          .sharing(NoiseScope.WINDOW)
          .drawn(Group.category(release.category()), LARGEST, Quantity.of(true))
          .all();
    }

    @Override
    public Reading reading(IndexedRecord output) {
      MaximumRelease release = (MaximumRelease) output;
      return Reading.headline(
          "mostly " + ControlCharEscaper.of(release.category()),
          Column.of(LARGEST, "", Style.WORDS).worded("mostly").in(Column.Place.CARD));
    }
  }
}
