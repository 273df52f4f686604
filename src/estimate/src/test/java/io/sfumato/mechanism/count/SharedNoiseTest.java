// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.count;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Conversion;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.LossReport;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.accounting.RenyiCurve;
import io.sfumato.accounting.RenyiOrders;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.additive.LaplaceNoise;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.commons.math3.dfp.Dfp;
import org.apache.commons.math3.dfp.DfpField;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What windows of a user lose together where one noise serves all windows of a tree's node,
 * computed from the laws of the noises, beside what they are charged.
 */
class SharedNoiseTest {
  private static final Sensitivity ONE = Sensitivity.addOrRemove(1);

  private static CalibrationTarget request(String epsilon, long windows) {
    return new CalibrationTarget("n", Epsilon.of(epsilon), Delta.of("1e-6"), windows);
  }

  private static double scale(Calibrated<CountMeasurement<CountQuery>> plan) {
    return ((LaplaceNoise) plan.mechanism().noise()).scale();
  }

  /**
   * How many windows of a user lie in each node of trees that follow each other: k by how often.
   */
  private static Map<Integer, Integer> nodes(CountTree tree, BitSet pattern) {
    Map<Integer, Integer> nodes = new TreeMap<>();
    for (int begin = 0; begin < pattern.length(); begin += tree.windows()) {
      for (int size = 1; size <= tree.windows(); size *= 2) {
        for (int from = 0; from + size <= tree.windows(); from += size) {
          int inNode = pattern.get(begin + from, begin + from + size).cardinality();
          if (inNode > 0) {
            nodes.merge(inNode, 1, Integer::sum);
          }
        }
      }
    }
    return nodes;
  }

  /**
   * Rényi divergence of discrete Laplace noise and the same moved by k: with p = e^(-1/b) the sum
   * over x of P(x)^L P(x-k)^(1-L) is (1-p)/(1+p) times {@code p^(k(1-L)) / (1-p)} for x up to 0,
   * {@code p^(kL) / (1-p)} for x from k, and a geometric sum in between.
   */
  private static double divergence(double order, int k, double b) {
    double left = k * (order - 1) / b;
    double right = -k * order / b;
    double q = (2 * order - 1) / b;
    double ends = -StrictMath.expm1(-1 / b);
    double between =
        -q + ln(-StrictMath.expm1(-q * (k - 1))) - ln(-StrictMath.expm1(-q)) + ln(ends);
    double sum = 1 + StrictMath.exp(between) + StrictMath.exp(right - left);
    return (left + ln(sum) - StrictMath.log1p(StrictMath.exp(-1 / b))) / (order - 1);
  }

  private static double ln(double x) {
    return StrictMath.log(x);
  }

  private static BitSet first(int windows) {
    BitSet pattern = new BitSet();
    pattern.set(0, windows);
    return pattern;
  }

  private static BitSet random(int windows, int among, Random random) {
    BitSet pattern = new BitSet();
    while (pattern.cardinality() < windows) {
      pattern.set(random.nextInt(among));
    }
    return pattern;
  }

  /** The worst patterns, and some by chance; of these windows or fewer. */
  private static List<BitSet> patterns(CountTree tree, int windows, Random random) {
    BitSet late = new BitSet();
    late.set(tree.windows() / 2, tree.windows() / 2 + windows);
    return List.of(
        first(windows),
        first(1 + random.nextInt(windows)),
        late,
        random(windows, 2 * windows, random),
        random(windows, 3 * Math.max(windows, tree.windows()), random));
  }

  private static void requireCovered(CountTree tree, int most, PrivacyCost window, double b) {
    Random random = new Random(tree.windows() * 10_000L + most);
    for (BitSet pattern : patterns(tree, most, random)) {
      Map<Integer, Integer> nodes = nodes(tree, pattern);
      for (int i = 0; i < RenyiOrders.size(); i++) {
        double order = RenyiOrders.at(i);
        double loss = 0;
        for (Map.Entry<Integer, Integer> node : nodes.entrySet()) {
          loss += node.getValue() * divergence(order, node.getKey(), b);
        }
        assertThat(pattern.cardinality() * window.curve().at(order))
            .as("order %s, %d windows of %s, b %s", order, most, tree, b)
            .isGreaterThanOrEqualTo(loss * (1 - 1e-7));
      }
    }
  }

