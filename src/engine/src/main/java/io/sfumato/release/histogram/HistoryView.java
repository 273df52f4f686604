// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.estimate.additive.CountDensity;
import io.sfumato.inference.HistogramLikelihood;
import io.sfumato.inference.Likelihood;
import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ViewText;
import io.sfumato.schema.HistoryRelease;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Shares that learned from earlier releases, each with a bar and its error. */
final class HistoryView implements OutputView {
  private static final long MOST_RECORDS = 1L << 30;

  @Override
  public Schema schema() {
    return HistoryRelease.getClassSchema();
  }

  /**
   * All of them follow from the noisy counts, and from what was drawn before: noise decides too
   * which windows seem to have no records, and teach nothing.
   */
  @Override
  public Set<String> drawn() {
    return Set.of("probabilities", "error_95", "noisy_counts", "learned_from");
  }

  @Override
  public String row(IndexedRecord output) {
    HistoryRelease release = (HistoryRelease) output;
    return String.format(
        Locale.ROOT,
        "%s%s  (history of %d)%s",
        ViewText.records(release.getRecords()),
        likeliest(release),
        release.getLearnedFrom(),
        ViewText.leftOut(release.getExampleLeftOut()));
  }

  private static String likeliest(HistoryRelease release) {
    return new LikeliestShares(
            release.getCategories(),
            i -> release.getProbabilities().get(i),
            i -> OptionalDouble.of(release.getError95().get(i)))
        .line();
  }

  @Override
  public Card card(IndexedRecord output, PlannedRelease planned) {
    HistoryRelease release = (HistoryRelease) output;
    return new Card(
        release.getWindowStart(),
        release.getWindowEnd(),
        release.getRecords() == null ? OptionalLong.empty() : OptionalLong.of(release.getRecords()),
        ViewText.optional(release.getExampleLeftOut()),
        IntStream.range(0, release.getCategories().size()).mapToObj(i -> row(release, i)).toList());
  }

  private static Card.Row row(HistoryRelease release, int category) {
    double share = release.getProbabilities().get(category);
    double error = release.getError95().get(category);
    return new Card.Row(
        release.getCategories().get(category),
        share,
        OptionalDouble.of(share),
        OptionalDouble.of(error),
        String.format(
            Locale.ROOT,
            "%.1f%% ± %.1f (history of %d)",
            100 * share,
            100 * error,
            release.getLearnedFrom()));
  }

  /**
   * Of the noisy counts: the shares say no more of the window than these do.
   *
   * @throws IllegalArgumentException if the release is none that the file plans; says why
   */
  @Override
  public Optional<Likelihood> likelihood(IndexedRecord output, PlannedRelease planned) {
    HistoryRelease release = (HistoryRelease) output;
    PlannedHistogram plan = (PlannedHistogram) planned;
    int categories = plan.spec().model().shares().size();
    boolean isPublic = plan.noisy().sizeIsPublic();
    if (release.getNoisyCounts().size() != categories) {
      throw new IllegalArgumentException(
          "noisy_counts: found %d numbers, the plan has %d categories"
              .formatted(release.getNoisyCounts().size(), categories));
    }
    if (isPublic != (release.getRecords() != null)
        || isPublic && (release.getRecords() < 0 || release.getRecords() > MOST_RECORDS)) {
      throw new IllegalArgumentException(
          "records: found %s, the plan publishes %s"
              .formatted(release.getRecords(), isPublic ? "their number, 0 to 2^30" : "none"));
    }
    return Optional.of(
        new HistogramLikelihood(
            CountDensity.of(
                release.getNoisyCounts().stream().mapToLong(Long::longValue).toArray(),
                plan.noisy().noise(),
                isPublic ? OptionalLong.of(release.getRecords()) : OptionalLong.empty()),
            categories));
  }
}
