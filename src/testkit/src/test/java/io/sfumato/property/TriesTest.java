// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.property;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class TriesTest {
  private static final AtomicInteger RUNS = new AtomicInteger();

  @AfterAll
  static void shouldHaveRunAsOftenAsAsked() {
    assertThat(RUNS).hasValue(7);
  }

  @Property(tries = 7)
  void shouldRunWithDrawnArguments(@ForAll @IntRange(min = 3, max = 4) int value) {
    RUNS.incrementAndGet();
    assertThat(value).isBetween(3, 4);
  }

  @Property(tries = 50)
  void shouldDiscardWhatIsNotAssumed(@ForAll int value) {
    assumeTrue(value != 0);
    assertThat(value).isNotZero();
  }

  @SuppressWarnings("unused")
  private static void everyType(
      @ForAll int whole,
      @ForAll @LongRange(min = -5, max = 1L << 40) long large,
      @ForAll @DoubleRange(min = 1e-9, max = 10) double number,
      @ForAll double any,
      @ForAll byte small,
      @ForAll boolean flag,
      @ForAll String text,
      @ForAll byte[] bytes,
      @ForAll @Size(6) int[] six,
      @ForAll @Size(min = 1, max = 4) List<@IntRange(max = 2) Integer> list,
      @ForAll Random random) {}

  private static Tries tries(int count, long seed) {
    Method method =
        Arrays.stream(TriesTest.class.getDeclaredMethods())
            .filter(found -> found.getName().equals("everyType"))
            .findAny()
            .orElseThrow();
    return new Tries(
        count,
        seed,
        Arrays.stream(method.getParameters()).<Generator<?>>map(Generators::of).toList());
  }

  /** Arguments of all runs, those of one parameter beside each other. */
  private static List<Object> drawn(int parameter) {
    List<Object> drawn = new ArrayList<>();
    tries(1000, 5).run(arguments -> drawn.add(arguments[parameter]));
    assertThat(drawn).hasSize(1000);
    return drawn;
  }

  private static <T> void everyOne(int parameter, Class<T> type, Predicate<T> every) {
    assertThat(drawn(parameter)).allMatch(value -> every.test(type.cast(value)));
  }

  @Test
  void shouldKeepToTheRangesAndReachTheirEnds() {
    everyOne(1, Long.class, value -> value >= -5 && value <= 1L << 40);
    everyOne(2, Double.class, value -> value >= 1e-9 && value <= 10);
    everyOne(3, Double.class, Double::isFinite);
    everyOne(6, String.class, value -> value.codePointCount(0, value.length()) <= 255);
    everyOne(8, int[].class, value -> value.length == 6);
    assertThat(drawn(0)).contains(Integer.MIN_VALUE, Integer.MAX_VALUE, 0, 1, -1);
    assertThat(drawn(1)).contains(-5L, 1L << 40, 0L);
    assertThat(drawn(2)).contains(1e-9, 10.0, 1.0);
    assertThat(drawn(3)).contains(-Double.MAX_VALUE, Double.MAX_VALUE, 0.0);
    assertThat(drawn(4)).contains(Byte.MIN_VALUE, Byte.MAX_VALUE, (byte) 0);
    assertThat(drawn(5)).contains(true, false);
    assertThat(drawn(6)).contains("");
    assertThat(drawn(7)).anyMatch(value -> ((byte[]) value).length == 0);
    assertThat(drawn(7)).anyMatch(value -> ((byte[]) value).length == 255);
    Set<Object> items = new HashSet<>();
    Set<Integer> sizes = new HashSet<>();
    for (Object list : drawn(9)) {
      items.addAll((List<?>) list);
      sizes.add(((List<?>) list).size());
    }
    assertThat(items).containsExactlyInAnyOrder(0, 1, 2);
    assertThat(sizes).containsExactlyInAnyOrder(1, 2, 3, 4);
  }

  @Test
  void shouldDrawEveryOrderOfMagnitude() {
    Set<Integer> bits = new HashSet<>();
    drawn(0).forEach(value -> bits.add(Integer.SIZE - Integer.numberOfLeadingZeros((int) value)));
    assertThat(bits).hasSize(Integer.SIZE + 1);
    Set<Integer> exponents = new HashSet<>();
    drawn(2).forEach(value -> exponents.add((int) Math.floor(Math.log10((double) value))));
    assertThat(exponents).contains(-9, -8, -7, -6, -5, -4, -3, -2, -1, 0);
  }

  @Test
  void shouldDrawTheSameFromTheSameSeed() {
    for (int run = 0; run < 100; run++) {
      Object[] once = tries(100, 5).arguments(run);
      Object[] again = tries(100, 5).arguments(run);
      long number = ((Random) once[10]).nextLong();
      assertThat(((Random) again[10]).nextLong()).isEqualTo(number);
      once[10] = again[10];
      assertThat(again).isEqualTo(once);
    }
    assertThat(tries(100, 5).arguments(3)[1]).isNotEqualTo(tries(100, 6).arguments(3)[1]);
  }

  @Test
  void shouldStopAtTheFirstFailureAndSayHowToRepeatIt() {
    AtomicInteger runs = new AtomicInteger();
    IllegalStateException cause = new IllegalStateException("odd");
    Tries tries = new Tries(1000, 42, List.of(Numbers.between(0, 1_000_000L)));
    assertThatThrownBy(
            () ->
                tries.run(
                    arguments -> {
                      runs.incrementAndGet();
                      if ((long) arguments[0] > 1000) {
                        throw cause;
                      }
                    }))
        .isInstanceOf(AssertionError.class)
        .hasCause(cause)
        .hasMessageContaining("[" + tries.arguments(runs.get() - 1)[0] + "]")
        .hasMessageContaining("run " + runs.get() + " of 1000")
        .hasMessageContaining("-Dsfumato.property.seed=42");
  }

  @Test
  void shouldCountNoDiscardedRunAndGiveUpWhenAllAre() {
    AtomicInteger runs = new AtomicInteger();
    List<Object> held = new ArrayList<>();
    new Tries(100, 1, List.of(Numbers.between(0, 9L)))
        .run(
            arguments -> {
              runs.incrementAndGet();
              assumeTrue((long) arguments[0] < 5);
              held.add(arguments[0]);
            });
    assertThat(held).hasSize(100);
    assertThat(runs.get()).isGreaterThan(100);
    assertThatThrownBy(() -> new Tries(5, 1, List.of()).run(arguments -> assumeTrue(false)))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("all but 0 of 50");
  }
}