  @Test
  void theExactDivergenceIsTheDefinitionsSum() {
    for (double order : new double[] {1.1, 2, 9.5, 64}) {
      for (int k : new int[] {1, 2, 7}) {
        double b = 3;
        double sum = 0;
        double p = StrictMath.exp(-1 / b);
        for (int x = -4000; x <= 4000; x++) {
          double here = ln((1 - p) / (1 + p)) - Math.abs(x) / b;
          double moved = ln((1 - p) / (1 + p)) - Math.abs(x - k) / b;
          sum += StrictMath.exp(order * here + (1 - order) * moved);
        }
        assertThat(divergence(order, k, b)).isCloseTo(ln(sum) / (order - 1), within(1e-10));
      }
    }
  }

  /** Every number of windows up to 64, in trees of many sizes, at noise from little to much. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5, 8, 13, 16, 31, 64, 100, 128, 500, 1024})
  void theChargesOfAUsersWindowsCoverTheirCommonLoss(int windows) {
    CountTree tree = new CountTree(windows);
    for (int most = 1; most <= 64; most++) {
      long steps = 1L << 4 + most % 17; // b from 2^16 down to 1
      LaplaceNoise noise = new LaplaceNoise(steps);
      requireCovered(tree, most, noise.charge(tree.perWindow(ONE, most)), noise.scale());
    }
  }

  @ParameterizedTest
  @CsvSource({"1024, 100", "1024, 365", "1024, 777", "1024, 1024", "256, 1000", "4096, 1000"})
  void theyCoverManyWindowsToo(int windows, int most) {
    CountTree tree = new CountTree(windows);
    for (long steps : new long[] {1 << 5, 1 << 9, 1 << 13, 1 << 20}) {
      LaplaceNoise noise = new LaplaceNoise(steps);
      requireCovered(tree, most, noise.charge(tree.perWindow(ONE, most)), noise.scale());
    }
  }

  /** Every pattern of a user's windows in a small tree. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 7, 8, 10})
  void theyCoverEveryPattern(int windows) {
    CountTree tree = new CountTree(windows);
    for (int pattern = 1; pattern < 1 << windows; pattern++) {
      int most = Integer.bitCount(pattern);
      Map<Integer, Integer> nodes = nodes(tree, BitSet.valueOf(new long[] {pattern}));
      LaplaceNoise noise = new LaplaceNoise(1 << 15);
      RenyiCurve curve = noise.charge(tree.perWindow(ONE, most)).curve();
      for (double order : new double[] {1.1, 2, 8, 40, 256, 1024}) {
        double loss = 0;
        for (Map.Entry<Integer, Integer> node : nodes.entrySet()) {
          loss += node.getValue() * divergence(order, node.getKey(), noise.scale());
        }
        assertThat(most * curve.at(order)).isGreaterThanOrEqualTo(loss * (1 - 1e-9));
      }
    }
  }

  /**
   * C records of each window, over subjects whose trees begin at different times, and categories: a
   * user's windows lose no more than if all records lay in one count.
   */
  @Test
  void theyCoverRecordsInSeveralSubjectsAndCategories() {
    Random random = new Random(11);
    for (int attempt = 0; attempt < 400; attempt++) {
      int windows = 2 + random.nextInt(40);
      int most = 1 + random.nextInt(40);
      int records = 1 + random.nextInt(6);
      int counts = 1 + random.nextInt(4);
      CountTree tree = new CountTree(windows);
      int[] phase = random.ints(counts, 0, windows).toArray();
      // By tree's beginning, level, place and count: how far its noise is moved.
      Map<String, Integer> shifts = new TreeMap<>();
      random(most, most + random.nextInt(100), random).stream()
          .forEach(
              window -> {
                for (int record = 0; record < records; record++) {
                  int count = random.nextInt(counts);
                  int at = window + phase[count];
                  for (int size = 1; size <= windows; size *= 2) {
                    int place = at % windows / size;
                    if ((place + 1) * size <= windows) {
                      shifts.merge(
                          count + "/" + at / windows + "/" + size + "/" + place, 1, Integer::sum);
                    }
                  }
                }
              });
      LaplaceNoise noise = new LaplaceNoise(1L << 12 + random.nextInt(8));
      RenyiCurve curve =
          noise.charge(tree.perWindow(Sensitivity.addOrRemove(records), most)).curve();
      for (double order : new double[] {1.1, 1.5, 3, 12, 64, 1024}) {
        double loss =
            shifts.values().stream().mapToDouble(k -> divergence(order, k, noise.scale())).sum();
        assertThat(most * curve.at(order)).isGreaterThanOrEqualTo(loss * (1 - 1e-9));
      }
    }
  }

