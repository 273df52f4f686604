// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Which name may be meant, where somebody has mistyped one. */
public final class NearName {
  private NearName() {}

  /** The nearest of these names; none if too many letters differ. */
  public static Optional<String> of(String text, Collection<String> names) {
    return names.stream()
        .filter(other -> distance(text, other) <= Math.max(2, text.length() / 3))
        .min(Comparator.comparingInt((String other) -> distance(text, other)));
  }

  /** How many letters have to change (Levenshtein), whatever their case. */
  private static int distance(String one, String other) {
    List<Integer> a = one.toLowerCase(Locale.ROOT).codePoints().boxed().toList();
    List<Integer> b = other.toLowerCase(Locale.ROOT).codePoints().boxed().toList();
    int[] row = new int[b.size() + 1];
    for (int j = 0; j <= b.size(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.size(); i++) {
      int before = row[0];
      row[0] = i;
      for (int j = 1; j <= b.size(); j++) {
        int replaced = before + (a.get(i - 1).equals(b.get(j - 1)) ? 0 : 1);
        before = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.size()];
  }
}
