// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.mechanism.Planned;
import io.sfumato.mechanism.moments.MomentMechanism;
import io.sfumato.mechanism.moments.MomentSums;
import io.sfumato.noise.Framing;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.Footprint.Part;
import io.sfumato.pipeline.GridJudge;
import io.sfumato.pipeline.OutputBytes;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseReport;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Means.
 *
 * @param spec of the file
 * @param plan the candidate with the narrowest intervals
 * @param candidates the plans among which the method chose, at least one
 */
public record PlannedMean(
    MeanSpec spec, Planned<MomentMechanism> plan, List<Planned<MomentMechanism>> candidates)
    implements PlannedRelease {
  /** An estimate: three numbers in a record of its own. */
  private static final String[] ESTIMATE = {"value", "low", "high"};

  public PlannedMean {
    candidates = List.copyOf(candidates);
  }

  @Override
  public void digest(Framing digest) {
    digest.text("mean");
    if (spec.isOpen()) {
      digest.text("auto").number(spec.moments());
      spec.openRules().forEach(rule -> digest.text(rule.canonical()));
    } else {
      digest.text(spec.rule().canonical());
    }
  }

  @Override
  public ReleaseReport report(Pipeline pipeline) {
    return new MeanReport(pipeline, this);
  }

  @Override
  public Optional<ReleaseReport> onExample(double[][] rows) {
    return spec.isOpen() ? Optional.empty() : Optional.of(new ClippingReport(this, rows));
  }

  @Override
  public List<Part> size(OutputBytes out, Pipeline pipeline) {
    out.whole("records").decimal("deviation").list("rows").decimal("example_left_out");
    int parts = spec.moments() + 1;
    long estimate = 3 * out.ofDecimal() + out.ofFields(ESTIMATE);
    long row =
        out.ofFields(
                "category",
                "value",
                "lowest",
                "highest",
                "count",
                "sum",
                "mean",
                "variance",
                "spread",
                "parts")
            + 2 * out.ofDecimal()
            + 5 * (1 + estimate)
            + out.ofList()
            + parts * out.ofDecimal();
    long names =
        out.ofTexts(spec.values().stream().map(MeasuredValue::name).toList())
            + row * spec.values().size();
    if (!spec.isByCategory()) {
      return List.of(Part.of("values", spec.values().size(), names + out.ofText("null")));
    }
    List<String> categories = pipeline.input().allCategories();
    return List.of(
        Part.of(
            "input.categories",
            categories.size(),
            names * categories.size() + spec.values().size() * out.ofTexts(categories)));
  }

  @Override
  public Optional<Drawer> drawer(Pipeline pipeline) {
    return Optional.of(spec.isOpen() ? OpenMeanDrawer.of(this, pipeline) : new MeanDrawer(this));
  }

  @Override
  public DrawJudge<?> judge() {
    GridJudge<MomentSums> judge =
        new GridJudge<>(
            sums -> drawn(sums, plan.mechanism().sensitivity().firstPart()),
            plan.mechanism().sensitivity().moved());
    return spec.isOpen() ? new OpenJudge(judge) : judge;
  }

  /** The sums that have noise of their own: without the first of each number where that follows. */
  private long[] drawn(MomentSums sums, int from) {
    long[] steps = sums.steps();
    int parts = spec.moments() + 1;
    return IntStream.range(0, steps.length)
        .filter(i -> i % parts >= from)
        .mapToLong(i -> steps[i])
        .toArray();
  }
}
