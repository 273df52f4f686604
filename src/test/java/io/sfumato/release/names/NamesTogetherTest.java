// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.mechanism.ShareRequest;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.discovery.CountInterval;
import io.sfumato.mechanism.discovery.DiscoveryMechanism;
import io.sfumato.mechanism.discovery.DiscoveryPlanner;
import io.sfumato.mechanism.discovery.NameBounds;
import io.sfumato.mechanism.discovery.NoisyName;
import io.sfumato.schema.CountedName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of several subjects together: what is added, in which order, and how far it is off. */
class NamesTogetherTest {
  private static CountedName counted(String name, long count, long low, long high, boolean found) {
    return new CountedName(name, count, low, high, found);
  }

  private static CountedName known(String name, long count) {
    return counted(name, count, Math.max(0, count - 10), count + 10, false);
  }

  @Test
  void countsAreAddedByName() {
    List<NamesTogether.Sum> sums =
        NamesTogether.largest(
            List.of(
                List.of(known("a", 5), known("b", 9)),
                List.of(known("b", -2), known("c", 7)),
                List.of()),
            9);
    assertThat(sums)
        .extracting(sum -> sum.name() + " " + sum.count() + " " + sum.lists())
        .containsExactly("b 7 2", "c 7 1", "a 5 1");
    assertThat(
            NamesTogether.largest(List.of(List.of(known("z", 3), known("y", 3), known("x", 4))), 2))
        .extracting(NamesTogether.Sum::name)
        .containsExactly("x", "y");
  }

  @Test
  void theIntervalOfOneListIsItsOwn() {
    NamesTogether.Sum sum = NamesTogether.sum(List.of(counted("a", 40, 7, 55, true)));
    assertThat(sum).isEqualTo(new NamesTogether.Sum("a", 40, 7, 55, 1));
  }

  /** Widths of 10 each, 11.5 with what rounding hides: sqrt(4 * 11.5^2) + 4 / 2 = 25. */
  @Test
  void widthsOfKnownNamesAddAsRootsOfSquares() {
    NamesTogether.Sum sum =
        NamesTogether.sum(
            List.of(known("a", 100), known("a", 200), known("a", 300), known("a", 400)));
    assertThat(sum).isEqualTo(new NamesTogether.Sum("a", 1000, 975, 1025, 4));
  }

  @Test
  void endsOfFoundNamesAreAdded() {
    NamesTogether.Sum sum =
        NamesTogether.sum(
            List.of(
                counted("a", 50, 20, 70, true),
                counted("a", 40, 1, 60, true),
                known("a", 100),
                known("a", 100)));
    // sqrt(2) * 11.5 + 1 = 17.3 for the two known ones.
    assertThat(sum).isEqualTo(new NamesTogether.Sum("a", 290, 21 + 183, 130 + 217, 4));
  }

  private static DiscoveryMechanism mechanism(String noise) {
    ShareRequest request = new ShareRequest("terms", Epsilon.of("1"), Delta.of("1e-6"), 1);
    NameBounds bounds = new NameBounds(2, 2, 1);
    return (noise.equals("laplace")
            ? DiscoveryPlanner.laplace(request, bounds)
            : DiscoveryPlanner.gaussian(request, bounds))
        .orElseThrow()
        .planned(request)
        .mechanism();
  }

  /** P[the rounded noise is z], z from -most to most; of found names the noise given that. */
  private static double[] law(GridNoise noise, int most) {
    double[] law = new double[2 * most + 1];
    long one = 1L << noise.digits();
    for (int z = -most; z <= most; z++) {
      law[z + most] = above(noise, z * one - one / 2) - above(noise, (z + 1) * one - one / 2);
    }
    return law;
  }

  /** P[Z >= x], Z symmetric, in steps. */
  private static double above(GridNoise noise, long x) {
    return x > 0 ? noise.tail(x - 1.0, 1) / 2 : 1 - noise.tail(-x, 1) / 2;
  }

