// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.draft;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A pipeline in which many users feed one subject, as a file that explains itself: shares and
 * counts of every subject, every window.
 *
 * @param name of pipeline and budget; begins the outputs' names
 * @param topic of the records
 * @param user field
 * @param subject field
 * @param subjects in order, at least 1
 * @param time field
 * @param category field
 * @param categories in order, at least 2
 * @param window length of a window
 * @param begin start of the first window that counts, a day or a time
 * @param records of one subject in one window, as expected
 * @param bounds of what counts of a user
 * @param ahead how far records may lie beyond the last tick, where more than usual
 * @param values numbers that are summarised too
 * @param epsilon of the whole budget
 * @param guessed what nobody said: topic, user, subject, time, category, categories, subjects,
 *     window, begin, records
 */
public record CrowdDraft(
    String name,
    String topic,
    String user,
    String subject,
    List<String> subjects,
    String time,
    String category,
    List<String> categories,
    Duration window,
    String begin,
    int records,
    Guess.Bounds bounds,
    Optional<Duration> ahead,
    List<MeasuredField> values,
    double epsilon,
    Set<String> guessed) {

  /** The file. */
  public String yaml() {
    String text =
        """
        # Try it:  sfumato plan %1$s.yaml                 what it costs, and how good it is
        #          sfumato run %1$s.yaml --embedded       a broker and the pipeline in one process
        #          sfumato produce %1$s.yaml --csv FILE   a history, with the ticks of a live source
        # Every field: docs/pipeline-file.md
        pipeline: %1$s
        version: 1\1\1counts up with each change that goes into production

        input:
          topic: %2$s\1topic\1
          format: json\1\1or avro
          user: %3$s\1user\1whose privacy it is: each one has a budget of their own
          subject: %4$s\1subject\1what users are counted in
          time: %5$s\1time\1event time: ISO-8601 with an offset, or milliseconds since 1970
          category: %6$s\1category\1what is counted; no other field is ever kept
          # PUBLIC from here on. Better than what a sample held is the code book of whoever
          # writes the records; what is not listed is counted as 'other'.
          categories: [%7$s]\1categories\1
          other: other
        %18$s
        # Of a user and window so many records count, for so many subjects: picked by chance. More of
        # them make the noise larger, fewer leave more of what busy people did out.
        contributions: { per-window: %15$d, subjects: %16$d }\1bounds\1

        subjects: [%8$s]\1subjects\1PUBLIC: each is released every window, records or none

        window:
          size: %9$s\1window\1one release for each subject and window
          grace: %10$s\1\1so late records may be; releases come that much later
          clock: ticks\1\1'sfumato tick', 'run --auto-tick' or 'produce FILE' close windows
          begin: %11$s\1begin\1PUBLIC: the first window that counts. It never changes
        %17$s
        budget:
          name: %1$s\1\1the ledger's name: it outlives this file, never reuse it
          unit: user\1\1hides all that any ONE user did in a window, in all subjects together
          # Odds about a user's window shift by at most e^epsilon (1: 2.7 times, 2: 7), except with
          # probability delta.
          epsilon: %12$s
          delta: 1e-6
          period: window\1\1anew in each window; {any: 30d} protects a user in any 30 days, 'lifetime' for good

        releases:
          - histogram:
              name: %1$s-mix\1\1also the topic it is published to
              method: best
              share: { epsilon: %13$s, delta: 5e-7 }
              plan-size: %14$d\1records\1records of a subject in a window that the error is optimised for
          - count:
              name: %1$s-counts
              method: best
              share: { epsilon: %13$s, delta: 5e-7 }
        %19$s"""
            .formatted(
                name,
                topic,
                DraftWords.quoted(user),
                DraftWords.quoted(subject),
                DraftWords.quoted(time),
                DraftWords.quoted(category),
                quoted(categories),
                quoted(subjects),
                DraftWords.length(window),
                DraftWords.length(DraftWords.grace(window)),
                begin,
                DraftWords.number(epsilon),
                MeasuredField.part(epsilon, 2 + values.size()),
                records,
                bounds.records(),
                bounds.subjects(),
                ahead
                    .map(
                        days ->
                            "  ahead: %s\1\1how far records lie beyond the last tick: the topic's past is read before the first%n"
                                .formatted(DraftWords.length(days)))
                    .orElse(""),
                MeasuredField.input(values),
                MeasuredField.releases(
                    values, name, MeasuredField.part(epsilon, 2 + values.size()), "", records));
    return DraftWords.commented(text, guessed);
  }

  private static String quoted(List<String> names) {
    return names.stream().map(DraftWords::quoted).collect(Collectors.joining(", "));
  }
}
