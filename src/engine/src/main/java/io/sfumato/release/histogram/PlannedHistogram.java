// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.estimate.HistogramDensity;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.estimate.Planned;
import io.sfumato.estimate.additive.CountDensity;
import io.sfumato.estimate.history.Past;
import io.sfumato.inference.HistogramLikelihood;
import io.sfumato.inference.Inference;
import io.sfumato.inference.ReleaseInference;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.additive.NoisyHistogram;
import io.sfumato.modeller.PseudoData;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import io.sfumato.pipeline.Basis;
import io.sfumato.pipeline.Bytes;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.FieldLimits;
import io.sfumato.pipeline.Footprint;
import io.sfumato.pipeline.Footprint.Part;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.WindowJudge;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

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
  private static final Basis.Source DIRICHLET =
      new Basis.Source(
          "Theorem A (Rényi), Theorem B (exact, one record), Theorem C (users): a draw of a Dirichlet distribution",
          "Ponnoprat, Dirichlet Mechanism for Differentially Private KL Divergence Minimization, TMLR 2023",
          "the-mechanism");
  private static final String DRAWN_IN_FLOATING_POINT =
      "Its probabilities are drawn in floating point and rounded to multiples of 2^-40: there is no proof against attacks on the low bits of gamma draws ('output: counts' has none).";

  @Override
  public Planned<HistogramMechanism> plan() {
    return best.planned();
  }

  @Override
  public void digest(Framing digest) {
    digest
        .text(spec.output().canonical())
        .text(spec.learns() ? HistogramReader.HISTORY : spec.postProcessing().word());
  }

  @Override
  public boolean canBeAsked() {
    return true;
  }

  @Override
  public Optional<Inference> inference(Pipeline pipeline) {
    long records = Math.max(1, Math.round(spec.model().size()));
    int categories = spec.model().shares().size();
    return Optional.of(
        new ReleaseInference(
            (int) Math.min(Integer.MAX_VALUE, records),
            (window, random) ->
                new HistogramLikelihood(
                    density(counts(window, categories), records, random), categories)));
  }

  /** Of what would be published of a window. */
  private HistogramDensity density(Histogram counts, long records, ReplayableRandom random) {
    return spec.learns()
        ? CountDensity.of(
            noisy().counts().law(ExactVector.byCategory(counts)).draw(random).values(),
            noisy().noise(),
            noisy().sizeIsPublic() ? OptionalLong.of(records) : OptionalLong.empty())
        : best.accuracy().density(plan().mechanism().law(counts).draw(random), records);
  }

  /** What draws noisy counts, where shares learn from them. */
  NoisyHistogram noisy() {
    return (NoisyHistogram) plan().mechanism();
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
  public Basis basis(Pipeline pipeline) {
    String shares =
        spec.learns()
            ? "the share of each category among the records, which learns from what was published before, and the noisy numbers it is made of"
            : "the share of each category among the records";
    return plan().mechanism().method().equals("dirichlet")
        ? Basis.of(shares, pipeline.population(), DIRICHLET).but(DRAWN_IN_FLOATING_POINT)
        : Basis.of(shares, pipeline.population(), Basis.DISCRETE_NOISE, Basis.POST_PROCESSING);
  }

  @Override
  public Facts facts(Pipeline pipeline) {
    return new HistogramReport(pipeline, this).facts();
  }

  @Override
  public Caps caps(Pipeline pipeline) {
    int categories = pipeline.input().allCategories().size();
    boolean counted = spec.output() instanceof HistogramSpec.Output.Counts;
    return new Caps()
        .setting("input.categories", categories, "shorten their names")
        .texts("categories", pipeline.input().allCategories())
        .items("probabilities", counted ? 0 : categories)
        .items("counts", counted ? categories : 0)
        .items("noisy_counts", categories)
        .items("error_95", categories);
  }

  @Override
  public Optional<Drawer> drawer(Pipeline pipeline) {
    return Optional.of(
        spec.learns()
            ? new LearningDrawer(this, pipeline.window().size().toMillis())
            : new HistogramDrawer(this));
  }

  /** What a subject's earlier releases come to. */
  @Override
  public List<Footprint> rows(Pipeline pipeline) {
    if (!spec.learns()) {
      return List.of();
    }
    int categories = pipeline.input().allCategories().size();
    long fixed = Bytes.text(spec.memory()) + FieldLimits.SUBJECT + Past.bytes(0);
    Part part =
        new Part(
            "input.categories",
            categories,
            Past.bytes(categories) - Past.bytes(0),
            "'%s' without 'post-processing: history'".formatted(spec.name()));
    return List.of(new Footprint(Footprint.Kind.ROW, "running-store", fixed, List.of(part)));
  }

  @Override
  public DrawJudge<?> judge() {
    return spec.learns()
        ? new WindowJudge<>(ExactVector::values)
        : new WindowJudge<>(Histogram::counts);
  }
}
