// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.combine;

import io.sfumato.rows.NoiseScope;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Which rows may be combined: those whose noise is independent, and known. */
final class Independence {
  private Independence() {}

  /** Numbers of one kind that add up, each once and with noise of its own. */
  static void requireLinear(Collection<FileRow> rows) {
    requireAlike(rows);
    requireNoise(rows);
  }

  /** Numbers that add up, each once and with noise of its own. */
  static void requireNoise(Collection<FileRow> rows) {
    rows.forEach(Independence::requireLinear);
    requireOnce(rows);
    requireIndependent(rows);
  }

  private static void requireLinear(FileRow row) {
    if (!row.adds()) {
      throw switch (row.kind()) {
        case "estimated", "share" ->
            new InvalidCombinationException(
                "%s was moved to a possible value, so errors do not cancel: take the measure %s",
                row, measureOfNoise(row));
        case "mean" ->
            new InvalidCombinationException(
                "%s cannot be added up: take pooled-mean, with all rows of the output", row);
        default ->
            new InvalidCombinationException(
                "%s is not a count or a sum, so it cannot be added up: release it for longer"
                    + " windows",
                row);
      };
    }
    requireKnown(row);
    if (row.marks().clamped()) {
      throw new InvalidCombinationException(
          "%s is clamped, so it is too large on average: take a 'count' release, or the 'part'"
              + " rows of a mean",
          row);
    }
    if (row.ends().isPresent() && !row.isExact() && lean(row) > slack(row)) {
      throw new InvalidCombinationException(
          "%s was selected or moved (its interval is not symmetric): start with the next window,"
              + " or take 'noisy count'",
          row);
    }
  }

  private static String measureOfNoise(FileRow row) {
    if (row.kind().equals("share")) {
      return "'noisy count' or 'count'; if the file has neither, export a 'count' output";
    }
    return row.place().measure().endsWith("users") ? "'noisy users'" : "'noisy count'";
  }

  private static double lean(FileRow row) {
    return Math.abs(row.high() - row.number() - (row.number() - row.low()));
  }

  private static double slack(FileRow row) {
    if (row.isWhole()) {
      return 1;
    }
    double largest =
        Math.max(Math.abs(row.number()), Math.max(Math.abs(row.low()), Math.abs(row.high())));
    return 1e-6 * Math.max(largest, 1e-300);
  }

  /** A number that says something, with noise of a known size. */
  static void requireKnown(FileRow row) {
    if (row.marks().unknown()) {
      throw new InvalidCombinationException(
          "%s is unknown (too much noise): leave it out, and say so", row);
    }
    if (row.ends().isEmpty() && row.deviation().isEmpty() && !row.isExact()) {
      throw new InvalidCombinationException(
          "%s has neither interval nor deviation: it is no number with known noise", row);
    }
  }

  /** One measure of one output, with the same category columns: then a sum means something. */
  private static void requireAlike(Collection<FileRow> rows) {
    if (rows.isEmpty()) {
      throw new InvalidCombinationException("no rows: check the file and the selection");
    }
    requireOneMeasure(rows);
    requireOneOutput(rows);
    FileRow first = rows.iterator().next();
    for (FileRow row : rows) {
      if (first.isExact() != row.isExact()) {
        throw new InvalidCombinationException(
            "%s is a public fact, and %s has noise: combine rows of one kind",
            first.isExact() ? first : row, first.isExact() ? row : first);
      }
    }
  }

  static void requireOneMeasure(Collection<FileRow> rows) {
    List<String> measures = texts(rows, "measure");
    if (measures.size() > 1) {
      throw new InvalidCombinationException(
          "the rows have the measures %s: select one, such as --where measure=%s",
          Suggestions.list(measures), Suggestions.quoted(measures.get(0)));
    }
  }

  /** One output, and one set of category columns: else records may count twice. */
  static void requireOneOutput(Collection<FileRow> rows) {
    List<String> outputs = texts(rows, "output");
    if (outputs.size() > 1) {
      throw new InvalidCombinationException(
          "the rows are of the outputs %s, which may count the same records: select one, such as"
              + " --where output=%s",
          Suggestions.list(outputs), Suggestions.quoted(outputs.get(0)));
    }
    FileRow first = rows.iterator().next();
    for (FileRow row : rows) {
      if (!row.place().group().keySet().equals(first.place().group().keySet())) {
        throw new InvalidCombinationException(
            "%s and %s have different category columns, so one may include records of the other:"
                + " select rows with the same columns",
            first, row);
      }
    }
  }

  private static List<String> texts(Collection<FileRow> rows, String column) {
    return rows.stream().map(row -> row.cell(column)).distinct().sorted().toList();
  }

