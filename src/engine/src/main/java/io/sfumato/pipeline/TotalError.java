// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * How far a published number of records is off in all: by its noise, and by what the bounds of
 * contributions leave out of a public example.
 *
 * @param counted what the numbers are
 * @param leftOut share of the example's records, above 0 and below 1
 * @param noise half the width of the 95% interval, in records
 * @param assumed of users, in words: see {@link Population#exampleAssumes}
 */
public record TotalError(String counted, double leftOut, double noise, String assumed) {
  /** True numbers for which it is told. */
  private static final List<Long> TRUTHS = List.of(100L, 1_000L, 10_000L);

  /** Nothing without an example, where its records all count, or where no number is published. */
  public static Optional<TotalError> of(Pipeline pipeline, ReleaseReport report) {
    OptionalDouble noise = report.countError();
    return pipeline
        .population()
        .filter(users -> noise.isPresent() && users.exampleLeftOut().orElse(0) > 0)
        .map(
            users ->
                new TotalError(
                    report.counted(),
                    users.exampleLeftOut().getAsDouble(),
                    noise.getAsDouble(),
                    users.exampleAssumes()));
  }

  /**
   * Where the truth is so many records; in at least 95 of 100 cases, if users are as in the
   * example.
   */
  public long at(long records) {
    return (long) Math.ceil(leftOut * records + noise);
  }

  /** The same for several truths, in words. */
  public String words() {
    return TRUTHS.stream()
        .map(truth -> String.format(Locale.ROOT, "%,d of %,d", at(truth), truth))
        .collect(Collectors.joining(", "));
  }

  /** Adds a line to a plan. */
  public void text(StringBuilder text) {
    ReportText.line(
        text,
        "  total      %s are off by up to %s, over all subjects and categories: noise, and %s left out as in the public example%s",
        counted,
        words(),
        ReportText.percent(leftOut),
        assumed);
  }

  /** The same for programs. */
  public void json(ObjectNode node) {
    ObjectNode total = node.putObject("total_error_95");
    TRUTHS.forEach(truth -> total.put(Long.toString(truth), at(truth)));
  }
}
