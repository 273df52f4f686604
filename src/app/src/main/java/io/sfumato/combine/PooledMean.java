// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.combine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The mean of a number over windows and groups, from the parts that mean releases publish. */
public final class PooledMean {
  private static final String PART = "part ";
  private static final String OF = " of ";

  /** The release that rows are of. */
  private record Release(String output, String subject, FileRow.Window window) {
    static Release of(FileRow row) {
      return new Release(row.place().output(), row.place().subject(), row.place().window());
    }
  }

  /** A group of a release. */
  private record Cell(Release release, Map<String, String> group) {}

  private final List<Ratio.Term> terms = new ArrayList<>();
  private double least = Double.POSITIVE_INFINITY;
  private double most = Double.NEGATIVE_INFINITY;

  private PooledMean() {}

  /**
   * The mean of one number's rows.
   *
   * @param rows all rows of mean releases: {@code part}, {@code lowest}, {@code highest} and others
   * @throws InvalidCombinationException if there is no valid interval
   */
  public static Combined of(List<FileRow> rows) {
    Independence.requireOnce(rows);
    Map<Cell, Map<String, FileRow>> cells = new LinkedHashMap<>();
    Map<Release, FileRow> records = new HashMap<>();
    TreeSet<String> numbers = new TreeSet<>();
    for (FileRow row : rows) {
      String[] words = row.place().measure().split(OF, 2);
      if (row.place().measure().equals("records")) {
        records.put(Release.of(row), row);
      } else if (words.length == 2) {
        numbers.add(words[1]);
        Cell cell = new Cell(Release.of(row), row.place().group());
        cells.computeIfAbsent(cell, key -> new HashMap<>()).put(words[0], row);
      }
    }
    if (numbers.size() > 1) {
      throw new InvalidCombinationException(
          "the rows are of the numbers %s: select the rows of one", Suggestions.list(numbers));
    }
    PooledMean mean = new PooledMean();
    cells.forEach(
        (cell, found) -> {
          if (found.containsKey(PART + 0)) {
            mean.add(found, records.get(cell.release()));
          }
        });
    return mean.combined();
  }

  private void add(Map<String, FileRow> found, FileRow records) {
    FileRow first = found.get(PART + 0);
    for (String name : List.of("lowest", "highest")) {
      if (!found.containsKey(name)) {
        throw new InvalidCombinationException(
            "no '%s' row for %s: pass all rows of the mean release", name, first);
      }
    }
    double low = found.get("lowest").number();
    double high = found.get("highest").number();
    least = Math.min(least, low);
    most = Math.max(most, high);
    List<FileRow> parts =
        Stream.of(0, 1, 2).map(k -> PART + k).filter(found::containsKey).map(found::get).toList();
    int moments = found.containsKey("variance") ? 2 : 1;
    // Where the number of records is public, the first part follows from the others.
    int drawn = moments + 1 - parts.size();
    if (drawn < 0
        || drawn > 1
        || drawn == 1 && (records == null || !first.place().group().isEmpty())) {
      throw new InvalidCombinationException(
          "parts of %s are missing: pass all rows of the mean release", first);
    }
    for (int i = 0; i < parts.size(); i++) {
      double share = (double) (drawn + i) / moments;
      double above = (high - low) * share + (drawn == 1 ? 0 : low);
      terms.add(new Ratio.Term(above, 1 - drawn, parts.get(i)));
    }
    if (drawn == 1) {
      terms.add(new Ratio.Term(low, 1, records));
    }
  }

  private Combined combined() {
    if (terms.isEmpty()) {
      throw new InvalidCombinationException(
          "no 'part' rows of one window: pass all rows of a mean release, not only those of one"
              + " measure");
    }
    List<FileRow> parts =
        terms.stream().map(Ratio.Term::row).filter(row -> !row.isExact()).toList();
    Independence.requireOneOutput(parts);
    Independence.requireNoise(parts);
    Independence.requireDisjoint(
        parts.stream().filter(row -> row.place().measure().startsWith(PART + 0 + " ")).toList());
    return Ratio.of(terms, "add more windows").within(least, most);
  }
}
