// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class WindowBinsTest {
  /** As the rule says it: one window after another. */
  private static int put(List<Long> widths) {
    widths.add(1L);
    int merged = 0;
    for (long width = 1; ; width *= 2) {
      long wanted = width;
      if (widths.stream().filter(w -> w == wanted).count() <= WindowBins.MOST) {
        return merged;
      }
      int oldest = widths.indexOf(wanted);
      widths.remove(oldest);
      widths.set(oldest, 2 * wanted);
      merged++;
    }
  }

  @Tag("deep")
  @Test
  void followFromTheNumberOfWindowsAlone() {
    List<Long> widths = new ArrayList<>();
    for (int windows = 1; windows <= 20_000; windows++) {
      int merged = put(widths);
      WindowBins bins = new WindowBins(windows);
      assertThat(bins.merging()).isEqualTo(merged);
      assertThat(bins.widths()).containsExactly(widths.stream().mapToLong(w -> w).toArray());
      assertThat(bins.count()).isEqualTo(widths.size());
      for (int level = 0; level < bins.levels(); level++) {
        assertThat(bins.of(level)).isBetween(1, WindowBins.MOST);
        assertThat(bins.first(level)).isEqualTo(widths.indexOf(1L << level));
      }
    }
  }

  @Test
  void areNoWiderThanASixteenthOfTheirAgeAndFew() {
    for (long windows = 1; windows < 1L << 40; windows = 3 * windows + 1) {
      long age = 0;
      long[] widths = new WindowBins(windows).widths();
      for (int bin = widths.length - 1; bin >= 0; bin--) {
        // Every level below is at least 15/16 of its own size before the next one begins.
        assertThat(widths[bin] - 1).isLessThanOrEqualTo(age / 15);
        age += widths[bin];
      }
      assertThat(age).isEqualTo(windows);
      assertThat(widths.length).isLessThan(32 + 32 * 36);
    }
    assertThat(new WindowBins(1 << 20).count()).isLessThan(500);
  }
}
