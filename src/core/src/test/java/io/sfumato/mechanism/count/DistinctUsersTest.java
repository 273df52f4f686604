// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.count;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.RenyiCurve;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.mechanism.additive.LaplaceNoise;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sensitivities of counts of distinct users, against all ways in which a user may come. */
class DistinctUsersTest {
  /** Every choice of cells in a row of windows, a bit a cell. */
  private static List<int[]> visits(int row, int cells, int perWindow, int windows) {
    List<int[]> all = new ArrayList<>();
    visits(new int[row], 0, cells, perWindow, windows, all);
    return all;
  }

  private static void visits(
      int[] chosen, int at, int cells, int perWindow, int left, List<int[]> all) {
    if (at == chosen.length) {
      all.add(chosen.clone());
      return;
    }
    for (int set = 0; set < 1 << cells; set++) {
      if (Integer.bitCount(set) <= perWindow && (set == 0 || left > 0)) {
        chosen[at] = set;
        visits(chosen, at + 1, cells, perWindow, left - (set == 0 ? 0 : 1), all);
      }
    }
    chosen[at] = 0;
  }

  /** How many counts one user moves: each of these moves by 1. */
  private static long movedOfWindows(int[] visits) {
    return IntStream.of(visits).map(Integer::bitCount).sum();
  }

  private static long movedOfLast(int[] visits, int last) {
    long moved = 0;
    for (int t = 0; t < visits.length + last - 1; t++) {
      int seen = 0;
      for (int w = Math.max(0, t - last + 1); w <= Math.min(t, visits.length - 1); w++) {
        seen |= visits[w];
      }
      moved += Integer.bitCount(seen);
    }
    return moved;
  }

  private static long most(List<int[]> all, ToLongFunction<int[]> moved) {
    return all.stream().mapToLong(moved).max().orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 3, 2", "3, 1, 3, 3", "3, 2, 3, 2", "4, 2, 3, 3", "2, 3, 4, 3", "3, 3, 2, 2"})
  void shouldBeTheMostThatAnyVisitsMoveInAPeriod(int cells, int perWindow, int row, int windows) {
    DistinctUsers users = new DistinctUsers(perWindow, OptionalLong.of(cells));
    List<int[]> all = visits(row, cells, perWindow, windows);
    assertThat(most(visits(1, cells, perWindow, 1), DistinctUsersTest::movedOfWindows))
        .isEqualTo(users.ofWindow());
    for (int most = 1; most <= 10; most++) {
      int bound = most;
      long found =
          most(all, visits -> movedOfWindows(visits) <= bound ? movedOfWindows(visits) : 0);
      assertThat(found).isEqualTo(users.ofPeriod(windows, most));
    }
  }

  /** One cell, as of a total: exact for all n, W and m. */
  @Test
  void shouldBeExactOverTheLastWindowsOfOneCell() {
    DistinctUsers one = new DistinctUsers(1, OptionalLong.of(1));
    for (int row = 1; row <= 9; row++) {
      for (int windows = 1; windows <= row; windows++) {
        List<int[]> all = visits(row, 1, 1, windows);
        for (int last = 1; last <= 6; last++) {
          int n = last;
          assertThat(most(all, visits -> movedOfLast(visits, n)))
              .as("n %d, W %d, m %d", last, windows, row)
              .isEqualTo(one.ofLast(last, windows, row))
              .isEqualTo(Math.min((long) n * windows, row + n - 1L));
        }
      }
    }
  }

  /** With enough subjects a user is somewhere else each time: then windows add up in full. */
  @ParameterizedTest
  @CsvSource({"4, 1, 4, 4, 3", "3, 1, 4, 3, 3", "4, 2, 3, 3, 2", "6, 2, 3, 3, 3"})
  void shouldAddUpOverManyCells(int cells, int perWindow, int row, int windows, int last) {
    List<int[]> all = visits(row, cells, perWindow, windows);
    long found = most(all, visits -> movedOfLast(visits, last));
    assertThat(new DistinctUsers(perWindow, OptionalLong.empty()).ofLast(last, windows, row))
        .isEqualTo(found)
        .isEqualTo((long) last * windows * perWindow);
  }

  /** With few of them both bounds hold. */
  @ParameterizedTest
  @CsvSource({"2, 1, 5, 5, 3", "2, 1, 5, 3, 4", "2, 2, 4, 4, 3", "3, 2, 4, 4, 4"})
  void shouldHoldWhereCellsArePublic(int cells, int perWindow, int row, int windows, int last) {
    List<int[]> all = visits(row, cells, perWindow, windows);
    long found = most(all, visits -> movedOfLast(visits, last));
    DistinctUsers users = new DistinctUsers(perWindow, OptionalLong.of(cells));
    assertThat(users.ofLast(last, windows, row))
        .isBetween(found, (long) cells * (row + last - 1))
        .isLessThanOrEqualTo(users.ofLast(last, windows));
  }

  /** A user of every day costs the week's count sqrt(37 / 31) times what a day's costs. */
  @Test
  void shouldCostAWeekLittleMoreThanADay() {
    DistinctUsers one = new DistinctUsers(1, OptionalLong.of(1));
    assertThat(one.ofLast(7, 31, 31)).isEqualTo(37);
    double day = new GaussianNoise(1 << 20).charge(one.sensitivity()).curve().at(2);
    double week =
        new GaussianNoise(1 << 20).charge(DistinctUsers.gaussianPart(37, 31)).curve().at(2);
    assertThat(week / day).isCloseTo(37.0 / 31, within(1e-9)).isGreaterThanOrEqualTo(37.0 / 31);
  }

  /** A window's parts add up to no less than the whole, at every order, and in pure losses. */
  @ParameterizedTest
  @CsvSource({"1, 1", "37, 31", "7, 1", "217, 31", "40, 31", "5, 3", "148, 31", "3, 4", "1, 7"})
  void shouldChargePartsThatAddUpToTheWhole(long moved, long windows) {
    GaussianNoise gaussian = new GaussianNoise(1 << 14);
    RenyiCurve gaussianPart = gaussian.charge(DistinctUsers.gaussianPart(moved, windows)).curve();
    LaplaceNoise laplace = new LaplaceNoise(LaplaceNoise.STEPS / 4);
    Sensitivity part = DistinctUsers.laplacePart(moved, windows);
    RenyiCurve laplacePart = laplace.charge(part).curve();
    RenyiCurve one = RenyiCurve.pure(1.0 / 4);
    for (double order : new double[] {1.1, 2, 8, 64, 1024}) {
      double sigma2 = gaussian.deviation() * gaussian.deviation();
      assertThat(windows * gaussianPart.at(order))
          .isGreaterThanOrEqualTo(order * moved / (2 * sigma2) * (1 - 1e-12))
          .isLessThan(order * moved / (2 * sigma2) * (1 + 1e-9));
      assertThat(windows * laplacePart.at(order))
          .isGreaterThanOrEqualTo(Math.min(moved * one.at(order), moved / 4.0) * (1 - 1e-12));
    }
    assertThat(windows * part.l1()).isGreaterThanOrEqualTo(moved);
  }

  @Test
  void shouldNeedACell() {
    assertThatThrownBy(() -> new DistinctUsers(0, OptionalLong.empty()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new DistinctUsers(1, OptionalLong.of(0)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
