// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.LossReport;
import io.sfumato.accounting.LossReport.Counted;
import io.sfumato.accounting.Period;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.accounting.RenyiOrders;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.estimate.SimulatedError;
import io.sfumato.estimate.dirichlet.TailPromise;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.dirichlet.DirichletMechanism;
import io.sfumato.pipeline.Pipeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * All that a plan can say of one release, without touching data.
 *
 * @param one release's loss, by every accountant, at the share's delta
 * @param all releases' loss that the share affords, likewise
 * @param expectedKl of one release under the public plan, in nats
 * @param uniformKl of guessing uniform instead
 * @param errorBars middle 95% of the released share, by planned count
 * @param tailPromise the KL that Theorem 2 promises not to exceed with probability 95%
 * @param alternatives expected KL by method, where the plan chose among them
 * @param warnings what the author of the file should know
 */
public record HistogramFacts(
    LossReport one,
    LossReport all,
    double expectedKl,
    double uniformKl,
    List<ErrorBar> errorBars,
    OptionalDouble tailPromise,
    Map<String, Double> alternatives,
    List<String> warnings) {

  /** Share of the error of guessing uniform above which a release says little. */
  private static final double NEAR_UNIFORM = 0.75;

  /** So much more error is worth a word. */
  private static final double MUCH_LESS = 1.25;

  private static final int MOST_BARS = 6;
  private static final double CONFIDENCE = 0.95;

  /**
   * The middle 95% of what is released for a category with {@code count} of the planned records.
   */
  public record ErrorBar(long count, double share, double low, double high) {}

  /** The facts of a planned release. */
  public static HistogramFacts of(Pipeline pipeline, PlannedHistogram release) {
    HistogramPlan plan = release.best();
    HistogramSpec spec = release.spec();
    double delta = spec.share().delta().roundedDown();
    double uniform = uniformKl(spec);
    Map<String, Double> alternatives = new LinkedHashMap<>();
    if (spec.method() == HistogramSpec.Method.BEST) {
      release.candidates().forEach(c -> alternatives.put(c.mechanism().method(), c.expectedKl()));
    }
    return new HistogramFacts(
        LossReport.of(List.of(new Counted(plan.mechanism().charge(), 1)), delta),
        LossReport.of(List.of(new Counted(plan.mechanism().charge(), plan.releases())), delta),
        plan.expectedKl(),
        uniform,
        errorBars(spec, plan),
        plan.mechanism() instanceof DirichletMechanism dirichlet
            ? TailPromise.of(
                dirichlet.pair(), spec.model().size(), spec.model().shares().size(), CONFIDENCE)
            : OptionalDouble.empty(),
        alternatives,
        warnings(pipeline, release, uniform));
  }

  /** One bar for each planned count, the most different ones if there are many. */
  private static List<ErrorBar> errorBars(HistogramSpec spec, HistogramPlan plan) {
    Histogram histogram = spec.model().histogram();
    double[][] intervals = SimulatedError.intervals(plan.mechanism(), spec.model());
    LinkedHashMap<Long, ErrorBar> byCount = new LinkedHashMap<>();
    for (int i = 0; i < histogram.categories(); i++) {
      long count = histogram.count(i);
      double share = count / (double) histogram.size();
      byCount.putIfAbsent(count, new ErrorBar(count, share, intervals[i][0], intervals[i][1]));
    }
    List<ErrorBar> bars =
        byCount.values().stream().sorted((x, y) -> Long.compare(y.count(), x.count())).toList();
    if (bars.size() <= MOST_BARS) {
      return bars;
    }
    List<ErrorBar> few = new ArrayList<>();
    for (int i = 0; i < MOST_BARS; i++) {
      few.add(bars.get(i * (bars.size() - 1) / (MOST_BARS - 1)));
    }
    return few;
  }

  private static List<String> warnings(
      Pipeline pipeline, PlannedHistogram release, double uniform) {
    HistogramPlan plan = release.best();
    List<String> warnings = new ArrayList<>();
    if (plan.expectedKl() > NEAR_UNIFORM * uniform) {
      warnings.add(
          "releases will be close to uniform: raise the share, plan fewer windows, use a longer "
              + "window or merge categories");
    }
    if (release.spec().leastCount() > 0 && plan.mechanism() instanceof DirichletMechanism) {
      warnings.add(
          "counts below "
              + release.spec().leastCount()
              + " are raised to it: the stated errors apply only to datasets without such "
              + "counts, the privacy guarantee to all");
    }
    advice(release.spec(), plan).ifPresent(warnings::add);
    boolean pure = plan.mechanism().charge().pure().isPresent();
    if (plan.share().filter() instanceof PrivacyFilter.RenyiFilter at && !pure) {
      int place = RenyiOrders.placeOf(at.order());
      if (place == 0 || place == RenyiOrders.size() - 1) {
        warnings.add(
            "the best Rényi order lies at the edge of the grid: delta is very large or very small"
                + " for this epsilon");
      }
    }
    boolean ends =
        !(pipeline.budget().period() instanceof Period.Window)
            && pipeline.budget().anySpan().isEmpty()
            && pipeline.population().isEmpty();
    Duration lasts = lasts(pipeline, plan.releases());
    boolean shorter =
        pipeline.budget().period() instanceof Period.Local local
            ? plan.releases() < pipeline.window().mostIn(local).orElseThrow()
            : !(pipeline.budget().period() instanceof Period.Fixed fixed)
                || lasts.compareTo(fixed.length()) < 0;
    if (ends && shorter && lasts.compareTo(Duration.ofDays(7)) < 0) {
      warnings.add(
          "a subject with records in every window spends this share in its first week: plan "
              + "more windows, or use longer ones");
    }
    return warnings;
  }

  /** Another method, where the public plan says that it would err much less. */
  private static Optional<String> advice(HistogramSpec spec, HistogramPlan plan) {
    boolean chosen =
        spec.method() != HistogramSpec.Method.BEST
            && spec.accountant() != Accountant.PAPER
            && spec.output() instanceof HistogramSpec.Output.Probabilities;
    if (!chosen) {
      return Optional.empty();
    }
    return HistogramCalibrator.candidates(spec.by(HistogramSpec.Method.BEST)).stream()
        .min(Comparator.comparingDouble(HistogramPlan::expectedKl))
        .filter(best -> best.expectedKl() * MUCH_LESS < plan.expectedKl())
        .map(
            best ->
                String.format(
                    Locale.ROOT,
                    "method '%s' would have a KL divergence of %.3g nats at this share, '%s' "
                        + "has %.3g; 'best' chooses the better one (docs/research/comparison.md compares "
                        + "them)",
                    best.mechanism().method(),
                    best.expectedKl(),
                    plan.mechanism().method(),
                    plan.expectedKl()));
  }

  /** How long a share lasts a subject with records in every window. */
  public static Duration lasts(Pipeline pipeline, long windows) {
    return pipeline.window().lasting(windows);
  }

  private static double uniformKl(HistogramSpec spec) {
    int d = spec.model().shares().size();
    return spec.model().shares().stream()
        .mapToDouble(p -> p > 0 ? p * StrictMath.log(p * d) : 0)
        .sum();
  }
}
