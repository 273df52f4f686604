// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BisectionTest {
  @Test
  void doublesUntilTheTestFails() {
    assertThat(Bisection.doubling(1, 100, x -> x < 10)).contains(new Bisection(8, 16));
    assertThat(Bisection.doubling(1, 16, x -> x < 16))
        .as("asked at the most")
        .contains(new Bisection(8, 16));
    assertThat(Bisection.doubling(1, 16, x -> x <= 16)).as("holds at the most").isEmpty();
    assertThat(Bisection.doubling(3, 100, x -> false)).contains(new Bisection(0, 3));
  }

  @Test
  void halvesWhereTheTestFailsAtTheStart() {
    assertThat(Bisection.around(1, 0.25, 100, x -> x < 10)).contains(new Bisection(8, 16));
    assertThat(Bisection.around(1, 0.25, 4, x -> true)).isEmpty();
    assertThat(Bisection.around(1, 0.25, 100, x -> x < 0.3)).contains(new Bisection(0.25, 0.5));
    assertThat(Bisection.around(1, 0.25, 100, x -> x < 0.7)).contains(new Bisection(0.5, 1));
    assertThat(Bisection.around(1, 0.25, 100, x -> x < 0.2))
        .as("one step below the least")
        .contains(new Bisection(0.125, 0.25));
    assertThat(Bisection.around(1, 0.25, 100, x -> false)).isEmpty();
  }

  @Test
  void keepsTheChangeBetweenItsEnds() {
    assertThat(new Bisection(0, 8).halved(3, x -> x <= 5)).isEqualTo(new Bisection(5, 6));
    assertThat(new Bisection(0, 8).halved(0, x -> x <= 5)).isEqualTo(new Bisection(0, 8));
    assertThat(new Bisection(4, 8).narrowed(0.25, x -> x <= 5)).isEqualTo(new Bisection(5, 6));
    assertThat(new Bisection(6, 8).narrowed(0.25, x -> x <= 7))
        .as("exactly narrow enough")
        .isEqualTo(new Bisection(6, 8));
    double root = Math.sqrt(2);
    assertThat(new Bisection(0, 2).narrowed(0, x -> x <= root))
        .isEqualTo(new Bisection(root, Math.nextUp(root)));
  }

  @Test
  void findsTheLargestWholeNumberAndAsksForNoOther() {
    for (long wanted = 3; wanted < 20; wanted++) {
      long last = wanted;
      List<Long> asked = new ArrayList<>();
      assertThat(
              Bisection.largest(
                  3,
                  20,
                  n -> {
                    asked.add(n);
                    return n <= last;
                  }))
          .isEqualTo(wanted);
      assertThat(asked).allMatch(n -> n > 3 && n < 20);
    }
    long far = Long.MAX_VALUE - 5;
    assertThat(Bisection.largest(Long.MAX_VALUE / 2, Long.MAX_VALUE, n -> n <= far)).isEqualTo(far);
  }
}
