// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What links within a document may name: its headings, as GitHub names them. */
final class Anchors {
  private Anchors() {}

  static Set<String> of(Path document) throws IOException {
    Set<String> anchors = new TreeSet<>();
    Map<String, Integer> seen = new HashMap<>();
    boolean code = false;
    for (String line : Files.readAllLines(document)) {
      code ^= line.startsWith("```");
      if (!code && line.matches("#{1,6} .*")) {
        String slug = slug(line.replaceFirst("#+ ", ""));
        int before = seen.merge(slug, 1, Integer::sum) - 1;
        anchors.add(before == 0 ? slug : slug + "-" + before);
      }
    }
    return anchors;
  }

  /** Lower case; letters, digits, hyphens and underscores stay, spaces become hyphens. */
  private static String slug(String heading) {
    return heading
        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
        .strip()
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{M}\\p{N}\\p{Pc}\\- ]", "")
        .replace(' ', '-');
  }
}