  /** No number is there twice, nor in two versions of the file. */
  static void requireOnce(Collection<FileRow> rows) {
    Map<FileRow.Place, FileRow> seen = new HashMap<>();
    for (FileRow row : rows) {
      FileRow other = seen.put(row.place(), row);
      if (other != null && !other.version().equals(row.version())) {
        throw new InvalidCombinationException(
            "%s is there in versions %s and %s of the file: select one with --where version=%s",
            row, other.version(), row.version(), row.version());
      }
      if (other != null) {
        throw new InvalidCombinationException(
            "%s is there twice: drop duplicates; read topics with isolation.level=read_committed",
            row);
      }
    }
  }

  /** No numbers of distinct users: one user can be in several. */
  static void requireNoUsers(Collection<FileRow> rows) {
    for (FileRow row : rows) {
      if (row.countsUsers()) {
        throw new InvalidCombinationException(
            "%s counts distinct users, and a user of two windows, subjects or categories counts in"
                + " each: take weighted-mean, or let the pipeline count users 'over' several"
                + " windows",
            row);
      }
    }
  }

  /** What two rows agree in if they share noise. */
  private record Shared(NoiseScope scope, List<Object> agreed) {}

  /** No two rows share noise: their scopes decide. */
  static void requireIndependent(Collection<FileRow> rows) {
    Map<Shared, FileRow> seen = new HashMap<>();
    List<FileRow> noisy = rows.stream().filter(row -> !row.isExact()).toList();
    Set<NoiseScope> scopes = EnumSet.noneOf(NoiseScope.class);
    noisy.forEach(row -> scopes.add(scope(row)));
    for (FileRow row : noisy) {
      for (NoiseScope scope : scopes) {
        FileRow other = seen.get(new Shared(scope, agreed(row, scope)));
        if (other != null) {
          throw shared(other, row);
        }
      }
      scopes.forEach(scope -> seen.put(new Shared(scope(row), agreed(row, scope)), row));
    }
  }

  /** Parts of one group have draws of their own. */
  private static NoiseScope scope(FileRow row) {
    NoiseScope scope = row.scope().orElseThrow();
    return scope == NoiseScope.GROUP && row.kind().equals("part") ? NoiseScope.ROW : scope;
  }

  /** What both scopes name of a row, and its value. */
  private static List<Object> agreed(FileRow row, NoiseScope other) {
    List<Object> found = new ArrayList<>();
    for (NoiseScope.Key key : NoiseScope.Key.values()) {
      if (scope(row).keys().contains(key) && other.keys().contains(key)) {
        found.add(key);
        found.add(
            switch (key) {
              case SUBJECT -> row.place().subject();
              case OUTPUT -> row.place().output();
              case WINDOW -> row.place().window();
              case CATEGORY -> row.place().group();
              case MEASURE -> row.place().measure();
            });
      }
    }
    return found;
  }

  private static InvalidCombinationException shared(FileRow one, FileRow other) {
    if (one.spansWindows() || other.spansWindows()) {
      return new InvalidCombinationException(
          "%s and %s share draws, as sums over windows do: take the last of them, or let the"
              + " pipeline sum 'over' fewer windows",
          one, other);
    }
    boolean isOneRelease =
        Objects.equals(one.place().output(), other.place().output())
            && one.place().subject().equals(other.place().subject())
            && one.place().window().equals(other.place().window());
    return new InvalidCombinationException(
        isOneRelease
            ? "%s and %s share draws: take the row of their total, a 'count' release, or"
                + " pooled-mean"
            : "%s and %s share draws: take the measure 'noisy count', or the output that both are"
                + " computed from",
        one,
        other);
  }

  /** No record counts in two rows: windows of one subject do not overlap, unless groups differ. */
  static void requireDisjoint(Collection<FileRow> rows) {
    List<FileRow> sorted = new ArrayList<>(rows);
    sorted.sort(
        Comparator.comparing((FileRow row) -> row.place().subject())
            .thenComparing(row -> row.place().window().start())
            .thenComparing(row -> row.place().window().end()));
    Map<String, FileRow> last = new HashMap<>();
    for (FileRow row : sorted) {
      FileRow before = last.get(row.place().subject());
      boolean overlaps =
          before != null && row.place().window().start().isBefore(before.place().window().end());
      if (overlaps && !before.place().window().equals(row.place().window())) {
        throw new InvalidCombinationException(
            before.version().equals(row.version())
                ? "windows overlap, so records count twice: %s and %s; select windows of one size"
                : "windows of two versions of the file overlap, so records count twice: %s and %s;"
                    + " select one with --where version=...",
            before,
            row);
      }
      if (!overlaps || row.place().window().end().isAfter(before.place().window().end())) {
        last.put(row.place().subject(), row);
      }
    }
  }
}
