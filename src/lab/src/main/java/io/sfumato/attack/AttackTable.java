// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What was found, for people and as CSV. */
public final class AttackTable {
  private static final String ROW = "%-36s %-41s %-13s %8s %7s  %s";

  private AttackTable() {}

  /** A row a target. */
  public static List<String> lines(List<Found> all) {
    List<String> lines = new ArrayList<>();
    lines.add(
        ROW.formatted(
            "mechanism",
            "neighbours",
            "promised",
            "bound",
            "quot.",
            "by draws, of what is claimed"));
    all.forEach(found -> lines.add(line(found)));
    return lines;
  }

  private static String line(Found found) {
    AttackTarget target = found.target();
    return text(
        ROW,
        target.name(),
        target.neighbours(),
        (target.promise().told() == AttackTarget.Told.EPSILON ? "eps " : "delta ")
            + text("%.3g", target.promised()),
        found.exact().map(bound -> text("%.3g", bound)).orElse("-"),
        text("%.3f", found.ratio()),
        found.nearest().map(AttackTable::drawn).orElse("-")
            + (target.why().isEmpty() ? "" : "; " + target.why()));
  }

  private static String drawn(Found.Sampled found) {
    return text("%.2f of %.2f at %s", found.bound(), found.claimed(), found.delta());
  }

  /** The same as CSV, its header first. */
  public static List<String> csv(List<Found> all) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "mechanism,neighbours,told,promised_epsilon,promised_delta,bound,quotient,fit,fit_allowed,"
            + "drawn_delta,drawn_claim,drawn_bound,why");
    for (Found found : all) {
      AttackTarget target = found.target();
      lines.add(
          text(
              "\"%s\",\"%s\",%s,%.9g,%.9g,%s,%.6g,%s,%s,\"%s\"",
              target.name(),
              target.neighbours(),
              target.promise().told().name().toLowerCase(Locale.ROOT),
              target.promise().epsilon(),
              target.promise().delta(),
              found.exact().map(bound -> text("%.9g", bound)).orElse(""),
              found.ratio(),
              found.fit().map(fit -> text("%.4f,%.4f", fit.distance(), fit.allowed())).orElse(","),
              found
                  .nearest()
                  .map(drawn -> text("%s,%.6g,%.6g", drawn.delta(), drawn.claimed(), drawn.bound()))
                  .orElse(",,"),
              target.why()));
    }
    return lines;
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
