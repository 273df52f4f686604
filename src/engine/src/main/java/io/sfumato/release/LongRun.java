// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.accounting.GroupPrivacy;
import io.sfumato.accounting.Period;
import io.sfumato.pipeline.Durations;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.window.FixedWindows;
import io.sfumato.window.WindowGrid;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What somebody can lose in a stretch of time that meets several periods, by adding up. Every total
 * that a plan or a sheet states is from here.
 *
 * @param periods that the stretch meets at most, wherever it begins
 * @param parts of every output that is charged
 */
public record LongRun(long periods, List<Part> parts) {
  public LongRun {
    parts = List.copyOf(parts);
  }

  /**
   * Of one output.
   *
   * @param output its name
   * @param sharesNoise whether its windows do: then all periods are one chain of neighbours
   * @param epsilon as often as there are periods
   * @param delta the same; in a chain delta (1 + e^epsilon + ... + e^((periods - 1) epsilon)), and
   *     1 at most
   */
  public record Part(String output, boolean sharesNoise, BigDecimal epsilon, BigDecimal delta) {
    /**
     * Whether its sum says nothing, however large its epsilon: where delta grows like e^epsilon.
     */
    boolean isUnbounded() {
      return sharesNoise && delta.signum() > 0;
    }

    private static Part of(PlannedRelease release, long periods) {
      BigDecimal epsilon = release.share().epsilon().value();
      BigDecimal times = BigDecimal.valueOf(periods);
      boolean chain = release.spec().windowsCounted() > 1;
      return new Part(
          release.spec().name(),
          chain,
          epsilon.multiply(times),
          chain
              ? ofChain(release, periods).min(BigDecimal.ONE)
              : release.share().delta().value().multiply(times));
    }

    /** What is purely private in its noise has no delta but for what no noise spends. */
    private static BigDecimal ofChain(PlannedRelease release, long periods) {
      boolean pure = release.charge().pure().isPresent();
      BigDecimal one = pure ? release.deltaBesides() : release.share().delta().value();
      return one.multiply(GroupPrivacy.deltas(release.share().epsilon().value(), periods));
    }
  }

  /**
   * Of a plan; nothing where its budget is for a lifetime.
   *
   * @param time how long the stretch is, above 0
   */
  public static Optional<LongRun> of(Plan plan, Duration time) {
    if (plan.pipeline().budget().period() instanceof Period.Lifetime) {
      return Optional.empty();
    }
    long periods = met(time, plan.pipeline());
    return Optional.of(
        new LongRun(
            periods, plan.releases().stream().map(release -> Part.of(release, periods)).toList()));
  }

  /** Sum of the epsilons of all outputs that are bounded. */
  public BigDecimal epsilon() {
    return sum(Part::epsilon);
  }

  /** Sum of the deltas of all outputs that are bounded; from 1 on it bounds nothing. */
  public BigDecimal delta() {
    return sum(Part::delta);
  }

  /** Outputs of which several periods have no bound, since their windows share noise. */
  public List<String> unbounded() {
    return parts.stream().filter(Part::isUnbounded).map(Part::output).toList();
  }

  private BigDecimal sum(Function<Part, BigDecimal> of) {
    return parts.stream()
        .filter(part -> !part.isUnbounded())
        .map(of)
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  /**
   * How many budgets a stretch meets at most. Spans begin where one likes, and so many of them
   * cover it. Otherwise a window belongs to the period that it starts in, so that a stretch meets
   * the periods of all windows that it touches: of n that follow each other, the first of which
   * starts as late in its period as any does.
   */
  private static long met(Duration time, Pipeline pipeline) {
    Period period = pipeline.budget().period();
    WindowGrid grid = pipeline.window().grid();
    if (period instanceof Period.Any any) {
      return Durations.mostMet(time, any.length()) - 1;
    }
    long windows = grid.mostTouched(time);
    if (period instanceof Period.AnyWindows span) {
      return -Math.floorDiv(1 - windows, span.count());
    }
    if (period instanceof Period.Local local) {
      // Periods begin where windows do: each window lies in the one that it touches.
      return local.periods().mostTouched(time);
    }
    return period instanceof Period.Fixed fixed && grid instanceof FixedWindows equal
        ? equal.periodsOf(windows, fixed.length())
        : windows;
  }
}