  /**
   * The truth of a sum of known names' counts lies in its interval in 95 of 100 cases at least: by
   * convolution of exact laws, of two to eight lists.
   */
  @ParameterizedTest
  @ValueSource(strings = {"laplace", "gaussian"})
  void sumsOfKnownNamesAreWithinTheirIntervals(String word) {
    GridNoise noise = mechanism(word).noise();
    int most = 200;
    double[] one = law(noise, most);
    assertThat(Arrays.stream(one).sum()).isBetween(1 - 1e-9, 1 + 1e-9);
    double[] sum = one;
    for (int lists = 2; lists <= 8; lists++) {
      sum = convolved(sum, one);
      long truth = 1000L * lists;
      double covered = 0;
      for (int i = 0; i < sum.length; i++) {
        long off = i - (long) most * lists;
        List<CountedName> counts = new ArrayList<>();
        for (int list = 0; list < lists; list++) {
          // Widths do not depend on the counts: whichever of them has the whole error.
          counts.add(interval(noise, 1000 + (list == 0 ? off : 0)));
        }
        NamesTogether.Sum together = NamesTogether.sum(counts);
        covered += together.low() <= truth && truth <= together.high() ? sum[i] : 0;
      }
      assertThat(covered).as("%d lists", lists).isBetween(0.95, 0.99);
    }
  }

  private static CountedName interval(GridNoise noise, long count) {
    CountInterval truth =
        CountInterval.of(noise, new NoisyName(count << noise.digits(), noise.digits()));
    return counted("a", count, truth.low(), truth.high(), false);
  }

  private static double[] convolved(double[] a, double[] b) {
    double[] sum = new double[a.length + b.length - 1];
    for (int i = 0; i < a.length; i++) {
      for (int j = 0; j < b.length; j++) {
        sum[i + j] += a[i] * b[j];
      }
    }
    return sum;
  }

  /**
   * The same of names that were just found, given that they were, wherever the truth lies: all of
   * few users, all of many, or one of each. Both sides by themselves, from the laws of the ends.
   */
  @ParameterizedTest
  @ValueSource(strings = {"laplace", "gaussian"})
  void sumsOfFoundNamesAreWithinTheirIntervals(String word) {
    DiscoveryMechanism mechanism = mechanism(word);
    long tau = mechanism.threshold().least();
    for (int lists = 2; lists <= 6; lists++) {
      for (long near : new long[] {2, tau / 2, tau - 3, tau, tau + 5, 2 * tau}) {
        for (long other : new long[] {near, 3 * tau}) {
          long truth = near + (lists - 1) * other;
          Ends ends = new Ends(mechanism);
          double[] low = ends.law(near, CountInterval::low);
          double[] high = ends.law(near, CountInterval::high);
          for (int list = 1; list < lists; list++) {
            low = convolved(low, ends.law(other, CountInterval::low));
            high = convolved(high, ends.law(other, CountInterval::high));
          }
          double missed = 0;
          for (int i = 0; i < low.length; i++) {
            missed += i > truth ? low[i] : 0;
          }
          for (int i = 0; i < high.length; i++) {
            missed += i < truth ? high[i] : 0;
          }
          assertThat(missed)
              .as("%d lists with %d and %d users", lists, near, other)
              .isLessThan(0.05);
        }
      }
    }
  }

  /** Of the ends of a found name's interval. */
  private record Ends(DiscoveryMechanism mechanism) {
    double[] law(long users, java.util.function.ToLongFunction<CountInterval> end) {
      GridNoise noise = mechanism.noise();
      long one = 1L << noise.digits();
      long tau = mechanism.threshold().least();
      double passes = above(noise, (tau - users) * one);
      double[] law = new double[(int) (users + tau + 300)];
      for (long y = tau; y < users + 200 || y < tau + 100; y++) {
        double chance =
            (above(noise, (y - users) * one) - above(noise, (y + 1 - users) * one)) / passes;
        CountInterval interval =
            CountInterval.ofPassed(
                noise, mechanism.threshold(), new NoisyName(y * one, noise.digits()));
        law[(int) Math.min(law.length - 1, end.applyAsLong(interval))] += chance;
      }
      return law;
    }
  }

  /** Many subjects with one name, drawn: no count is lost. */
  @Test
  void noCountIsLost() {
    SplittableRandom random = new SplittableRandom(3);
    List<List<CountedName>> lists = new ArrayList<>();
    LongUnaryOperator any = i -> random.nextLong(-50, 500);
    long all = 0;
    for (int subject = 0; subject < 40; subject++) {
      List<CountedName> list = new ArrayList<>();
      for (int name = 0; name < 30; name += 1 + random.nextInt(3)) {
        list.add(known("n" + name, any.applyAsLong(name)));
        all += list.get(list.size() - 1).getCount();
      }
      lists.add(list);
    }
    assertThat(NamesTogether.largest(lists, 100).stream().mapToLong(NamesTogether.Sum::count).sum())
        .isEqualTo(all);
  }
}
