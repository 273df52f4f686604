// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.combine;

import io.sfumato.combine.StatedNoise.Law;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.IntToDoubleFunction;
import org.apache.commons.math3.special.Erf;

/**
 * The sum of independent noises, each with a weight, and an interval around 0 that holds at least
 * 95% of it.
 *
 * <p>Noise of a step has its values at multiples of the step. Its tails reach further than those of
 * the continuous Laplace distribution with the same deviation, and single values have much of the
 * chance. So the interval is that of the exact distribution, from its characteristic function. A
 * discrete Laplace noise with deviation s and step 1 has 1 / (1 + 2 s^2 sin^2(t / 2)).
 *
 * <ul>
 *   <li>If all steps, times weights, are multiples of one of them, g, the sum S is a multiple of g.
 *       The half width is the least multiple that holds 95%, by inversion on this grid: no
 *       symmetric interval is shorter.
 *   <li>Otherwise an independent V within [-d, d] smooths the sum. Since |S| is at most |S + V| +
 *       d, P(|S| at most q) is at least P(|S + V| at most q - d). V is the sum of four uniform
 *       draws, whose characteristic function falls fast enough for a Fourier series. The half width
 *       is at most 2 d above the least that holds 95%; d is a small part of the deviation.
 *   <li>Where half of the largest step is below d, a uniform draw of that step is V, and S + V is
 *       taken for continuous. Laplace noise then has its exact tails, exp(-x / b) with b = 1 / (2
 *       asinh(1 / (s sqrt 2))) steps, which is above s / sqrt 2; the least q grows by half a step.
 * </ul>
 *
 * <p>Of noise that is known by its rounded half width alone, half a step is added too, and a whole
 * step beside other noise. That is no proof: {@code CombinedCoverageTest} computes the coverage.
 */
final class CombinedNoise {
  /** Of the intervals of rows. */
  static final double LEVEL = 0.95;

  /** The 97.5% quantile of a standard Gaussian. */
  static final double NORMAL = 1.959963984540054;

  /** Part of the deviation by which sums are smoothed. */
  static final double SUM = 0.01;

  /** Part of the deviation by which ratios are smoothed: their noise is computed many times. */
  static final double RATIO = 0.05;

  /** Most values of a grid. */
  private static final int MOST_POINTS = 8192;

  private static final int MOST_TERMS = 4096;

  /** Deviations of a period: beyond half of them lies less than 1e-6. */
  private static final double PERIOD = 20;

  /** Beyond this part of a period all chance counts as within. */
  private static final double FAR = 0.45;

  /** Steps that count as a deviation where noise is far below one step. */
  private static final double LEAST_STEPS = 0.35;

  private static final double NEGLIGIBLE = 1e-8;
  private static final double CLOSE = 1e-9;

  /**
   * Noise of several rows.
   *
   * @param deviation of each, times its weight
   * @param law of each
   * @param step of each, times its weight; 0 for a fine grid
   * @param times how many rows have it
   */
  record Part(double deviation, Law law, double step, long times) {
    private boolean isRounded() {
      return law == Law.ROUNDED_LAPLACE || law == Law.ROUNDED_GAUSSIAN;
    }

    /** The scale b of the tails exp(-x / b). */
    private double scale() {
      return step > 0
          ? step / (2 * asinh(step / (Math.sqrt(2) * deviation)))
          : deviation / Math.sqrt(2);
    }

    private double characteristic(double t) {
      if (law == Law.LAPLACE) {
        double half = step > 0 ? 2 / step * Math.sin(step * t / 2) : t;
        return Math.pow(1 + deviation * half * deviation * half / 2, -times);
      }
      if (law == Law.GAUSSIAN && step > 0) {
        return Math.pow(discreteGaussian(deviation / step, step * t), times);
      }
      return Math.exp(-times * deviation * t * deviation * t / 2);
    }
  }

  private final List<Part> parts;
  private final double smoothing;
  private final double deviation;
  private final double largest;
  private final double unstated;
  private final boolean isCoarse;

  private double period;
  private double[] factors;

  /**
   * @param smoothing d, in parts of the deviation
   */
  CombinedNoise(List<Part> parts, double smoothing) {
    this(parts, smoothing, isCoarse(merged(parts), smoothing));
  }

