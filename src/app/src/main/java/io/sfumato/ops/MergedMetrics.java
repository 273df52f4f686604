// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Several registries as one text of metrics. Prometheus takes each metric once, with all its series
 * in a row: those of one name are put together under the first help and type.
 */
final class MergedMetrics {
  private static final String HELP = "# HELP ";
  private static final String COMMENT = "#";

  private MergedMetrics() {}

  /** The head of a metric, and its series. */
  private record Family(List<String> head, List<String> series) {}

  /**
   * Merges.
   *
   * @param scrapes texts of Prometheus' format 0.0.4, each with a help line for every metric
   */
  static String of(List<String> scrapes) {
    Map<String, Family> families = new LinkedHashMap<>();
    for (String scrape : scrapes) {
      Family current = new Family(new ArrayList<>(), new ArrayList<>());
      boolean isFirst = false;
      for (String line : (Iterable<String>) scrape.lines()::iterator) {
        if (line.startsWith(HELP)) {
          String name = line.substring(HELP.length()).split(" ", 2)[0];
          isFirst = !families.containsKey(name);
          current =
              families.computeIfAbsent(name, n -> new Family(new ArrayList<>(), new ArrayList<>()));
        }
        if (!line.startsWith(COMMENT)) {
          current.series().add(line);
        } else if (isFirst) {
          current.head().add(line);
        }
      }
    }
    StringBuilder text = new StringBuilder();
    for (Family family : families.values()) {
      family.head().forEach(line -> text.append(line).append('\n'));
      family.series().forEach(line -> text.append(line).append('\n'));
    }
    return text.toString();
  }
}
