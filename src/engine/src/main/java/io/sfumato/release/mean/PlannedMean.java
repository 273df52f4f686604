// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.estimate.Planned;
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
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import io.sfumato.pipeline.Basis;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.GridJudge;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
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
    Planned<GridMeasurement<MomentQuery>> plan,
    List<Planned<GridMeasurement<MomentQuery>>> candidates)
    implements PlannedRelease {
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

  /** A category's means say nothing to simulators of numbers alone. */
  @Override
  public boolean canBeAsked() {
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
    return canBeAsked() && !spec.isOpen()
        ? Optional.of(
            new ReleaseInference(
                (int) Math.min(Integer.MAX_VALUE, spec.planSize()), this::released))
        : Optional.empty();
  }

  private Likelihood released(PseudoData window, ReplayableRandom random) {
    NoisyVector drawn = plan.mechanism().law(sums(window)).draw(random);
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
  public Basis basis(Pipeline pipeline) {
    return Basis.of(
        spec.summarised(), pipeline.population(), MeanSpec.NUMBERS, Basis.DISCRETE_NOISE);
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
  public Optional<Drawer> drawer(Pipeline pipeline) {
    return Optional.of(spec.isOpen() ? OpenMeanDrawer.of(this, pipeline) : new MeanDrawer(this));
  }

  @Override
  public DrawJudge<?> judge() {
    GridJudge judge = new GridJudge(plan.mechanism());
    return spec.isOpen() ? new OpenJudge(judge) : judge;
  }
}