  private CombinedNoise(List<Part> given, double smoothing, boolean isCoarse) {
    parts = merged(given);
    this.smoothing = smoothing;
    this.isCoarse = isCoarse;
    deviation = deviation(parts);
    largest = largest(parts);
    List<Part> noisy = given.stream().filter(part -> part.deviation() != 0).toList();
    double part = noisy.stream().allMatch(Part::isRounded) ? 0.5 : 1;
    unstated =
        part * noisy.stream().filter(Part::isRounded).mapToDouble(Part::step).max().orElse(0);
  }

  /** Other parts that are smoothed in the same way: then bounds change steadily with weights. */
  CombinedNoise of(List<Part> others) {
    return new CombinedNoise(others, smoothing, isCoarse);
  }

  /**
   * Equal parts once, without those of no noise. Of rounded noises alone each counts as Gaussian;
   * beside other noise, the tails count as well.
   */
  private static List<Part> merged(List<Part> given) {
    List<Part> parts = given.stream().filter(part -> part.deviation() != 0).toList();
    boolean isRounded = parts.stream().allMatch(Part::isRounded);
    Map<Part, Long> counts = new LinkedHashMap<>();
    for (Part part : parts) {
      Law law =
          isRounded || part.law() == Law.ROUNDED_GAUSSIAN
              ? Law.GAUSSIAN
              : part.law() == Law.ROUNDED_LAPLACE ? Law.LAPLACE : part.law();
      double step = part.isRounded() ? 0 : part.step();
      counts.merge(new Part(part.deviation(), law, step, 1), part.times(), Long::sum);
    }
    return counts.entrySet().stream()
        .map(
            entry ->
                new Part(
                    entry.getKey().deviation(),
                    entry.getKey().law(),
                    entry.getKey().step(),
                    entry.getValue()))
        .toList();
  }

  private static boolean isCoarse(List<Part> parts, double smoothing) {
    return largest(parts) > 2 * smoothing * deviation(parts);
  }

  private static double deviation(List<Part> parts) {
    return Math.sqrt(
        parts.stream()
            .mapToDouble(part -> part.times() * part.deviation() * part.deviation())
            .sum());
  }

  /** Of the steps whose distribution is known. */
  private static double largest(List<Part> parts) {
    return parts.stream().mapToDouble(Part::step).max().orElse(0);
  }

  double deviation() {
    return deviation;
  }

  /** Half the width of an interval around 0 that holds 95%. */
  double halfWidth() {
    if (parts.isEmpty()) {
      return 0;
    }
    OptionalDouble step = commonStep();
    if (step.isPresent() && points(step.getAsDouble()) <= MOST_POINTS) {
      return onGrid(step.getAsDouble(), (int) points(step.getAsDouble()));
    }
    if (!isCoarse && parts.size() == 1 && isLaplace(parts.get(0)) && parts.get(0).times() == 1) {
      return Math.log(20) * parts.get(0).scale() + margin();
    }
    if (isNormal()) {
      return NORMAL * Math.sqrt(variance()) + margin();
    }
    return Root.between(this::excess, 0, 4 * deviation + 2 * largest + unstated);
  }

  /** At most the probability that the noise is within a distance from 0, less 95%. */
  double excess(double distance) {
    if (parts.isEmpty()) {
      return (distance > 0 ? 1 : 0) - LEVEL;
    }
    double inner = distance - margin();
    if (inner <= 0) {
      return inner / deviation - LEVEL;
    }
    if (isNormal()) {
      return Erf.erf(inner / Math.sqrt(2 * variance())) - LEVEL;
    }
    if (factors == null) {
      period = PERIOD * unit() * (isCoarse ? 1 : 2);
      factors = isCoarse ? coarseFactors() : smoothFactors();
    }
    if (inner > FAR * period) {
      return 1 - LEVEL;
    }
    double angle = 2 * Math.PI * inner / period;
    double sum = 0;
    for (int k = 1; k <= factors.length; k++) {
      sum += factors[k - 1] * Math.sin(k * angle);
    }
    return angle / Math.PI + 2 / Math.PI * sum - LEVEL;
  }

  private static boolean isLaplace(Part part) {
    return part.law() == Law.LAPLACE;
  }

  /** Whether the sum is taken for a Gaussian. */
  private boolean isNormal() {
    return !isCoarse && parts.stream().noneMatch(CombinedNoise::isLaplace);
  }

