// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.partitionselection.CountInterval;
import io.sfumato.estimate.partitionselection.SelectionCalibrator;
import io.sfumato.mechanism.partitionselection.DiscoveryMechanism;
import io.sfumato.mechanism.partitionselection.NameCount;
import io.sfumato.mechanism.partitionselection.NoisyName;
import io.sfumato.mechanism.partitionselection.UnlistedCount;
import io.sfumato.pipeline.Bytes;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.FieldLimits;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.NameSampler;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.PrivacyRationale;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.SizeBound;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.schema.CountedName;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Names.
 *
 * @param spec of the file
 * @param plan the noise and the threshold
 * @param found how the share's delta was divided between them
 */
public record PlannedNames(
    NamesSpec spec, Calibrated<DiscoveryMechanism> plan, SelectionCalibrator.Found found)
    implements PlannedRelease, PlannedLists, FoundIntervals {
  private static final long OPEN_WINDOWS = 64 + RunningNamesSampler.MOST_WAITING;

  /** The best of a file; nothing if the share affords none. */
  static Optional<PlannedRelease> of(NamesSpec spec) {
    return SelectionCalibrator.best(
            Stream.of(
                    spec.noise() == NamesSpec.Noise.LAPLACE
                        ? Optional.<SelectionCalibrator.Found>empty()
                        : SelectionCalibrator.gaussian(spec.request(), spec.bounds(), spec.rest()),
                    spec.noise() == NamesSpec.Noise.GAUSSIAN
                        ? Optional.<SelectionCalibrator.Found>empty()
                        : SelectionCalibrator.laplace(spec.request(), spec.bounds(), spec.rest()))
                .flatMap(Optional::stream))
        .map(found -> new PlannedNames(spec, found.planned(spec.request()), found));
  }

  /** Counts are published as whole numbers: either end is that of the end of what is rounded. */
  @Override
  public CountInterval of(CountedName name, double side) {
    return new CountInterval(
        passed(name.getCount(), -1, side).low(), passed(name.getCount(), 1, side).high());
  }

  @Override
  public SumIntervals sums() {
    return new WindowSums(this);
  }

  private CountInterval passed(long count, int halves, double side) {
    DiscoveryMechanism mechanism = plan.mechanism();
    int digits = mechanism.noise().digits();
    long one = 1L << digits;
    long steps = Math.max(mechanism.threshold().least() * one, count * one + halves * one / 2);
    return CountInterval.ofPassed(
        mechanism.noise(), mechanism.threshold(), new NoisyName(steps, digits), side);
  }

  @Override
  public void digest(CanonicalEncoder digest) {
    digest.text("names").number(spec.most()).number(spec.forget().orElse(0));
    if (spec.rest() == UnlistedCount.COUNTED) {
      digest.text("and the rest");
    }
  }

  @Override
  public BigDecimal deltaBesides() {
    return found.thresholdDelta();
  }

  @Override
  public PrivacyRationale rationale(Pipeline pipeline) {
    return PrivacyRationale.of(
        "which names enough users have, with noisy counts"
            + (spec.rest() == UnlistedCount.COUNTED
                ? ", and how many records had other names"
                : ""),
        pipeline.population(),
        PrivacyRationale.NAMES,
        PrivacyRationale.DISCRETE_NOISE);
  }

  @Override
  public Facts facts(Pipeline pipeline) {
    return new NamesReport(pipeline, this).facts();
  }

  @Override
  public Caps caps(Pipeline pipeline) {
    return NamesWriter.caps();
  }

  @Override
  public List<SizeBound> rows(Pipeline pipeline) {
    return List.of(row(0));
  }

  /** A name's counts in windows that are open or to be decided: few. */
  static SizeBound row(long memory) {
    long bytes =
        1
            + Bytes.text(FieldLimits.SUBJECT)
            + FieldLimits.NAME
            + 1
            + Bytes.UNSIGNED
            + OPEN_WINDOWS * (Bytes.SIGNED + Bytes.UNSIGNED)
            + 1
            + 5L * Bytes.SIGNED
            + memory;
    return new SizeBound(SizeBound.Kind.ROW, "name-store", bytes, List.of());
  }

  @Override
  public Optional<ReleaseSampler> sampler(Pipeline pipeline) {
    return Optional.empty();
  }

  @Override
  public Optional<NameSampler> names(Pipeline pipeline) {
    return Optional.of(new NamesSampler(this, pipeline));
  }

  @Override
  public LossChecker<NameCount> lossChecker() {
    return new NamesLossChecker(
        plan.mechanism(),
        spec.bounds(),
        spec.rest(),
        SelectionCalibrator.chance(found.thresholdDelta(), spec.horizon()));
  }
}
