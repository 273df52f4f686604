// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.draft;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A pipeline of one histogram, as a file that explains itself.
 *
 * @param name of pipeline, budget and output
 * @param topic of the records
 * @param subject field
 * @param time field
 * @param category field
 * @param categories listed, at least 2, or unsaid
 * @param window length of a window
 * @param records of one subject in one window, as expected
 * @param epsilon of the whole budget
 * @param values numbers that are summarised too
 * @param windows releases that a lifetime affords; 0 for a budget in each window
 * @param guessed what nobody said: topic, subject, time, category, window, records
 * @param spent what a list of names cost, in words; nothing where nothing was spent
 */
public record Draft(
    String name,
    String topic,
    String subject,
    String time,
    String category,
    NameSource categories,
    Duration window,
    int records,
    double epsilon,
    List<MeasuredField> values,
    int windows,
    Set<String> guessed,
    Optional<String> spent) {

  /** The line of a draft in whose place somebody lists categories. */
  public static final String UNSAID = NameSource.Unsaid.LINE;

  /** A length of windows as the file has it. */
  public static String length(Duration window) {
    return DraftWords.length(window);
  }

  /** The file. */
  public String yaml() {
    boolean lifetime = windows > 0;
    Parts shares = new Parts(BigDecimal.valueOf(epsilon), 1 + values.size(), Parts.EPSILON);
    String text =
        """
        # Try it:  sfumato plan %1$s.yaml                 what it costs, and how good it is
        #          sfumato run %1$s.yaml --embedded       a broker and the pipeline in one process
        #          sfumato play %1$s.yaml                 events of made-up people
        # Every field: docs/pipeline-file.md
        pipeline: %1$s
        version: 1\1\1counts up with each change that goes into production

        input:
          topic: %2$s\1topic\1
          format: json\1\1or avro
          subject: %3$s\1subject\1whose privacy it is: each one has a budget of their own
          time: %4$s\1time\1event time: ISO-8601 with an offset, or milliseconds since 1970
          category: %5$s\1category\1what is counted; no other field is ever kept
        %6$s%13$s
        window:
          size: %7$s\1window\1one release for each subject and window
          grace: %8$s\1\1so late records may be; releases come that much later
          clock: records\1\1windows close as later records arrive; idle topics need 'sfumato tick'

        budget:
          name: %1$s\1\1the ledger's name: it outlives this file, never reuse it
          unit: record\1\1hides what any ONE record holds; that there was one stays public
          # What all outputs together may reveal: odds about a record shift by at most e^epsilon
          # (1: 2.7 times, 2: 7, 4: 55), except with probability delta.
          epsilon: %9$s
          delta: 1e-6
        %10$s
        releases:
          - histogram:
              name: %1$s-mix\1\1also the topic it is published to
              method: best
              share: { epsilon: %14$s, delta: 1e-6 }
        %11$s      plan-size: %12$d\1records\1records of a subject in a window that the error is optimised for
        %15$s"""
            .formatted(
                name,
                topic,
                DraftWords.quoted(subject),
                DraftWords.quoted(time),
                DraftWords.quoted(category),
                NamesInFile.categories(categories, spent),
                DraftWords.length(window),
                DraftWords.length(DraftWords.grace(window)),
                DraftWords.number(epsilon),
                lifetime
                    ? "  period: lifetime\1\1when it is spent, nothing more comes about this subject\n"
                    : "  period: window\1\1anew in each window: a record lies in one of them\n",
                lifetime
                    ? "      windows: %d\1\1releases about one subject, ever\n".formatted(windows)
                    : "",
                records,
                MeasuredField.input(values),
                shares.next(),
                MeasuredField.releases(
                    values,
                    name,
                    shares,
                    lifetime ? "      windows: %d%n".formatted(windows) : "",
                    records));
    return DraftWords.commented(text, guessed);
  }
}
