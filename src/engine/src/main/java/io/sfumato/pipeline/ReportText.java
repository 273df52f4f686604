// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.LossReport;
import io.sfumato.accounting.LossReport.Claim;
import io.sfumato.accounting.Period;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Lines of a plan's report that every kind of release has. */
public final class ReportText {
  private ReportText() {}

  /**
   * What a report says, by its labels: the indented lines of its text, in their order.
   *
   * @param label such as {@code error}
   * @param lines one or more
   */
  public record Row(String label, List<String> lines) {
    public Row {
      lines = List.copyOf(lines);
    }
  }

  private static final int TEXT_BEGINS = 13;
  private static final int DIGITS = 4;

  /** What accountants add to cover roundings of their own is not told as another digit. */
  private static final double ROUNDINGS = 1e-9;

  /** The same report line by line, for whoever lays it out otherwise. */
  public static List<Row> rows(ReleaseReport report) {
    StringBuilder text = new StringBuilder();
    report.text(text);
    List<Row> rows = new ArrayList<>();
    for (String line : text.toString().lines().toList()) {
      if (!line.startsWith("  ")) {
        continue; // its name and topic
      }
      String label = line.substring(0, Math.min(TEXT_BEGINS, line.length())).strip();
      String said = line.substring(Math.min(TEXT_BEGINS, line.length())).strip();
      if (label.isEmpty() && !rows.isEmpty()) {
        Row last = rows.remove(rows.size() - 1);
        rows.add(
            new Row(last.label(), Stream.concat(last.lines().stream(), Stream.of(said)).toList()));
      } else {
        rows.add(new Row(label, List.of(said)));
      }
    }
    return rows;
  }

  /** One line. */
  public static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  /**
   * Name, topic and share of a release.
   *
   * @param word what it is, at most ten letters
   */
  public static void head(StringBuilder text, String word, PlannedRelease release) {
    ReleaseSpec spec = release.spec();
    line(text, "");
    line(text, "%-10s %s -> topic %s", word, spec.name(), spec.topic());
    line(
        text,
        "  share      epsilon %s, delta %s, counted by %s",
        plain(spec.share().epsilon().value()),
        plain(spec.share().delta().value()),
        release.share().counting().words());
  }

  /** Epsilon, delta and how the share counts. */
  public static void share(ObjectNode node, PlannedRelease release) {
    node.put("epsilon", release.spec().share().epsilon().value())
        .put("delta", release.spec().share().delta().value())
        .put("counted_by", release.share().counting().words());
  }

  /** An upper bound, to four digits that count, and never below what is proved. */
  public static String atMost(double bound) {
    if (!Double.isFinite(bound)) {
      return "no bound";
    }
    BigDecimal kept =
        new BigDecimal(bound * (1 - ROUNDINGS))
            .round(new MathContext(DIGITS, RoundingMode.CEILING))
            .stripTrailingZeros();
    return kept.compareTo(BigDecimal.valueOf(1e12)) >= 0
        ? String.format(Locale.ROOT, "%.2e", kept)
        : plain(kept);
  }

  /** A number as it is, without an exponent that people do not write: 1,098 and 0.0000004. */
  public static String plain(BigDecimal value) {
    BigDecimal stripped = value.stripTrailingZeros();
    return stripped.scale() > 20
        ? stripped.toString()
        : String.format(Locale.ROOT, "%,." + Math.max(0, stripped.scale()) + "f", stripped);
  }

  /** What each accountant proves. */
  public static String claims(LossReport report) {
    return report.claims().stream()
        .map(
            claim ->
                String.format(
                    Locale.ROOT,
                    isTold(claim) ? "%s by %s (too high by %.1g at most)" : "%s by %s",
                    atMost(claim.epsilon()),
                    claim.accountant(),
                    claim.width()))
        .collect(Collectors.joining(", "));
  }

  /** A width that may be most of a bound says nothing of it. */
  private static boolean isTold(Claim claim) {
    return claim.width() > 0 && 2 * claim.width() < claim.epsilon();
  }

  /** The same for programs. */
  public static void claims(ArrayNode array, LossReport report) {
    for (Claim claim : report.claims()) {
      array
          .addObject()
          .put("accountant", claim.accountant())
          .put("epsilon", claim.epsilon())
          .put("width", claim.width());
    }
  }

  /** How many windows a share lasts, and whose. */
  public static String lasts(Period period, long windows, boolean ofUsers) {
    if (period instanceof Period.Window) {
      return "the share lasts 1 window, a new one every window";
    }
    if (period instanceof Period.Any any) {
      return String.format(
          Locale.ROOT,
          "the share covers %,d %s of those that any %s touch",
          windows,
          windows == 1 ? "window" : "windows",
          any.spoken());
    }
    return String.format(
        Locale.ROOT,
        "the share lasts %,d %s%s",
        windows,
        windows == 1 ? "window" : "windows",
        ofUsers ? lastsUser(period) : "");
  }

  /** To three digits that count, without an exponent where people would not write one. */
  public static String rounded(double value) {
    double size = Math.abs(value);
    if (size != 0 && (size < 1e-4 || size >= 1e12)) {
      return String.format(Locale.ROOT, "%.3g", value);
    }
    BigDecimal kept = new BigDecimal(value).round(new MathContext(3));
    return String.format(Locale.ROOT, "%,." + Math.max(0, kept.scale()) + "f", kept);
  }

  /** A number as files have it: whole ones without a point. */
  public static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  /** After the last one nothing of a user counts: nobody is told, since that would tell of them. */
  public static String lastsUser(Period period) {
    return " of a user"
        + (period instanceof Period.Lifetime ? "" : " in each period of " + period.word())
        + ", whose later records do not count";
  }

  /** A share as a percentage, to a tenth. */
  public static String percent(double share) {
    return share > 0 && share < 0.0005
        ? "below 0.1%"
        : new DecimalFormat("0.#", DecimalFormatSymbols.getInstance(Locale.ROOT))
                .format(100 * share)
            + "%";
  }
}
