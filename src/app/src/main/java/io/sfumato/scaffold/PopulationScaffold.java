// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A pipeline in which many users feed one subject, as a file that explains itself: shares and
 * counts of every subject, every window.
 *
 * @param name of pipeline and budget; begins the outputs' names
 * @param topic of the records
 * @param user field
 * @param subject field
 * @param subjects listed, or found
 * @param time field
 * @param counted field or fields, with names that are listed, found or unsaid; with numbers they
 *     are not found
 * @param window length of a window
 * @param begin start of the first window that counts, a day or a time
 * @param records of one subject in one window, as expected
 * @param bounds of what counts of a user
 * @param live whether records come as things happen, so that the program ticks by itself
 * @param values numbers that are summarised too
 * @param epsilon of the whole budget
 * @param guessed what nobody said: topic, subject, time, category, window, begin, bounds, records
 * @param spent what lists of names cost, in words; nothing where nothing was spent
 */
public record PopulationScaffold(
    String name,
    TopicField topic,
    String user,
    String subject,
    NameSource subjects,
    TimeField time,
    Counted counted,
    Duration window,
    String begin,
    int records,
    Bounds bounds,
    boolean live,
    List<MeasuredField> values,
    double epsilon,
    Set<String> guessed,
    Optional<String> spent) {
  private static final BigDecimal DELTA = new BigDecimal("1e-6");

  /** As it explains itself. */
  private static final String FILE =
      """
      # yaml-language-server: $schema=pipeline.schema.json
      # Try it:  sfumato plan %1$s.yaml                 what it costs, and how good it is
      #          sfumato run %1$s.yaml --embedded       a broker and the pipeline in one process
      #          sfumato produce %1$s.yaml --csv FILE   a history, with the ticks of a live source
      # Every field: docs/reference/pipeline-file.md
      pipeline: %1$s
      version: 1\1\1counts up with each change that goes into production

      input:
        %2$s
        user: %3$s\1user\1whose privacy it is: each one has a budget of their own
        subject: %4$s\1subject\1what users are counted in
        %5$s
        category: %6$s\1category\1what is counted; fields not named here are never kept
      %7$s%8$s
      # PUBLIC. In each window, this many records of a user count, for this many subjects, chosen at
      # random. More of them make the noise larger; fewer leave out more of what busy people did.
      contributions: { per-window: %9$d, subjects: %10$d }\1bounds\1

      %11$s
      window:
        size: %12$s\1window\1one release for each subject and window
        grace: %13$s\1\1how late records may arrive; releases come that much later
        clock: ticks\1\1windows close by ticks, which depend on no record
        ticks: %15$s
        begin: %14$s\1begin\1PUBLIC: the first window that counts. It never changes

      budget:
        name: %1$s\1\1the ledger's name: it outlives this file, never reuse it
        unit: user\1\1hides all that any ONE user did in a window, in all subjects together
        # Whether a user has records: odds shift by at most e^epsilon (1: 2.7 times, 2: 7). What a
        # user did who has: by at most e^(2 epsilon) (1: 7.4 times, 2: 55). Apart from delta.
        epsilon: %16$s
        delta: 1e-6
        period: window\1\1anew in each window; {any: 30d} protects a user in any 30 days, 'lifetime' for good

      releases:
      %17$s%18$s""";

  public PopulationScaffold {
    if (counted.isFound() && !values.isEmpty()) {
      throw new IllegalArgumentException("numbers need listed categories");
    }
  }

  /** Releases beside what finds names, those of numbers left out. */
  private int plain() {
    return counted.isFound() || counted.isSeveral() ? 1 : 2;
  }

  private int finding() {
    return (counted.isFound() ? 1 : 0) + (subjects instanceof NameSource.Discovered ? 1 : 0);
  }

  /** The file. */
  public String yaml() {
    int noisy = plain() + finding();
    Parts epsilons = new Parts(BigDecimal.valueOf(epsilon), noisy + values.size(), Parts.EPSILON);
    Parts deltas = new Parts(DELTA, noisy, Parts.DELTA);
    String text =
        FILE.formatted(
            name,
            topic.inFile(),
            DraftWords.quoted(user),
            DraftWords.quoted(subject),
            time.inFile(),
            counted.inFile(),
            counted.isFound()
                ? NamesInFile.discovered(name, epsilons.next(), deltas.next())
                : NamesInFile.categories(counted, spent),
            MeasuredField.input(values),
            bounds.records(),
            bounds.subjects(),
            subjects instanceof NameSource.Listed listed
                ? NamesInFile.subjects(listed, spent)
                : NamesInFile.discoveredSubjects(name, epsilons.next(), deltas.next()),
            DraftWords.length(window),
            DraftWords.length(DraftWords.grace(window)),
            begin,
            live
                ? "here\1\1by the instances that run. 'external': by 'sfumato tick' or 'produce'"
                : "external\1\1by 'produce FILE' or 'sfumato tick'. For live data: here",
            DraftWords.number(epsilon),
            releases(epsilons, deltas),
            MeasuredField.releases(values, name, epsilons, "", records));
    return DraftWords.commented(text, guessed);
  }

  private String releases(Parts epsilons, Parts deltas) {
    if (counted.isSeveral()) {
      return TableScaffold.release(name, epsilons.next(), deltas.next(), "");
    }
    if (counted.isFound()) {
      return """
            - count:
                name: %s-counts\1\1also the topic it is published to
                by: total
                method: best
                share: { epsilon: %s, delta: %s }
          """
          .formatted(name, epsilons.next(), deltas.next());
    }
    return """
          - histogram:
              name: %1$s-mix\1\1also the topic it is published to
              method: best
              share: { epsilon: %2$s, delta: %3$s }
              plan-size: %4$d\1records\1records of a subject in a window that the error is optimised for
          # With 'of: users' it counts distinct users (active users) instead of records.
          - count:
              name: %1$s-counts
              method: best
              share: { epsilon: %5$s, delta: %6$s }
        """
        .formatted(name, epsilons.next(), deltas.next(), records, epsilons.next(), deltas.next());
  }
}
