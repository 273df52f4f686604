// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.partitionselection.CountInterval;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.partitionselection.DiscoveryMechanism;
import io.sfumato.mechanism.partitionselection.NameBounds;
import io.sfumato.mechanism.partitionselection.NoisyName;
import io.sfumato.mechanism.partitionselection.UnlistedCount;
import io.sfumato.pipeline.ReleaseSpec.Head;
import io.sfumato.pipeline.ReleaseSpec.ShareSpec;
import io.sfumato.schema.CountedName;
import io.sfumato.schema.NamesRelease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import java.util.function.ToLongFunction;
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

  /** What is known without knowing the noise: somebody has it, and the published upper end. */
  private static final FoundIntervals UNKNOWN =
      (name, side) -> new CountInterval(1, Math.max(1, name.getHigh()));

  private static List<NamesTogether.Sum> largest(
      List<List<CountedName>> lists, FoundIntervals found, int most) {
    List<NamesRelease> releases = new ArrayList<>();
    for (List<CountedName> list : lists) {
      NamesRelease release = new NamesRelease();
      release.setSubject("s" + releases.size());
      release.setWindowStart(Instant.EPOCH);
      release.setSince(Instant.EPOCH);
      release.setNames(list);
      releases.add(release);
    }
    return NamesTogether.largest(releases, new Origins(), new WindowSums(found), most);
  }

  private static NamesTogether.Sum sum(List<CountedName> counts, FoundIntervals found) {
    return largest(counts.stream().map(List::of).toList(), found, 1).get(0);
  }

  @Test
  void countsAreAddedByName() {
    List<NamesTogether.Sum> sums =
        largest(
            List.of(
                List.of(known("a", 5), known("b", 9)),
                List.of(known("b", -2), known("c", 7)),
                List.of()),
            UNKNOWN,
            9);
    assertThat(sums)
        .extracting(sum -> sum.name() + " " + sum.count() + " " + sum.lists())
        .containsExactly("b 7 2", "c 7 1", "a 5 1");
    assertThat(largest(List.of(List.of(known("z", 3), known("y", 3), known("x", 4))), UNKNOWN, 2))
        .extracting(NamesTogether.Sum::name)
        .containsExactly("x", "y");
  }

  @Test
  void theIntervalOfOneListIsItsOwn() {
    NamesTogether.Sum sum = sum(List.of(counted("a", 40, 7, 55, true)), UNKNOWN);
    assertThat(sum).isEqualTo(new NamesTogether.Sum("a", 40, 7, 55, 1));
  }

  /** Widths of 10 each, 11.5 with what rounding hides: sqrt(4 * 11.5^2) + 4 / 2 = 25. */
  @Test
  void widthsOfKnownNamesAddAsRootsOfSquares() {
    NamesTogether.Sum sum =
        sum(List.of(known("a", 100), known("a", 200), known("a", 300), known("a", 400)), UNKNOWN);
    assertThat(sum).isEqualTo(new NamesTogether.Sum("a", 1000, 975, 1025, 4));
  }

  /**
   * Three intervals at once, each of which misses in one of 60 cases: ln 60 / ln 20 = 1.367 times
   * as wide as one alone, 1.367 * sqrt(2) * 11.5 + 1 = 23.2 for the two known ones.
   */
  @Test
  void endsOfFoundNamesAreAdded() {
    List<Double> asked = new ArrayList<>();
    NamesTogether.Sum sum =
        sum(
            List.of(
                counted("a", 50, 0, 0, true),
                counted("a", 40, 0, 0, true),
                known("a", 100),
                known("a", 100)),
            (name, side) -> {
              asked.add(side);
              return new CountInterval(name.getCount() - 30, name.getCount() + 20);
            });
    assertThat(sum).isEqualTo(new NamesTogether.Sum("a", 290, 30 + 177, 130 + 223, 4));
    assertThat(asked).containsExactly(0.025 / 3, 0.025 / 3);
  }

  /** Who does not know the noise knows little: each has one user at least. */
  @Test
  void withoutThePlanLowerEndsAreOnes() {
    NamesTogether.Sum sum =
        sum(List.of(counted("a", 50, 20, 70, true), counted("a", 40, 10, 60, true)), UNKNOWN);
    assertThat(sum).isEqualTo(new NamesTogether.Sum("a", 90, 2, 130, 2));
  }

  private static PlannedNames planned(String noise) {
    return (PlannedNames)
        PlannedNames.of(
                new NamesSpec(
                    new Head(
                        "terms",
                        "terms",
                        new ShareSpec(Epsilon.of("1"), Delta.of("1e-6"), "terms"),
                        1),
                    NamesSpec.Noise.valueOf(noise.toUpperCase(Locale.ROOT)),
                    100,
                    Optional.empty(),
                    new NameBounds(2, 2, 1),
                    UnlistedCount.UNTOLD,
                    Optional.empty(),
                    OptionalInt.empty()))
            .orElseThrow();
  }

  /** P[the rounded noise is z], z from -most to most; of found names the noise given that. */
  private static double[] distribution(GridNoise noise, int most) {
    double[] distribution = new double[2 * most + 1];
    long one = 1L << noise.digits();
    for (int z = -most; z <= most; z++) {
      distribution[z + most] =
          above(noise, z * one - one / 2) - above(noise, (z + 1) * one - one / 2);
    }
    return distribution;
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
    GridNoise noise = planned(word).plan().mechanism().noise();
    int most = 200;
    double[] one = distribution(noise, most);
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
        NamesTogether.Sum together = sum(counts, UNKNOWN);
        covered += together.low() <= truth && truth <= together.high() ? sum[i] : 0;
      }
      assertThat(covered).as("%d lists", lists).isBetween(0.95, 0.995);
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
   * few users, all of many, or one of few. Either side by itself, from the exact laws of the ends.
   */
  @ParameterizedTest
  @ValueSource(strings = {"laplace", "gaussian"})
  void sumsOfFoundNamesAreWithinTheirIntervals(String word) {
    PlannedNames planned = planned(word);
    long tau = planned.plan().mechanism().threshold().least();
    for (int lists : new int[] {2, 3, 6}) {
      for (long few : new long[] {1, 2, tau / 2, tau, 2 * tau}) {
        for (long many : new long[] {few, 3 * tau}) {
          long truth = few + (lists - 1) * many;
          double side = 0.025 / lists;
          double[] low = ends(planned, few, name -> planned.of(name, side).low());
          double[] high = ends(planned, few, name -> planned.of(name, side).high());
          double[] lowOfMany = ends(planned, many, name -> planned.of(name, side).low());
          double[] highOfMany = ends(planned, many, name -> planned.of(name, side).high());
          for (int list = 1; list < lists; list++) {
            low = convolved(low, lowOfMany);
            high = convolved(high, highOfMany);
          }
          double missed = 0;
          for (int i = 0; i < low.length; i++) {
            missed += i > truth ? low[i] : 0;
          }
          for (int i = 0; i < high.length; i++) {
            missed += i < truth ? high[i] : 0;
          }
          assertThat(missed)
              .as("%d lists with %d and %d users", lists, few, many)
              .isBetween(0.0, 0.05);
        }
      }
    }
  }

  /** Had each interval missed as often as when it is alone, sums would miss too often. */
  @Test
  void intervalsOfOneNameAloneWouldNotDo() {
    PlannedNames planned = planned("laplace");
    double[] one = ends(planned, 2, name -> planned.of(name, 0.025).low());
    double[] low = one;
    for (int list = 1; list < 6; list++) {
      low = convolved(low, one);
    }
    assertThat(Arrays.stream(low, 13, low.length).sum()).isGreaterThan(0.06);
  }

  /** The law of an end of a found name's interval, from that of its published count. */
  private static double[] ends(PlannedNames planned, long users, ToLongFunction<CountedName> end) {
    DiscoveryMechanism mechanism = planned.plan().mechanism();
    GridNoise noise = mechanism.noise();
    long one = 1L << noise.digits();
    long tau = mechanism.threshold().least();
    double passes = above(noise, (tau - users) * one);
    long most = Math.max(tau, users) + 150;
    double[] distribution = new double[(int) most + 300];
    for (long y = tau; y < most; y++) {
      // Of those that round to tau the lower half did not pass.
      long from = y == tau ? tau * one : y * one - one / 2;
      double chance =
          (above(noise, from - users * one) - above(noise, y * one + one / 2 - users * one))
              / passes;
      distribution[(int) end.applyAsLong(counted("a", y, 0, 0, true))] += chance;
    }
    assertThat(Arrays.stream(distribution).sum()).isBetween(1 - 1e-6, 1 + 1e-6);
    return distribution;
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
    assertThat(largest(lists, UNKNOWN, 100).stream().mapToLong(NamesTogether.Sum::count).sum())
        .isEqualTo(all);
  }
}
