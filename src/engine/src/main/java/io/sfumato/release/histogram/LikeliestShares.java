// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.text.Bars;
import io.sfumato.text.Visible;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The largest shares of a release in a line, each with a bar and its error.
 *
 * @param share of a category
 * @param error of it, where there is one
 */
record LikeliestShares(
    List<String> categories, IntToDoubleFunction share, IntFunction<OptionalDouble> error) {
  private static final int SHOWN = 4;
  private static final int BAR = 8;

  String line() {
    String shown =
        IntStream.range(0, categories.size())
            .boxed()
            .sorted((i, k) -> Double.compare(share.applyAsDouble(k), share.applyAsDouble(i)))
            .limit(SHOWN)
            .map(this::one)
            .collect(Collectors.joining("  "));
    int more = categories.size() - SHOWN;
    return more > 0 ? shown + "  and " + more + " more" : shown;
  }

  private String one(int category) {
    double found = share.applyAsDouble(category);
    OptionalDouble half = error.apply(category);
    return String.format(
        Locale.ROOT,
        "%s %s %4.1f%%%s",
        Visible.of(categories.get(category)),
        Bars.bar(found, BAR),
        found * 100,
        half.isPresent() ? String.format(Locale.ROOT, " +-%.1f", half.getAsDouble() * 100) : "");
  }
}
