// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.inference.HistogramLikelihood;
import io.sfumato.inference.Inference;
import io.sfumato.inference.ReleaseInference;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.HistogramPlan;
import io.sfumato.mechanism.Planned;
import io.sfumato.modeller.PseudoData;
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
  public boolean canBeAsked() {
    return true;
  }

  @Override
  public Optional<Inference> inference(Pipeline pipeline) {
    HistogramMechanism mechanism = plan().mechanism();
    long records = Math.max(1, Math.round(spec.model().size()));
    int categories = spec.model().shares().size();
    return Optional.of(
        new ReleaseInference(
            (int) Math.min(Integer.MAX_VALUE, records),
            (window, random) ->
                mechanism
                    .density(mechanism.law(counts(window, categories)).draw(random), records)
                    .map(density -> new HistogramLikelihood(density, categories))
                    .orElseThrow(
                        () ->
                            new IllegalArgumentException(
                                "no density is known of the output '" + spec.name() + "'"))));
  }

  private Histogram counts(PseudoData window, int categories) {
    if (window instanceof PseudoData.Counts counts && counts.byCategory().length == categories) {
      return new Histogram(counts.byCategory());
    }
    throw new IllegalArgumentException(
        "the output '%s' is about %d categories: take event-rates"
            .formatted(spec.name(), categories));
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