  /**
   * True delta of all nodes together at epsilon. Moved by k, the loss of discrete Laplace noise is
   * (k - 2x) / b for x from 0 to k, and its ends beyond: a whole number of 1/b, so that losses
   * convolve without any rounding of their places.
   */
  private static double delta(Map<Integer, Integer> nodes, double b, double epsilon) {
    double[] all = {1};
    for (Map.Entry<Integer, Integer> node : nodes.entrySet()) {
      all = convolved(all, power(losses(node.getKey(), b), node.getValue()));
    }
    int largest = all.length / 2;
    double delta = 0;
    for (int i = 0; i < all.length; i++) {
      double loss = (i - largest) / b;
      if (loss > epsilon) {
        delta += all[i] * -StrictMath.expm1(epsilon - loss);
      }
    }
    return delta;
  }

  /** Probabilities of the losses -k/b to k/b, in steps of 1/b. */
  private static double[] losses(int k, double b) {
    double p = StrictMath.exp(-1 / b);
    double[] losses = new double[2 * k + 1];
    for (int x = 1; x < k; x++) {
      losses[2 * k - 2 * x] = (1 - p) / (1 + p) * StrictMath.pow(p, x);
    }
    losses[2 * k] = 1 / (1 + p); // x up to 0
    losses[0] += StrictMath.pow(p, k) / (1 + p); // x from k
    return losses;
  }

  private static double[] power(double[] base, int exponent) {
    if (exponent == 1) {
      return base;
    }
    double[] half = power(base, exponent / 2);
    double[] square = convolved(half, half);
    return exponent % 2 == 0 ? square : convolved(square, base);
  }

  private static double[] convolved(double[] a, double[] b) {
    double[] sum = new double[a.length + b.length - 1];
    for (int i = 0; i < a.length; i++) {
      if (a[i] > 0) {
        for (int j = 0; j < b.length; j++) {
          sum[i + j] += a[i] * b[j];
        }
      }
    }
    return sum;
  }

  /** The share is (1, 1e-6). */
  @ParameterizedTest
  @CsvSource({"1024, 1024", "1024, 100", "256, 256"})
  void theTrueDeltaOfAllWindowsStaysBelowTheShares(int windows, int most) {
    CountTree tree = new CountTree(windows);
    CalibrationTarget request = request("1", most);
    Calibrated<CountMeasurement<CountQuery>> plan =
        VectorCalibrator.laplaceWindows(request, new CountQuery(), tree.perWindow(ONE, most))
            .orElseThrow();
    assertThat(plan.releases()).isEqualTo(most);
    assertThat(delta(nodes(tree, first(most)), scale(plan), 1)).isLessThan(1e-6);
  }

  /** Exactly so many windows as the charge rests on, by either way of counting. */
  @ParameterizedTest
  @CsvSource({"2, 1", "16, 3", "64, 52", "1024, 1", "1024, 100", "1024, 1024"})
  void aShareAffordsItsWindowsAndNoOneMore(int windows, int most) {
    for (String epsilon : new String[] {"0.01", "1", "7.3", "20"}) {
      CountTree tree = new CountTree(windows);
      Calibrated<CountMeasurement<CountQuery>> plan = laplace(epsilon, tree, most);
      assertThat(plan.releases()).isEqualTo(most);
      PrivacyCost window = plan.mechanism().charge();
      double spent =
          plan.share().filter() instanceof PrivacyFilter.PureDpFilter
              ? most * window.pure().orElseThrow()
              : Conversion.epsilon(RenyiCurve.zero().plus(most, window.curve()), 1e-6);
      double bound = Double.parseDouble(epsilon);
      assertThat(spent).isBetween(0.85 * bound, bound);
    }
  }

