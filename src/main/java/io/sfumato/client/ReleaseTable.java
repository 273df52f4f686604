// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.console.Bars;
import io.sfumato.console.Visible;
import io.sfumato.schema.AbcDecision;
import io.sfumato.schema.AbcWeight;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.DeadLetter;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.schema.MollifiedSample;
import io.sfumato.schema.Refusal;
import io.sfumato.serde.JsonRecords;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.generic.IndexedRecord;

/**
 * One line a record, for people: the most likely categories of a release, each with a bar. Names
 * are others' choice: they stand there so that none of them can be taken for anything else.
 */
public final class ReleaseTable {
  private static final int SHOWN = 4;
  private static final int BAR = 8;
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneOffset.UTC);

  private ReleaseTable() {}

  /** One output. */
  public static String line(IndexedRecord output) {
    if (output instanceof DirichletRelease release) {
      return String.format(
          Locale.ROOT,
          "%s  %-12s %5s records  %s%s",
          day(release.getWindowStart()),
          Visible.of(release.getSubject()),
          release.getRecords() == null ? "-" : release.getRecords(),
          likeliest(release),
          leftOut(release.getExampleLeftOut()));
    }
    if (output instanceof CountRelease counts) {
      return String.format(
          Locale.ROOT,
          "%s  %-12s %s%s  +-%d%s",
          day(counts.getWindowStart()),
          Visible.of(counts.getSubject()),
          counts.getSince().equals(counts.getWindowStart())
              ? ""
              : "since " + day(counts.getSince()) + "  ",
          numbers(counts),
          counts.getError95(),
          leftOut(counts.getExampleLeftOut()));
    }
    if (output instanceof AbcDecision d) {
      return String.format(
          Locale.ROOT,
          "%s  %-12s %s %d of %d %s  %s",
          day(d.getWindowStart()),
          Visible.of(d.getSubject()),
          Visible.of(d.getQueryId()),
          d.getCandidate(),
          d.getCandidates(),
          d.getAccepted() ? "accepted" : "rejected",
          numbers(d.getParameters()));
    }
    if (output instanceof AbcWeight w) {
      return String.format(
          Locale.ROOT,
          "%s  %-12s %s %d of %d weight %.4g %s  %s",
          day(w.getWindowStart()),
          Visible.of(w.getSubject()),
          Visible.of(w.getQueryId()),
          w.getCandidate(),
          w.getCandidates(),
          w.getWeight(),
          Bars.bar(w.getWeight(), BAR),
          numbers(w.getParameters()));
    }
    if (output instanceof MollifiedSample item) {
      return String.format(
          Locale.ROOT,
          "%s  %-12s item %d of %d  %s %s",
          day(item.getWindowStart()),
          Visible.of(item.getSubject()),
          item.getItem() + 1,
          item.getItems(),
          item.getCategory() == null ? "" : Visible.of(item.getCategory()),
          numbers(item.getValues()));
    }
    if (output instanceof Refusal refusal) {
      return String.format(
          Locale.ROOT,
          "%s  %-12s %s: no %s of %s",
          day(refusal.getWindowStart()),
          Visible.of(refusal.getSubject()),
          refusal.getCode(),
          refusal.getQueryId() == null
              ? "release"
              : "answer to " + Visible.of(refusal.getQueryId()) + " " + refusal.getCandidate(),
          Visible.of(refusal.getOutput()));
    }
    if (output instanceof DeadLetter letter) {
      return String.format(
          Locale.ROOT,
          "%s-%d offset %d  %s",
          Visible.of(letter.getTopic()),
          letter.getPartition(),
          letter.getOffset(),
          Visible.of(letter.getCode()));
    }
    return Visible.of(JsonRecords.line(output));
  }

  /**
   * A record of which it matters when it came.
   *
   * @param at Kafka timestamp
   */
  public static String line(IndexedRecord output, Instant at) {
    return DAY.format(at) + "  " + line(output);
  }

  /** What no error bar contains. */
  private static String leftOut(Double ofExample) {
    return ofExample == null || ofExample == 0
        ? ""
        : String.format(Locale.ROOT, "  without %.0f%% of the example", ofExample * 100);
  }

  private static String numbers(CountRelease release) {
    return IntStream.range(0, release.getCounts().size())
        .mapToObj(
            i ->
                (release.getCategories().isEmpty()
                        ? "all"
                        : Visible.of(release.getCategories().get(i)))
                    + " "
                    + release.getCounts().get(i))
        .collect(Collectors.joining("  "));
  }

  private static String numbers(List<Double> numbers) {
    return numbers.stream()
        .map(x -> String.format(Locale.ROOT, "%.4g", x))
        .collect(Collectors.joining(" "));
  }

  private static String likeliest(DirichletRelease release) {
    String shown =
        IntStream.range(0, release.getCategories().size())
            .boxed()
            .sorted((i, k) -> Double.compare(share(release, k), share(release, i)))
            .limit(SHOWN)
            .map(
                i ->
                    String.format(
                        Locale.ROOT,
                        "%s %s %4.1f%%%s",
                        Visible.of(release.getCategories().get(i)),
                        Bars.bar(share(release, i), BAR),
                        share(release, i) * 100,
                        error(release, i)))
            .collect(Collectors.joining("  "));
    int more = release.getCategories().size() - SHOWN;
    return more > 0 ? shown + "  and " + more + " more" : shown;
  }

  private static String error(DirichletRelease release, int category) {
    return release.getError95().isEmpty()
        ? ""
        : String.format(Locale.ROOT, " +-%.1f", release.getError95().get(category) * 100);
  }

  private static double share(DirichletRelease release, int category) {
    if (release.getCounts().isEmpty()) {
      return release.getProbabilities().get(category);
    }
    double items = release.getCounts().stream().mapToLong(Long::longValue).sum();
    return release.getCounts().get(category) / items;
  }

  private static String day(Instant instant) {
    return DAY.format(instant);
  }
}
