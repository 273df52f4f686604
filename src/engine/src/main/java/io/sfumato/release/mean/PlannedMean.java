// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.moments.PartsError;
import io.sfumato.inference.Inference;
import io.sfumato.inference.Likelihood;
import io.sfumato.inference.MomentLikelihood;
import io.sfumato.inference.ReleaseInference;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.mechanism.moments.MomentQuery;
import io.sfumato.modeller.PseudoData;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.GridLossChecker;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.PrivacyRationale;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * Means.
 *
 * @param spec of the file
 * @param plan the candidate with the narrowest intervals
 * @param candidates the plans among which the method chose, at least one
 */
public record PlannedMean(
    MeanSpec spec,
    Calibrated<GridMeasurement<MomentQuery>> plan,
    List<Calibrated<GridMeasurement<MomentQuery>>> candidates)
    implements PlannedRelease {
  public PlannedMean {
    candidates = List.copyOf(candidates);
  }

  @Override
  public void digest(CanonicalEncoder digest) {
    digest.text("mean");
    if (spec.isOpen()) {
      digest.text("auto").number(spec.moments());
      spec.openRules().forEach(rule -> digest.text(rule.canonical()));
    } else {
      digest.text(spec.rule().canonical());
    }
  }

  /** A category's means say nothing to simulators of numbers alone. */
  @Override
  public boolean hasLikelihood() {
    return !spec.isByCategory();
  }

  /**
   * What a release says of the records' law.
   *
   * @param within bounds that it went by, in the order of the file's numbers
   */
  MomentLikelihood likelihood(List<NumberBounds> within, double[] sums, OptionalLong records) {
    GridMeasurement<MomentQuery> mechanism = plan.mechanism();
    return new MomentLikelihood(
        IntStream.range(0, within.size())
            .mapToObj(
                i -> new MomentLikelihood.Measured(spec.values().get(i).place(), within.get(i)))
            .toList(),
        spec.moments(),
        spec.dimensions(),
        mechanism.query().way().firstPart(),
        sums,
        mechanism.noise(),
        records);
  }

  @Override
  public Optional<Inference> inference(Pipeline pipeline) {
    return hasLikelihood() && !spec.isOpen()
        ? Optional.of(
            new ReleaseInference(
                (int) Math.min(Integer.MAX_VALUE, spec.planSize()), this::released))
        : Optional.empty();
  }

  private Likelihood released(PseudoData window, KeyedRandom random) {
    NoisyVector drawn = plan.mechanism().distribution(sums(window)).draw(random);
    double[] sums =
        Arrays.stream(drawn.values())
            .mapToDouble(steps -> steps / (double) BernsteinParts.STEPS)
            .toArray();
    List<NumberBounds> within = spec.values().stream().map(MeasuredValue::planned).toList();
    return likelihood(within, sums, drawn.records());
  }

  private ExactVector sums(PseudoData window) {
    if (!(window instanceof PseudoData.Numbers numbers)
        || numbers.dimensions() != spec.dimensions()) {
      throw new IllegalArgumentException(
          "the output '%s' is about records of %d numbers: take a simulator that gives them"
              .formatted(spec.name(), spec.dimensions()));
    }
    long[] sums = new long[spec.shape().size()];
    for (double[] row : numbers.rows()) {
      spec.rule().add(0, row, (place, amount) -> sums[place] += amount);
    }
    return new ExactVector(sums);
  }

  /** At the plan's size. */
  MeanErrors errors() {
    return new MeanErrors(spec, PartsError.of(plan.mechanism()), spec.planSize());
  }

  @Override
  public PrivacyRationale rationale(Pipeline pipeline) {
    return PrivacyRationale.of(
        spec.summarised(),
        pipeline.population(),
        MeanSpec.NUMBERS,
        PrivacyRationale.DISCRETE_NOISE);
  }

  @Override
  public Facts facts(Pipeline pipeline) {
    return new MeanReport(pipeline, this).facts();
  }

  @Override
  public Optional<Facts> onExample(double[][] rows) {
    return spec.isOpen()
        ? Optional.empty()
        : Optional.of(new ClippingReport(errors(), rows).facts());
  }

  @Override
  public Caps caps(Pipeline pipeline) {
    return MeanWriter.caps(spec, pipeline);
  }

  @Override
  public Optional<ReleaseSampler> sampler(Pipeline pipeline) {
    return Optional.of(spec.isOpen() ? OpenMeanSampler.of(this, pipeline) : new MeanSampler(this));
  }

  @Override
  public LossChecker<?> lossChecker() {
    GridLossChecker checker = new GridLossChecker(plan.mechanism());
    return spec.isOpen() ? new OpenJudge(checker) : checker;
  }
}
