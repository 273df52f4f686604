// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
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
  public static Optional<TotalError> of(Pipeline pipeline, Facts facts) {
    return pipeline
        .population()
        .filter(users -> users.exampleLeftOut().orElse(0) > 0)
        .flatMap(
            users ->
                facts
                    .countError()
                    .map(
                        noise ->
                            new TotalError(
                                noise.counted(),
                                users.exampleLeftOut().getAsDouble(),
                                noise.halfWidth(),
                                users.exampleAssumes())));
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

  /** Adds it to what a plan says of the output. */
  public void addTo(Facts facts) {
    Facts errors = Facts.of();
    TRUTHS.forEach(
        truth ->
            errors.number(
                "", Long.toString(truth), at(truth), String.format(Locale.ROOT, "of %,d", truth)));
    facts
        .row("total")
        .group(counted + " are off by up to", "total_error_95", errors)
        .say("over all subjects and categories")
        .say(
            "by noise, and by the %s that are left out as in the public example%s",
            ReportText.percent(leftOut), assumed);
  }
}
