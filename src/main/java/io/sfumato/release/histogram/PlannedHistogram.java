// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.HistogramPlan;
import io.sfumato.mechanism.Planned;
import io.sfumato.noise.Framing;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.Footprint.Part;
import io.sfumato.pipeline.OutputBytes;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseReport;
import io.sfumato.pipeline.WindowJudge;
import java.util.List;
import java.util.Optional;

/**
 * A histogram release.
 *
 * @param spec of the file
 * @param best the candidate with the least expected KL
 * @param candidates the plans among which the method chose, at least one
 */
public record PlannedHistogram(
    HistogramSpec spec, HistogramPlan best, List<HistogramPlan> candidates)
    implements PlannedRelease {
  @Override
  public Planned<HistogramMechanism> plan() {
    return best.planned();
  }

  @Override
  public void digest(Framing digest) {
    digest.text(spec.output().canonical()).text(spec.postProcessing().word());
  }

  @Override
  public ReleaseReport report(Pipeline pipeline) {
    return new HistogramReport(pipeline, this);
  }

  @Override
  public List<Part> size(OutputBytes out, Pipeline pipeline) {
    out.whole("records")
        .list("categories")
        .list("probabilities")
        .list("counts")
        .list("error_95")
        .decimal("example_left_out");
    boolean counted = spec.output() instanceof HistogramSpec.Output.Counts;
    long each = (counted ? out.ofWhole() : out.ofDecimal()) + out.ofDecimal();
    return List.of(out.ofCategories(pipeline.input(), each));
  }

  @Override
  public Optional<Drawer> drawer(Pipeline pipeline) {
    return Optional.of(new HistogramDrawer(this, pipeline.population().isPresent()));
  }

  @Override
  public DrawJudge<Histogram> judge() {
    return new WindowJudge<>(Histogram::counts);
  }
}