  @Test
  void fewWindowsAreCountedByPureEpsilonAndManyAtOneOrder() {
    CountTree tree = new CountTree(64);
    assertThat(laplace("1", tree, 1).share().filter())
        .isInstanceOf(PrivacyFilter.PureDpFilter.class);
    assertThat(laplace("1", tree, 64).share().filter())
        .isInstanceOf(PrivacyFilter.RenyiFilter.class);
    double pure = laplace("1", tree, 1).mechanism().charge().pure().orElseThrow();
    assertThat(pure).as("seven nodes of a window, all of epsilon").isBetween(0.999, 1.0);
  }

  private static Calibrated<CountMeasurement<CountQuery>> laplace(
      String epsilon, CountTree tree, int most) {
    return VectorCalibrator.laplaceWindows(
            request(epsilon, most), new CountQuery(), tree.perWindow(ONE, most))
        .orElseThrow();
  }

  /** Losses of windows that share noise do not compose like those of independent releases. */
  @Test
  void windowsThatShareNoiseHaveNoProfile() {
    CountTree tree = new CountTree(16);
    AdditiveNoise noise = new LaplaceNoise(1 << 14);
    PrivacyCost one = noise.charge(tree.perWindow(ONE, 1));
    PrivacyCost many = noise.charge(tree.perWindow(ONE, 12));
    assertThat(one.profile()).isPresent();
    assertThat(many.profile()).isEmpty();
    assertThat(many.pure().orElseThrow()).isBetween(5 / 64.0, 5 / 64.0 * (1 + 1e-12));
    LossReport report = LossReport.of(List.of(new LossReport.Counted(many, 12)), 1e-6);
    assertThat(report.claims())
        .extracting(LossReport.Claim::accountant)
        .containsExactlyInAnyOrder("pure", "renyi");
  }

  /**
   * RR(x)/x does not fall, with 45 digits: RR = (ln cosh((L - 1/2) x) - ln cosh(x/2)) / (L - 1).
   */
  @Test
  void theLossOfRandomisedResponseGrowsAtLeastLikeItsEpsilon() {
    DfpField digits = new DfpField(45);
    double[] grid =
        IntStream.range(0, 28).mapToDouble(i -> StrictMath.pow(10, -6 + i / 3.0)).toArray();
    for (int i = 0; i < RenyiOrders.size(); i++) {
      double order = RenyiOrders.at(i);
      Dfp before = digits.getZero();
      for (double x : grid) {
        Dfp at = digits.newDfp(x);
        Dfp up = lnCosh(at.multiply(digits.newDfp(order).subtract(digits.newDfp(0.5))));
        Dfp ratio = up.subtract(lnCosh(at.divide(2))).divide(at);
        assertThat(ratio.add(digits.newDfp("1e-35")).greaterThan(before))
            .as("order %s, x %s", order, x)
            .isTrue();
        before = ratio;
        double curve = RenyiCurve.pure(x).at(order);
        double exact = ratio.multiply(at).divide(digits.newDfp(order - 1)).toDouble();
        assertThat(curve).isBetween(exact * (1 - 1e-15), exact + 1e-12 * (1 + x));
      }
    }
  }

  /** ln cosh y = y + ln((1 + e^(-2y)) / 2), y above 0. */
  private static Dfp lnCosh(Dfp y) {
    Dfp one = y.getOne();
    return y.add(y.multiply(-2).exp().add(one).divide(2).log());
  }

  @Test
  void refusesWhatIsNoShift() {
    assertThat(
            Arrays.asList(
                message(() -> new Sensitivity.Shift(0, 1)),
                message(() -> new Sensitivity.Shift(1, 0)),
                message(() -> RenyiCurve.zero().over(0))))
        .containsExactly(
            "a shift is above 0 and of at least 1 release, was 0.0 of 1",
            "a shift is above 0 and of at least 1 release, was 1.0 of 0",
            "a curve has at least 1 part, was 0");
  }

  private static String message(Runnable refused) {
    try {
      refused.run();
      return "nothing was thrown";
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }
}
