// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.HistogramDensity;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.estimate.additive.CountDensity;
import io.sfumato.estimate.history.ReleaseHistory;
import io.sfumato.inference.HistogramLikelihood;
import io.sfumato.inference.Inference;
import io.sfumato.inference.ReleaseInference;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.additive.NoisyHistogram;
import io.sfumato.modeller.PseudoData;
import io.sfumato.pipeline.Bytes;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.FieldLimits;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.PrivacyRationale;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.SizeBound;
import io.sfumato.pipeline.SizeBound.Part;
import io.sfumato.pipeline.WindowLossChecker;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
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
  private static final PrivacyRationale.Source DIRICHLET =
      new PrivacyRationale.Source(
          "Theorem A (Rényi), Theorem B (exact, one record), Theorem C (users): a draw of a"
              + " Dirichlet distribution",
          "Ponnoprat, Dirichlet Mechanism for Differentially Private KL Divergence Minimization,"
              + " TMLR 2023",
          "theory/dirichlet.md#dirichlet-mechanism");
  private static final String DRAWN_IN_FLOATING_POINT =
      "Its probabilities are drawn in floating point and rounded to multiples of 2^-40: there is no"
          + " proof against attacks on the low bits of gamma draws ('output: counts' has none).";

  @Override
  public Calibrated<HistogramMechanism> plan() {
    return best.planned();
  }

  @Override
  public void digest(CanonicalEncoder digest) {
    digest
        .text(spec.output().canonical())
        .text(spec.usesHistory() ? HistogramReader.HISTORY : spec.postProcessing().word());
  }

  @Override
  public boolean hasLikelihood() {
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
  private HistogramDensity density(Histogram counts, long records, KeyedRandom random) {
    return spec.usesHistory()
        ? CountDensity.of(
            noisy().counts().distribution(ExactVector.byCategory(counts)).draw(random).values(),
            noisy().noise(),
            noisy().sizeIsPublic() ? OptionalLong.of(records) : OptionalLong.empty())
        : best.accuracy().density(plan().mechanism().distribution(counts).draw(random), records);
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
  public PrivacyRationale rationale(Pipeline pipeline) {
    String shares =
        spec.usesHistory()
            ? "the share of each category among the records, estimated also from earlier "
                + "releases, and the noisy counts behind it"
            : "the share of each category among the records";
    return plan().mechanism().method().equals("dirichlet")
        ? PrivacyRationale.of(shares, pipeline.population(), DIRICHLET).but(DRAWN_IN_FLOATING_POINT)
        : PrivacyRationale.of(
            shares,
            pipeline.population(),
            PrivacyRationale.DISCRETE_NOISE,
            PrivacyRationale.POST_PROCESSING);
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
  public Optional<ReleaseSampler> sampler(Pipeline pipeline) {
    return Optional.of(
        spec.usesHistory()
            ? new LearningSampler(this, pipeline.window().grid())
            : new HistogramSampler(this));
  }

  /** What a subject's earlier releases come to. */
  @Override
  public List<SizeBound> rows(Pipeline pipeline) {
    if (!spec.usesHistory()) {
      return List.of();
    }
    int categories = pipeline.input().allCategories().size();
    long fixed = Bytes.text(spec.memory()) + FieldLimits.SUBJECT + ReleaseHistory.bytes(0);
    Part part =
        new Part(
            "input.categories",
            categories,
            ReleaseHistory.bytes(categories) - ReleaseHistory.bytes(0),
            "'%s' without 'post-processing: history'".formatted(spec.name()));
    return List.of(new SizeBound(SizeBound.Kind.ROW, "running-store", fixed, List.of(part)));
  }

  @Override
  public LossChecker<?> lossChecker() {
    return spec.usesHistory()
        ? new WindowLossChecker<>(ExactVector::values)
        : new WindowLossChecker<>(Histogram::counts);
  }
}
