// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A pipeline of one histogram, or of tables where several fields count, as a file that explains
 * itself.
 *
 * @param name of pipeline, budget and output
 * @param topic of the records
 * @param subject field
 * @param time field
 * @param counted field or fields, with names that are listed or unsaid
 * @param window length of a window
 * @param records of one subject in one window, as expected
 * @param epsilon of the whole budget
 * @param values numbers that are summarised too
 * @param windows releases that a lifetime affords; 0 for a budget in each window
 * @param guessed what nobody said: topic, subject, time, category, window, records
 * @param spent what a list of names cost, in words; nothing where nothing was spent
 */
public record Scaffold(
    String name,
    TopicField topic,
    String subject,
    TimeField time,
    Counted counted,
    Duration window,
    int records,
    double epsilon,
    List<MeasuredField> values,
    int windows,
    Set<String> guessed,
    Optional<String> spent) {

  /** Where somebody has yet to list names: nothing else in a draft looks so. */
  private static final Pattern OPEN = Pattern.compile("(?m)^( {2}categories| {4}.+): \\[\\]$");

  /** Whether a draft lacks a list. */
  public static boolean isOpen(String yaml) {
    return OPEN.matcher(yaml).find();
  }

  /** A draft with a list in every such place. */
  public static String filled(String yaml, List<String> names) {
    String list = names.stream().map(DraftWords::quoted).collect(Collectors.joining(", "));
    return OPEN.matcher(yaml)
        .replaceAll(place -> Matcher.quoteReplacement(place.group(1) + ": [" + list + "]"));
  }

  /** A length of windows as the file has it. */
  public static String length(Duration window) {
    return DraftWords.length(window);
  }

  /** The file. */
  public String yaml() {
    Parts shares = new Parts(BigDecimal.valueOf(epsilon), 1 + values.size(), Parts.EPSILON);
    String text =
        """
        # yaml-language-server: $schema=pipeline.schema.json
        # Try it:  sfumato plan %1$s.yaml                 what it costs, and how good it is
        #          sfumato run %1$s.yaml --embedded       a broker and the pipeline in one process
        #          sfumato play %1$s.yaml                 events of made-up people
        # Every field: docs/reference/pipeline-file.md
        pipeline: %1$s
        version: 1\1\1counts up with each change that goes into production

        input:
          %2$s
          subject: %3$s\1subject\1whose events they are: each has a budget, and each output SAYS whose it is
          %4$s
          category: %5$s\1category\1what is counted; fields not named here are never kept
        %6$s%10$s
        window:
          size: %7$s\1window\1one release for each subject and window
          grace: %8$s\1\1how late records may arrive; releases come that much later
          clock: records\1\1windows close as later records arrive; idle topics need 'sfumato tick'

        budget:
          name: %1$s\1\1the ledger's name: it outlives this file, never reuse it
          unit: record\1\1hides what any ONE record holds; that there was one stays public
          # What all outputs together may reveal: odds about a record shift by at most e^epsilon
          # (1: 2.7 times, 2: 7, 4: 55), except with probability delta.
          epsilon: %9$s
          delta: 1e-6
        %13$s
        releases:
        %11$s%12$s"""
            .formatted(
                name,
                topic.inFile(),
                DraftWords.quoted(subject),
                time.inFile(),
                counted.inFile(),
                NamesInFile.categories(counted, spent),
                DraftWords.length(window),
                DraftWords.length(DraftWords.grace(window)),
                DraftWords.number(epsilon),
                MeasuredField.input(values),
                counts(shares.next()),
                MeasuredField.releases(values, name, shares, lasts(), records),
                windows > 0
                    ? "  period: lifetime\1\1when it is spent, nothing more comes about this subject\n"
                    : "  period: window\1\1anew in each window: a record lies in one of them\n");
    return DraftWords.commented(text, guessed);
  }

  private String lasts() {
    return windows > 0 ? "      windows: %d%n".formatted(windows) : "";
  }

  private String counts(String epsilon) {
    return counted.isSeveral()
        ? TableScaffold.release(name, epsilon, "1e-6", lasts())
        : """
            - histogram:
                name: %s-mix\1\1also the topic it is published to
                method: best
                share: { epsilon: %s, delta: 1e-6 }
          %s      plan-size: %d\1records\1records of a subject in a window that the error is optimised for
          """
            .formatted(
                name,
                epsilon,
                windows > 0
                    ? "      windows: %d\1\1releases about one subject, ever\n".formatted(windows)
                    : "",
                records);
  }
}