  /** The deviation, or where noise is below a step, a part of it. */
  private double unit() {
    return Math.max(deviation, LEAST_STEPS * largest);
  }

  /** What is added to the quantile of the smoothed noise. */
  private double margin() {
    return unstated + (isCoarse ? smoothing * unit() : largest / 2);
  }

  /** Of the Gaussian parts together. */
  private double variance() {
    List<Part> gaussian = parts.stream().filter(part -> !isLaplace(part)).toList();
    double squares =
        gaussian.stream()
            .mapToDouble(part -> part.times() * part.deviation() * part.deviation())
            .sum();
    return squares + (gaussian.isEmpty() ? 0 : largest * largest / 12);
  }

  /** The characteristic function at the series' frequencies, divided by their numbers. */
  private double[] smoothFactors() {
    double variance = variance();
    List<Part> laplace = parts.stream().filter(CombinedNoise::isLaplace).toList();
    double[] found = new double[MOST_TERMS];
    for (int k = 1; k <= MOST_TERMS; k++) {
      double t = 2 * Math.PI * k / period;
      double log = -variance * t * t / 2;
      for (Part part : laplace) {
        log -= part.times() * Math.log1p(part.scale() * part.scale() * t * t);
      }
      found[k - 1] = Math.exp(log) / k;
      if (found[k - 1] < NEGLIGIBLE) {
        return Arrays.copyOf(found, k);
      }
    }
    return found;
  }

  private double[] coarseFactors() {
    double reach = smoothing * unit() / 4;
    double[] found = new double[(int) Math.ceil(4 * PERIOD / smoothing)];
    for (int k = 1; k <= found.length; k++) {
      double t = 2 * Math.PI * k / period;
      double uniform = Math.sin(reach * t) / (reach * t);
      found[k - 1] = characteristic(t) * uniform * uniform * uniform * uniform / k;
    }
    return found;
  }

  private double characteristic(double t) {
    double product = 1;
    for (Part part : parts) {
      product *= part.characteristic(t);
    }
    return product;
  }

  /** Of which the sum is a multiple. */
  private OptionalDouble commonStep() {
    double step = parts.stream().mapToDouble(Part::step).min().orElse(0);
    boolean isCommon =
        step > 0
            && parts.stream()
                .allMatch(
                    part -> Math.abs(part.step() / step - Math.rint(part.step() / step)) <= CLOSE);
    return isCommon ? OptionalDouble.of(step) : OptionalDouble.empty();
  }

  private double points(double step) {
    return 2 * Math.ceil(PERIOD * Math.max(deviation, largest) / step / 2) + 1;
  }

  private double onGrid(double step, int points) {
    double[] found = new double[points / 2];
    for (int k = 1; k <= found.length; k++) {
      double angle = Math.PI * k / points;
      found[k - 1] = characteristic(2 * angle / step) / Math.sin(angle);
    }
    IntToDoubleFunction within =
        reach -> {
          double width = 2.0 * reach + 1;
          double sum = 0;
          for (int k = 1; k <= found.length; k++) {
            sum += found[k - 1] * Math.sin(width * Math.PI * k / points);
          }
          return (width + 2 * sum) / points;
        };
    int low = -1;
    int high = points / 2;
    while (high - low > 1) {
      int middle = (low + high) / 2;
      if (within.applyAsDouble(middle) >= LEVEL) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high * step;
  }

  /** With step 1: a sum over its values or, for wide noise, over its images (Poisson). */
  private static double discreteGaussian(double deviation, double angle) {
    double turned = Math.IEEEremainder(angle, 2 * Math.PI);
    if (deviation < 0.6) {
      double above = 1;
      double below = 1;
      for (int z = 1; z < 8; z++) {
        double weight = Math.exp(-(z / deviation) * (z / deviation) / 2);
        above += 2 * weight * Math.cos(z * turned);
        below += 2 * weight;
      }
      return above / below;
    }
    double above = 0;
    double below = 0;
    for (int k = -3; k <= 3; k++) {
      double image = 2 * Math.PI * k;
      above += Math.exp(-Math.pow(deviation * (turned - image), 2) / 2);
      below += Math.exp(-Math.pow(deviation * image, 2) / 2);
    }
    return above / below;
  }

  private static double asinh(double x) {
    return Math.log1p(x + x * x / (1 + Math.hypot(x, 1)));
  }
}
