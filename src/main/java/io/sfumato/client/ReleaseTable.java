// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.console.Bars;
import io.sfumato.schema.AbcDecision;
import io.sfumato.schema.AbcWeight;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.DeadLetter;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.schema.MollifiedSample;
import io.sfumato.schema.Refusal;
import io.sfumato.serde.JsonRecords;
import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.generic.IndexedRecord;

/** One line a record, for people: the most likely categories of a release, each with a bar. */
public final class ReleaseTable {
  private static final int SHOWN = 4;
  private static final int BAR = 8;
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneOffset.UTC);

  private final PrintStream out;

  public ReleaseTable(PrintStream out) {
    this.out = out;
  }

  /** Prints one output. */
  public void print(IndexedRecord output) {
    if (output instanceof DirichletRelease release) {
      out.printf(
          Locale.ROOT,
          "%s  %-12s %5s records  %s%n",
          day(release.getWindowStart()),
          release.getSubject(),
          release.getRecords() == null ? "-" : release.getRecords(),
          likeliest(release));
    } else if (output instanceof CountRelease counts) {
      out.printf(
          "%s  %-12s %s%s  +-%d%n",
          day(counts.getWindowStart()),
          counts.getSubject(),
          counts.getSince().equals(counts.getWindowStart())
              ? ""
              : "since " + day(counts.getSince()) + "  ",
          numbers(counts),
          counts.getError95());
    } else if (output instanceof AbcDecision d) {
      out.printf(
          "%s  %-12s %s %d of %d %s  %s%n",
          day(d.getWindowStart()),
          d.getSubject(),
          d.getQueryId(),
          d.getCandidate(),
          d.getCandidates(),
          d.getAccepted() ? "accepted" : "rejected",
          numbers(d.getParameters()));
    } else if (output instanceof AbcWeight w) {
      out.printf(
          Locale.ROOT,
          "%s  %-12s %s %d of %d weight %.4g %s  %s%n",
          day(w.getWindowStart()),
          w.getSubject(),
          w.getQueryId(),
          w.getCandidate(),
          w.getCandidates(),
          w.getWeight(),
          Bars.bar(w.getWeight(), BAR),
          numbers(w.getParameters()));
    } else if (output instanceof MollifiedSample item) {
      out.printf(
          "%s  %-12s item %d of %d  %s %s%n",
          day(item.getWindowStart()),
          item.getSubject(),
          item.getItem() + 1,
          item.getItems(),
          item.getCategory() == null ? "" : item.getCategory(),
          numbers(item.getValues()));
    } else if (output instanceof Refusal refusal) {
      out.printf(
          "%s  %-12s %s: no %s of %s%n",
          day(refusal.getWindowStart()),
          refusal.getSubject(),
          refusal.getCode(),
          refusal.getQueryId() == null
              ? "release"
              : "answer to " + refusal.getQueryId() + " " + refusal.getCandidate(),
          refusal.getOutput());
    } else if (output instanceof DeadLetter letter) {
      out.printf(
          "%s-%d offset %d  %s%n",
          letter.getTopic(), letter.getPartition(), letter.getOffset(), letter.getCode());
    } else {
      out.println(JsonRecords.line(output));
    }
  }

  private static String numbers(CountRelease release) {
    return IntStream.range(0, release.getCounts().size())
        .mapToObj(
            i ->
                (release.getCategories().isEmpty() ? "all" : release.getCategories().get(i))
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
                        "%s %s %4.1f%%",
                        release.getCategories().get(i),
                        Bars.bar(share(release, i), BAR),
                        share(release, i) * 100))
            .collect(Collectors.joining("  "));
    int more = release.getCategories().size() - SHOWN;
    return more > 0 ? shown + "  and " + more + " more" : shown;
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
