// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Facts for people: a label and a line for each row; what has a title is a block of its own. */
public final class FactText {
  private static final String INDENT = "  ";

  private FactText() {}

  /**
   * What facts say, by their labels.
   *
   * @param label such as {@code error}
   * @param lines one or more
   */
  public record Labelled(String label, List<String> lines) {
    public Labelled {
      lines = List.copyOf(lines);
    }
  }

  /** All rows, each label once for rows that follow each other. */
  public static List<Labelled> rows(Facts facts) {
    List<Labelled> found = new ArrayList<>();
    for (Facts.Row row : facts.rows()) {
      List<String> lines = row.label().isEmpty() ? List.of() : lines(row.facts());
      if (lines.isEmpty()) {
        continue;
      }
      int last = found.size() - 1;
      if (last >= 0 && found.get(last).label().equals(row.label())) {
        lines = new ArrayList<>(lines);
        lines.addAll(0, found.remove(last).lines());
      }
      found.add(new Labelled(row.label(), lines));
    }
    return found;
  }

  /** Lines of text, the last one with its end. */
  public static String of(Facts facts) {
    StringBuilder text = new StringBuilder();
    append(text, facts);
    return text.toString();
  }

  private static void append(StringBuilder text, Facts facts) {
    String indent = facts.title().isEmpty() ? "" : INDENT;
    if (!facts.title().isEmpty()) {
      text.append(facts.title()).append('\n');
    }
    boolean afterBlock = false;
    for (Facts.Row row : facts.rows()) {
      List<Facts> blocks = row.facts().stream().flatMap(fact -> blocks(fact).stream()).toList();
      for (Facts block : blocks) {
        append(text.append('\n'), block);
      }
      List<String> lines =
          row.label().isEmpty() || !blocks.isEmpty() ? List.of() : lines(row.facts());
      if (afterBlock && !lines.isEmpty()) {
        text.append('\n');
      }
      afterBlock = (afterBlock && lines.isEmpty()) || !blocks.isEmpty();
      String label = row.label();
      for (String line : lines) {
        text.append(String.format(Locale.ROOT, "%s%-10s %s\n", indent, label, line));
        label = "";
      }
    }
  }

  /** What of a fact stands under a title of its own. */
  private static List<Facts> blocks(Fact fact) {
    List<Facts> all =
        fact instanceof Fact.Table table
            ? table.rows()
            : fact instanceof Fact.Group group ? List.of(group.facts()) : List.of();
    return all.stream().filter(facts -> !facts.title().isEmpty()).toList();
  }

  /** Facts on one line, then those that have lines of their own. */
  private static List<String> lines(List<Fact> facts) {
    List<String> lines = new ArrayList<>();
    String first =
        facts.stream().flatMap(fact -> inline(fact).stream()).collect(Collectors.joining(", "));
    if (!first.isEmpty()) {
      lines.add(first);
    }
    String indent = lines.isEmpty() ? "" : INDENT;
    for (Fact fact : facts) {
      if (fact instanceof Fact.Table table) {
        table.rows().forEach(row -> nested(row).forEach(line -> lines.add(indent + line)));
      }
    }
    return lines;
  }

  /**
   * Rows of facts that are a part of others: on one line, then those that have lines of their own.
   */
  private static List<String> nested(Facts facts) {
    List<String> together = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (Labelled row : rows(facts)) {
      together.add(row.lines().get(0));
      others.addAll(row.lines().subList(1, row.lines().size()));
    }
    if (!together.isEmpty()) {
      others.add(0, String.join("; ", together));
    }
    return others;
  }

  /** What stands among others on a line; nothing for what has lines of its own. */
  private static Optional<String> inline(Fact fact) {
    String value = "";
    if (fact instanceof Fact.Words words) {
      value = words.words();
    } else if (fact instanceof Fact.Flag flag) {
      value = flag.value() ? "yes" : "no";
    } else if (fact instanceof Fact.Number number) {
      value = shown(number);
    } else if (fact instanceof Fact.Many many) {
      value = String.join(", ", many.words());
    } else if (fact instanceof Fact.Group group) {
      String facts = String.join("; ", nested(group.facts()));
      value = group.name().isEmpty() || facts.isEmpty() ? facts : "(" + facts + ")";
    }
    return value.isEmpty()
        ? Optional.empty()
        : Optional.of(fact.name().isEmpty() ? value : fact.name() + " " + value);
  }

  private static String shown(Fact.Number number) {
    String value =
        switch (number.form()) {
          case PLAIN -> plain(number.value());
          case BAR -> "+-" + ReportText.rounded(number.value().doubleValue());
          case PERCENT -> ReportText.percent(number.value().doubleValue());
          case AT_MOST -> ReportText.atMost(number.value().doubleValue());
          case BYTES -> bytes(number.value().longValue());
        };
    String unit = value.equals("1") ? number.unit().replaceFirst("s\\b", "") : number.unit();
    return unit.isEmpty() ? value : value + " " + unit;
  }

  private static String plain(Number value) {
    if (value instanceof BigDecimal decimal) {
      return ReportText.plain(decimal);
    }
    return value instanceof Double real
        ? ReportText.significant(real)
        : String.format(Locale.ROOT, "%,d", value.longValue());
  }

  private static String bytes(long bytes) {
    return bytes < 10_240
        ? String.format(Locale.ROOT, "%,d bytes", bytes)
        : String.format(Locale.ROOT, "%,d KiB", -Math.floorDiv(-bytes, 1024L));
  }
}
