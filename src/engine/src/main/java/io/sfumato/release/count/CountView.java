// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.estimate.additive.CountDensity;
import io.sfumato.inference.HistogramLikelihood;
import io.sfumato.inference.Likelihood;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.count.CountQuery;
import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Stretch;
import io.sfumato.pipeline.ViewText;
import io.sfumato.schema.CountRelease;
import io.sfumato.text.Visible;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Counts, all with one error. */
final class CountView implements OutputView {
  @Override
  public Schema schema() {
    return CountRelease.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("counts", "last_counts");
  }

  @Override
  public String row(IndexedRecord output) {
    CountRelease counts = (CountRelease) output;
    return (counts.getSince().equals(counts.getWindowStart())
            ? ""
            : "since " + ViewText.start(counts.getSince()) + "  ")
        + all(counts, counts.getCounts(), counts.getError95())
        + (counts.getLastCounts() == null
            ? ""
            : "  last %d: %s"
                .formatted(
                    counts.getLastWindows(),
                    all(counts, counts.getLastCounts(), counts.getLastError95())))
        + ViewText.leftOut(counts.getExampleLeftOut());
  }

  private static String all(CountRelease counts, List<Long> values, long error) {
    return IntStream.range(0, values.size())
            .mapToObj(i -> Visible.of(label(counts, i)) + " " + values.get(i))
            .collect(Collectors.joining("  "))
        + "  +-"
        + error;
  }

  private static String label(CountRelease counts, int place) {
    return counts.getCategories().isEmpty() ? "all" : counts.getCategories().get(place);
  }

  /**
   * Of the windows' own counts, one a category: running ones are about other windows too.
   *
   * @throws IllegalArgumentException if the release is none that the file plans; says why
   */
  @Override
  public Optional<Likelihood> likelihood(IndexedRecord output, PlannedRelease planned) {
    if (!planned.canBeAsked()) {
      return Optional.empty();
    }
    CountRelease release = (CountRelease) output;
    CountMeasurement<CountQuery> mechanism = ((PlannedCount) planned).plan().mechanism();
    if (release.getCounts().size() != release.getCategories().size()
        || release.getCounts().size() < 2
        || release.getError95() != mechanism.noise().halfWidth(1)) {
      throw new IllegalArgumentException(
          "the release has %d counts of %d categories within +-%d, the file plans +-%d"
              .formatted(
                  release.getCounts().size(),
                  release.getCategories().size(),
                  release.getError95(),
                  mechanism.noise().halfWidth(1)));
    }
    long[] noisy = release.getCounts().stream().mapToLong(Long::longValue).toArray();
    return Optional.of(
        new HistogramLikelihood(CountDensity.of(noisy, mechanism.noise()), noisy.length));
  }

  @Override
  public boolean hasCourse() {
    return true;
  }

  @Override
  public Card card(IndexedRecord output, PlannedRelease planned) {
    CountRelease counts = (CountRelease) output;
    boolean runs =
        counts.getWindows() != null || counts.getSince().isBefore(counts.getWindowStart());
    List<Card.Group> groups = new ArrayList<>();
    groups.add(
        group(
            counts,
            counts.getCounts(),
            counts.getError95(),
            runs
                ? Stretch.running(counts.getSince(), counts.getWindows())
                : Stretch.own(counts.getWindowStart())));
    if (counts.getLastCounts() != null) {
      groups.add(
          group(
              counts,
              counts.getLastCounts(),
              counts.getLastError95(),
              Stretch.last(counts.getLastSince(), counts.getLastWindows())));
    }
    return new Card(
        counts.getWindowEnd(),
        OptionalLong.empty(),
        ViewText.optional(counts.getExampleLeftOut()),
        groups);
  }

  private static Card.Group group(
      CountRelease counts, List<Long> values, long error, Stretch about) {
    CountRows rows = new CountRows(values, Collections.nCopies(values.size(), error));
    for (int i = 0; i < values.size(); i++) {
      rows.add(
          label(counts, i),
          values.get(i),
          error,
          String.format(Locale.ROOT, "%,d ± %,d", values.get(i), error));
    }
    return rows.about(about);
  }
}
