// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.estimate.count.BestBound;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.Selections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The bound C of a file's next version, made of what its counts of users beyond bounds publish: so
 * it costs no budget (docs/theory/bounded-users.md, "A bound for the next period").
 *
 * @param thresholds counts of users beyond bounds, of the records that the total counts, the
 *     smallest bound first; at least one
 * @param perWindow C of the file
 * @param leftOut D of the file; 0 where nobody counts what is left out
 * @param subjects S of the file, which is at most C
 * @param noise h, half the width of the total's interval where one record of a user counts
 */
public record NextBound(
    List<Threshold> thresholds, int perWindow, int leftOut, int subjects, long noise) {
  public NextBound {
    thresholds = List.copyOf(thresholds);
  }

  /**
   * A count of users with more records than these.
   *
   * @param deviation of the noise of one of its numbers
   */
  public record Threshold(String output, String topic, int records, double deviation) {
    static Threshold of(PlannedCount count) {
      return new Threshold(
          count.spec().name(),
          count.spec().topic(),
          count.spec().mostTold(),
          count.plan().mechanism().noise().deviation());
    }
  }

  /**
   * Why nothing can be proposed for a file; nothing where {@link #of} can. Records that count
   * nowhere because a user is in too many subjects are not won back by a larger C, and where
   * records of a whole period are charged, the noise does not grow with C.
   */
  public static Optional<String> obstacle(Pipeline pipeline, List<PlannedRelease> releases) {
    boolean isOne = pipeline.input().constantSubject().isPresent() || pipeline.listed().size() == 1;
    if (pipeline.population().isEmpty()) {
      return Optional.of("it needs 'input.user': the bound is that of a user's records");
    }
    if (!isOne) {
      return Optional.of(
          "it needs one subject ('input.subject: { constant: NAME }', or a list of one): of several, a user's records may be cut off by 'contributions.subjects', which a larger 'per-window' does not change");
    }
    if (pipeline.population().get().chargesRecords()) {
      return Optional.of(
          "with 'contributions.per-period' the noise does not grow with 'per-window': choose 'per-period' by what a user does in a period");
    }
    return found(pipeline, releases).isEmpty()
        ? Optional.of(
            "it needs a count 'by: total' and a count 'by: beyond' of the same records, such as 'count: { name: more, by: beyond, share: { epsilon: 0.1, delta: 1e-7 } }'")
        : Optional.empty();
  }

  /** That of a file with a count of all records and a count of users beyond bounds. */
  public static Optional<NextBound> of(Pipeline pipeline, List<PlannedRelease> releases) {
    return obstacle(pipeline, releases).isPresent() ? Optional.empty() : found(pipeline, releases);
  }

  private static Optional<NextBound> found(Pipeline pipeline, List<PlannedRelease> releases) {
    List<PlannedCount> counts =
        releases.stream()
            .filter(PlannedCount.class::isInstance)
            .map(PlannedCount.class::cast)
            .filter(count -> selection(pipeline, count) == 0)
            .toList();
    List<Threshold> thresholds =
        counts.stream()
            .filter(count -> count.spec().grouping() == CountSpec.Grouping.BEYOND)
            .map(Threshold::of)
            .sorted(Comparator.comparingInt(Threshold::records))
            .toList();
    Optional<CountSpec> total =
        counts.stream()
            .map(PlannedCount::spec)
            .filter(spec -> spec.addsUpRecords() && pipeline.questionOf(spec) == 0)
            .findFirst();
    if (thresholds.isEmpty() || total.isEmpty()) {
      return Optional.empty();
    }
    Population users = pipeline.population().orElseThrow();
    return total
        .flatMap(spec -> CountMethods.ofOneWindow(spec.boundedBy(1)).stream().findFirst())
        .map(
            one ->
                new NextBound(
                    thresholds,
                    users.records(),
                    users.leftOut().orElse(0),
                    users.subjects(),
                    one.mechanism().noise().halfWidth(1)));
  }

  private static int selection(Pipeline pipeline, PlannedCount count) {
    return Selections.of(pipeline).of(count.spec());
  }

  /**
   * C of the next version.
   *
   * @param beyond how many users of a subject and window are beyond each bound, on average over
   *     published numbers; at least one, by the thresholds' records
   */
  public int proposed(SortedMap<Integer, Double> beyond) {
    int together = BestBound.ofBeyond(new TreeMap<>(beyond), noise, Population.MOST + leftOut);
    return Math.max(subjects, Math.min(Population.MOST, together - leftOut));
  }

  /**
   * What to look at beside another C: D stays in the file, and takes a part of the share.
   *
   * @param proposed C of the next version
   */
  public Optional<String> hint(int proposed) {
    return leftOut == 0 || proposed == perWindow
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "'left-out: %,d' stays in the file. If no other output needs a small 'per-window', 'per-window: %d' without 'left-out' needs less noise; 'sfumato plan' compares both with contributions.plan-records",
                leftOut,
                Math.min(Population.MOST, proposed + leftOut)));
  }
}
