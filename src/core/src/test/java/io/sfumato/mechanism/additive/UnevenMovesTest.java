// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.mechanism.partitionselection.NameBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** However a user gives records to names, composed Laplace noise loses no more than is charged. */
class UnevenMovesTest {
  private static final double ROUNDING = 1e-12;

  /** All ways to give so many records to names, the fullest first. */
  private static List<List<Integer>> splits(int records, int names, int most) {
    if (records == 0) {
      return List.of(List.of());
    }
    List<List<Integer>> all = new ArrayList<>();
    for (int first = Math.min(most, records); names > 0 && first >= 1; first--) {
      for (List<Integer> rest : splits(records - first, names - 1, first)) {
        List<Integer> split = new ArrayList<>(List.of(first));
        split.addAll(rest);
        all.add(split);
      }
    }
    return all;
  }

  /** Where both neighbours' noises lie between what is moved: P of each sum of clamped noises. */
  private static double[] sums(List<Integer> moves, double b) {
    double q = StrictMath.exp(-1 / b);
    double[] distribution = {1};
    for (int move : moves) {
      double[] longer = new double[distribution.length + move];
      for (int s = 0; s < distribution.length; s++) {
        for (int z = 0; z <= move; z++) {
          double weight = z == 0 || z == move ? 1 : 1 - q;
          longer[s + z] += distribution[s] * weight * StrictMath.pow(q, z) / (1 + q);
        }
      }
      distribution = longer;
    }
    return distribution;
  }

  /** sup P(E) - e^epsilon Q(E), by the whole law. */
  private static double delta(List<Integer> moves, double b, double epsilon) {
    double[] distribution = sums(moves, b);
    int all = distribution.length - 1;
    return IntStream.rangeClosed(0, all)
        .filter(s -> (all - 2 * s) / b > epsilon)
        .mapToDouble(s -> distribution[s] * -StrictMath.expm1(epsilon - (all - 2 * s) / b))
        .sum();
  }

  /** Also those that no set of whole names has the size of, as 3, 3 and 4 of 5 and 5. */
  @ParameterizedTest
  @CsvSource({
    "3, 10, 5",
    "4, 10, 5",
    "10, 10, 5",
    "5, 8, 2",
    "8, 8, 4",
    "6, 9, 3",
    "5, 12, 4",
    "4, 12, 6",
    "3, 4, 2"
  })
  void everySplitLosesAtMostWhatIsCharged(int names, int records, int perName) {
    List<List<Integer>> splits = splits(records, names, perName);
    assertThat(splits).hasSizeGreaterThan(1);
    for (long b : new long[] {1, 2, 5, 20, 300}) {
      PrivacyProfile charged =
          new GridLaplace(0, b)
              .charge(new NameBounds(names, records, perName).sensitivity())
              .profile()
              .orElseThrow();
      for (List<Integer> split : splits) {
        for (int place = 0; place < 4 * records; place++) {
          double epsilon = place / 4.0 / b;
          assertThat(delta(split, b, epsilon))
              .as("%s of scale %d at %s", split, b, epsilon)
              .isLessThanOrEqualTo(charged.delta(epsilon) * (1 + ROUNDING));
        }
      }
    }
  }

  /** The lemma itself: a record that goes to a name with as many or more lets nothing be lost. */
  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "2, 2", "5, 1", "4, 3", "7, 7", "12, 5"})
  void lessEvenMovesTellMore(int more, int less) {
    List<Integer> even = List.of(more, less);
    List<Integer> uneven = less == 1 ? List.of(more + 1) : List.of(more + 1, less - 1);
    int all = more + less;
    for (double b : new double[] {0.5, 1, 3, 40}) {
      double q = StrictMath.exp(-1 / b);
      for (int place = 0; place < 8 * all; place++) {
        double epsilon = place / 8.0 / b;
        double gamma = StrictMath.exp(epsilon);
        int last =
            IntStream.rangeClosed(0, all).filter(s -> (all - 2 * s) / b > epsilon).max().orElse(-1);
        double first = StrictMath.pow(q, last) - gamma * StrictMath.pow(q, all - last);
        double rises =
            last < less - 1
                ? 0
                : last == less - 1
                    ? q * first
                    : (1 - q)
                        * (StrictMath.pow(q, last + 1) + gamma * StrictMath.pow(q, all - last));
        double difference = delta(uneven, b, epsilon) - delta(even, b, epsilon);
        assertThat(difference)
            .as("%s of scale %s at %s", even, b, epsilon)
            .isCloseTo(rises / (1 + q) / (1 + q), within(ROUNDING));
      }
    }
  }
}
