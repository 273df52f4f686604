// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.moments.RunningMoments;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.continual.RunningSums;
import io.sfumato.mechanism.moments.DrawnParts;
import io.sfumato.mechanism.moments.MomentSensitivity;
import io.sfumato.pipeline.Bytes;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.PrivacyRationale;
import io.sfumato.pipeline.RecordAggregation;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.RowsLossChecker;
import io.sfumato.pipeline.RunningFootprint;
import io.sfumato.pipeline.SizeBound;
import io.sfumato.pipeline.SizeBound.Part;
import io.sfumato.random.CanonicalEncoder;
import java.util.List;
import java.util.Optional;

/**
 * Means over windows, each of which draws a row of every part.
 *
 * @param spec of the file: running, of the last windows, or both
 * @param plan the noise
 * @param window how far one window's own parts are moved
 */
public record PlannedRunningMean(
    MeanSpec spec, Calibrated<RunningMechanism> plan, MomentSensitivity window)
    implements PlannedRelease {
  /** So many windows of means without an end are looked at, where an error is told for all. */
  static final int LOOKED_AT = 1024;

  /** Whether it has Laplace noise, on each window's own parts. */
  boolean isLaplace() {
    return plan.mechanism().method().equals("laplace");
  }

  @Override
  public void digest(CanonicalEncoder digest) {
    digest.text("mean").text(spec.rule().canonical());
    spec.over().digest(digest);
  }

  /** What parts are drawn as. */
  RunningMoments moments() {
    return new RunningMoments(plan.mechanism(), window);
  }

  /** Which parts are drawn. */
  public DrawnParts parts() {
    return new DrawnParts(spec.shape(), window.firstPart());
  }

  /**
   * Root mean square error, over the windows that it is about, of what means are made of; of the
   * last windows where means do not run.
   */
  double error() {
    return spec.over().running().isPresent()
        ? moments().rootMeanSquare(spec.over().until().orElse(LOOKED_AT))
        : moments().deviation(LOOKED_AT, spec.over().last().orElse(1));
  }

  /** At the plan's size of every window, of so many last ones. */
  MeanErrors errors(long windows, long last) {
    return new MeanErrors(
        spec, moments().error(windows, last), Math.multiplyExact(last, spec.planSize()));
  }

  /** Of the longest stretch that the file speaks of. */
  MeanErrors errors() {
    int windows = spec.over().until().orElse(LOOKED_AT);
    return spec.over().running().isPresent()
        ? errors(windows, windows)
        : errors(LOOKED_AT, spec.over().last().orElse(1));
  }

  @Override
  public PrivacyRationale rationale(Pipeline pipeline) {
    return isLaplace()
        ? PrivacyRationale.of(
            spec.summarised() + ", over several windows",
            pipeline.population(),
            MeanSpec.NUMBERS,
            PrivacyRationale.DISCRETE_NOISE)
        : PrivacyRationale.of(
            spec.summarised() + ", over several windows",
            pipeline.population(),
            MeanSpec.NUMBERS,
            PrivacyRationale.ROOT,
            PrivacyRationale.WINDOW_SUMS,
            PrivacyRationale.DISCRETE_NOISE);
  }

  @Override
  public Facts facts(Pipeline pipeline) {
    return new RunningMeanReport(pipeline, this).facts();
  }

  @Override
  public Optional<Facts> onExample(double[][] rows) {
    return Optional.of(new ClippingReport(errors(), rows).facts());
  }

  @Override
  public Caps caps(Pipeline pipeline) {
    return MeanWriter.caps(spec, pipeline);
  }

  @Override
  public List<SizeBound> rows(Pipeline pipeline) {
    RecordAggregation.Setting setting = spec.rule().setting();
    int keep = spec.over().last().orElse(1);
    SizeBound rows =
        RunningFootprint.of(
            spec.name(),
            plan.charge().mechanism(),
            told(),
            mostBins(),
            keep,
            parts().size(),
            setting.name(),
            "a smaller 'running' or 'over' of '%s'%s"
                .formatted(spec.name(), spec.isByCategory() ? ", or its 'by: total'" : ""));
    long records = window.sizeIsPublic() ? Bytes.UNSIGNED * (keep + 1L) : 0;
    return List.of(
        new SizeBound(
            rows.kind(),
            rows.name(),
            rows.fixed() + 1 + Bytes.UNSIGNED + records,
            rows.parts().stream()
                .map(
                    sums ->
                        new Part(sums.setting(), setting.count(), sums.bytes(), sums.otherwise()))
                .toList()));
  }

  /** What sums over windows are of, and who pays for them: states hang on this text. */
  public String told() {
    return spec.rule().canonical() + ", share " + spec.share().ledger();
  }

  /** Most bins that a subject's past is kept in. */
  public int mostBins() {
    return RunningSums.mostBins(plan.mechanism().coefficients(), spec.over().most());
  }

  @Override
  public Optional<ReleaseSampler> sampler(Pipeline pipeline) {
    return Optional.of(new RunningMeanSampler(this, pipeline.window().grid()));
  }

  @Override
  public LossChecker<?> lossChecker() {
    return new RowsLossChecker(plan.mechanism());
  }
}
