// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.count;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Users of the last windows, against sets of users. */
class LastWindowsTest {
  private static final int CELLS = 3;

  /** The users of each cell of a window. */
  private static List<Set<Integer>> window(Random random, int users) {
    List<Set<Integer>> cells = new ArrayList<>();
    for (int cell = 0; cell < CELLS; cell++) {
      Set<Integer> here = new HashSet<>();
      for (int user = 0; user < users; user++) {
        if (random.nextInt(4) == 0) {
          here.add(user);
        }
      }
      cells.add(here);
    }
    return cells;
  }

  /** What the users' part hands over: how long ago each was in the cell before. */
  private static long[][] arrived(List<List<Set<Integer>>> windows, int t, int last) {
    long[][] arrived = new long[CELLS][last];
    for (int cell = 0; cell < CELLS; cell++) {
      for (int user : windows.get(t).get(cell)) {
        int gap = 1;
        while (gap < last && !(t - gap >= 0 && windows.get(t - gap).get(cell).contains(user))) {
          gap++;
        }
        arrived[cell][gap - 1]++;
      }
    }
    return arrived;
  }

  @Test
  void shouldCountTheUnionOfTheLastWindows() {
    Random random = new Random(11);
    for (int last = 1; last <= 6; last++) {
      for (int begin : new int[] {0, 4}) {
        List<List<Set<Integer>>> windows = new ArrayList<>();
        LastWindows users = LastWindows.start(CELLS, last);
        for (int t = 0; t < 30; t++) {
          windows.add(window(random, 12));
          if (t < begin) {
            continue;
          }
          // A subject whose count begins later knows of no earlier window, users do.
          users = LastWindows.of(users.users(), users.windows()).plus(arrived(windows, t, last));
          for (int cell = 0; cell < CELLS; cell++) {
            Set<Integer> union = new HashSet<>();
            for (int w = Math.max(begin, t - last + 1); w <= t; w++) {
              union.addAll(windows.get(w).get(cell));
            }
            assertThat(users.counts()[cell]).isEqualTo(union.size());
          }
          assertThat(users.windows()).isEqualTo(t - begin + 1);
        }
      }
    }
  }

  @Test
  void shouldRefuseOtherCellsAndWindows() {
    LastWindows users = LastWindows.start(2, 3);
    assertThatThrownBy(() -> users.plus(new long[1][3]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> users.plus(new long[2][2]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> LastWindows.of(new long[0][], 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> LastWindows.of(new long[][] {{1}, {1, 2}}, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(users).hasToString("LastWindows[0 windows]");
  }
}
