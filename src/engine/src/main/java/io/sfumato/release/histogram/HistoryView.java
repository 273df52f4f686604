// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.estimate.additive.CountDensity;
import io.sfumato.inference.HistogramLikelihood;
import io.sfumato.inference.Likelihood;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.rows.Column;
import io.sfumato.rows.Column.Style;
import io.sfumato.rows.Group;
import io.sfumato.rows.NoiseScope;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.OutputRows;
import io.sfumato.rows.Quantity;
import io.sfumato.rows.Reading;
import io.sfumato.schema.HistoryRelease;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Shares that learned from earlier releases, each with a bar and its error. */
final class HistoryView implements OutputView {
  private static final String HISTORY = "earlier releases";
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
  public List<OutputRow> rows(IndexedRecord output, Optional<PlannedRelease> planned) {
    HistoryRelease release = (HistoryRelease) output;
    OutputRows rows =
        OutputRows.of(output)
            .records(release.getRecords())
            .drawn(Group.ALL, HISTORY, Quantity.of((long) release.getLearnedFrom()));
    for (int i = 0; i < release.getProbabilities().size(); i++) {
      Group group = Group.category(release.getCategories().get(i));
      rows.sharing(NoiseScope.OUTPUT)
          .drawn(
              group,
              Shares.SHARE,
              Quantity.share(release.getProbabilities().get(i), release.getError95().get(i)));
      rows.sharing(NoiseScope.ROW)
          .drawn(group, "noisy count", Quantity.of(release.getNoisyCounts().get(i)));
    }
    return rows.all();
  }

  @Override
  public Reading reading(IndexedRecord output) {
    return Shares.reading(((HistoryRelease) output).getRecords())
        .withFacts(Column.of(HISTORY, "", Style.AROUND).worded("history of %s"));
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
