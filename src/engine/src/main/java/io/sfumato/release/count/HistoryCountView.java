// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.estimate.additive.CountDensity;
import io.sfumato.inference.HistogramLikelihood;
import io.sfumato.inference.Likelihood;
import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Stretch;
import io.sfumato.pipeline.ViewText;
import io.sfumato.schema.HistoryCountRelease;
import io.sfumato.text.Visible;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Counts that learned from earlier releases, each with its error. */
final class HistoryCountView implements OutputView {
  @Override
  public Schema schema() {
    return HistoryCountRelease.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("estimates", "error_95", "noisy_counts");
  }

  @Override
  public String row(IndexedRecord output) {
    HistoryCountRelease counts = (HistoryCountRelease) output;
    return String.format(
        Locale.ROOT,
        "%s  (history of %d)%s",
        IntStream.range(0, counts.getEstimates().size())
            .mapToObj(i -> Visible.of(label(counts, i)) + " " + text(counts, i, "+-"))
            .collect(Collectors.joining("  ")),
        counts.getLearnedFrom(),
        ViewText.leftOut(counts.getExampleLeftOut()));
  }

  private static String label(HistoryCountRelease counts, int place) {
    return counts.getCategories().isEmpty() ? "all" : counts.getCategories().get(place);
  }

  private static String text(HistoryCountRelease counts, int place, String sign) {
    return String.format(
        Locale.ROOT,
        "%,.1f %s%,.1f",
        counts.getEstimates().get(place),
        sign,
        counts.getError95().get(place));
  }

  /**
   * Of the noisy counts, one a category: the estimates say no more of the window.
   *
   * @throws IllegalArgumentException if the release is none that the file plans; says why
   */
  @Override
  public Optional<Likelihood> likelihood(IndexedRecord output, PlannedRelease planned) {
    if (!planned.canBeAsked()) {
      return Optional.empty();
    }
    HistoryCountRelease release = (HistoryCountRelease) output;
    long[] noisy = release.getNoisyCounts().stream().mapToLong(Long::longValue).toArray();
    if (noisy.length != release.getCategories().size() || noisy.length < 2) {
      throw new IllegalArgumentException(
          "noisy_counts: found %d of %d categories"
              .formatted(noisy.length, release.getCategories().size()));
    }
    return Optional.of(
        new HistogramLikelihood(
            CountDensity.of(noisy, ((PlannedCount) planned).plan().mechanism().noise()),
            noisy.length));
  }

  @Override
  public boolean hasCourse() {
    return true;
  }

  @Override
  public Card card(IndexedRecord output, PlannedRelease planned) {
    HistoryCountRelease counts = (HistoryCountRelease) output;
    CountRows rows = new CountRows(counts.getEstimates(), counts.getError95());
    for (int i = 0; i < counts.getEstimates().size(); i++) {
      rows.add(
          label(counts, i),
          counts.getEstimates().get(i),
          counts.getError95().get(i),
          text(counts, i, "± ") + " (history of " + counts.getLearnedFrom() + ")");
    }
    return new Card(
        counts.getWindowEnd(),
        OptionalLong.empty(),
        ViewText.optional(counts.getExampleLeftOut()),
        List.of(rows.about(Stretch.own(counts.getWindowStart()))));
  }
}
