// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.LossReport;
import io.sfumato.accounting.LossReport.Claim;
import io.sfumato.accounting.Period;
import io.sfumato.pipeline.Fact.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a plan says of one output, or of a whole file, without touching data: rows of facts, in the
 * order in which they are told. A fact is added to the row that was begun last.
 */
public final class Facts {
  /**
   * Facts on one line of text.
   *
   * @param label in front of the line; empty where the facts are for programs only
   */
  record Row(String label, List<Fact> facts) {}

  /**
   * The error of numbers of records that an output publishes, by noise alone.
   *
   * @param counted what the numbers are, a plural
   * @param halfWidth of the 95% interval, in records
   */
  public record CountError(String counted, double halfWidth) {}

  private final String title;
  private final List<Row> rows = new ArrayList<>();
  private Optional<CountError> countError = Optional.empty();

  private Facts(String title) {
    this.title = title;
  }

  /** Facts without a title, in one row. */
  public static Facts of() {
    return new Facts("").row("is");
  }

  /**
   * Facts under a title of their own.
   *
   * @param word of at most ten letters
   */
  public static Facts titled(String word, String title) {
    return new Facts(String.format(Locale.ROOT, "%-10s %s", word, title));
  }

  /**
   * Facts of an output, with its name and topic.
   *
   * @param word what it is, at most ten letters
   */
  public static Facts of(String word, OutputSpec spec) {
    return titled(word, spec.name() + " -> topic " + spec.topic())
        .forPrograms()
        .words("", "name", spec.name())
        .words("", "topic", spec.topic());
  }

  String title() {
    return title;
  }

  List<Row> rows() {
    return List.copyOf(rows);
  }

  /**
   * Begins a row of text.
   *
   * @param label at most ten letters
   */
  public Facts row(String label) {
    rows.add(new Row(label, new ArrayList<>()));
    return this;
  }

  /** What follows, up to the next row, is not in the text. */
  public Facts forPrograms() {
    return row("");
  }

  private Facts add(Fact fact) {
    rows.get(rows.size() - 1).facts().add(fact);
    return this;
  }

  /** A word, or a sentence. */
  public Facts words(String name, String key, String words) {
    return add(new Fact.Words(name, key, words));
  }

  /** What only people are told, since other facts say it to programs. */
  public Facts say(String format, Object... values) {
    return words("", "", String.format(Locale.ROOT, format, values));
  }

  /** A truth value. */
  public Facts flag(String name, String key, boolean value) {
    return add(new Fact.Flag(name, key, value));
  }

  /** A number without a unit. */
  public Facts number(String name, String key, Number value) {
    return number(name, key, value, "");
  }

  /**
   * A number.
   *
   * @param unit in the plural
   */
  public Facts number(String name, String key, Number value, String unit) {
    return number(name, key, value, Form.PLAIN, unit);
  }

  /**
   * A number, in a form of its own.
   *
   * @param unit in the plural; may be empty
   */
  public Facts number(String name, String key, Number value, Form form, String unit) {
    return add(new Fact.Number(name, key, value, form, unit));
  }

  /** Half the width of a 95% interval. */
  public Facts bar(String name, String key, Number value, String unit) {
    return number(name, key, value, Form.BAR, unit);
  }

  /** A part of 1. */
  public Facts percent(String name, String key, double part) {
    return number(name, key, part, Form.PERCENT, "");
  }

  /** Several words. */
  public Facts many(String name, String key, List<String> words) {
    return add(new Fact.Many(name, key, words));
  }

  /** Facts that belong together. */
  public Facts group(String name, String key, Facts facts) {
    return add(new Fact.Group(name, key, facts));
  }

  /** The same number by several names. */
  public Facts numbers(String name, String key, Map<String, ? extends Number> values, Form form) {
    Facts facts = of();
    values.forEach((word, value) -> facts.number(word, word, value, form, ""));
    return group(name, key, facts);
  }

  /** Rows of facts. */
  public Facts table(String key, List<Facts> rows) {
    return add(new Fact.Table(key, rows));
  }

  /** What the author of a file should know; nothing if there is nothing. */
  public Facts warnings(List<String> warnings) {
    return warnings.isEmpty() ? this : allWarnings(warnings);
  }

  /** The same, where programs are also told that there is nothing. */
  public Facts allWarnings(List<String> warnings) {
    forPrograms().many("", "warnings", warnings);
    warnings.forEach(warning -> row("warning").say("%s", warning));
    return this;
  }

  /** Epsilon, delta and how the share counts. */
  public Facts share(PlannedRelease release) {
    return row("share")
        .number("epsilon", "epsilon", release.spec().share().epsilon().value())
        .number("delta", "delta", release.spec().share().delta().value())
        .words("accounting:", "counted_by", release.share().filter().words());
  }

  /** The identity of its charge. */
  public Facts mechanism(PlannedRelease release) {
    return forPrograms().words("", "mechanism", release.charge().mechanism());
  }

  /** The parameters of a mechanism. */
  public Facts parameters(Map<String, Double> parameters) {
    parameters.forEach((name, value) -> number(name + " =", name, value));
    return this;
  }

  /** How many windows a share lasts, and whose. */
  public Facts lasts(Pipeline pipeline, PlannedRelease release) {
    Period period = pipeline.budget().period();
    long windows = release.plan().releases();
    if (period instanceof Period.Span any) {
      return row("cost")
          .number("the share covers", "windows", windows, "windows")
          .say("of those that any %s touch", any.spoken());
    }
    if (release.spec().chargesRecords()) {
      return row("cost").number("the share lasts", "records", windows, "records").ofUser(period);
    }
    row("cost").number("the share lasts", "windows", windows, "windows");
    if (period instanceof Period.Window) {
      return say("with a new share every window");
    }
    return pipeline.population().isPresent() ? ofUser(period) : this;
  }

  /**
   * What a share lasts is of one user. When it is spent nobody is told, since that would tell of
   * the user.
   */
  public Facts ofUser(Period period) {
    return say(
        "per user%s; later records of that user do not count",
        period instanceof Period.Lifetime ? "" : " in each period of " + period.word());
  }

  /** What each accountant proves, the smallest epsilon first. */
  public Facts losses(String key, LossReport report) {
    return table(key, report.claims().stream().map(Facts::loss).toList());
  }

  /** The same for so many charges together. */
  public Facts lossesOfAll(String key, long charges, LossReport report) {
    Facts facts = charges == 1 ? forPrograms() : row("loss").say("all %,d together:", charges);
    return facts.losses(key, report);
  }

  /** A width that may be most of a bound says nothing of it. */
  private static Facts loss(Claim claim) {
    Facts facts =
        of().words("by", "accountant", claim.accountant())
            .number("epsilon", "epsilon", claim.epsilon(), Form.AT_MOST, "");
    boolean isTold = claim.width() > 0 && 2 * claim.width() < claim.epsilon();
    return (isTold ? facts : facts.forPrograms())
        .number("too high by", "width", claim.width(), "at most");
  }

  /** Says how far its numbers of records are off, so that a file can say it with its bias. */
  public Facts countError(String counted, double halfWidth) {
    countError = Optional.of(new CountError(counted, halfWidth));
    return this;
  }

  /** The error of numbers of records; nothing where none are published. */
  public Optional<CountError> countError() {
    return countError;
  }
}
