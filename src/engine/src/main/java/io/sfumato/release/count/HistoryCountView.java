// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.estimate.additive.CountDensity;
import io.sfumato.inference.HistogramLikelihood;
import io.sfumato.inference.Likelihood;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.rows.Column;
import io.sfumato.rows.Column.Style;
import io.sfumato.rows.Group;
import io.sfumato.rows.NoiseScope;
import io.sfumato.rows.NoiseText;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.OutputRows;
import io.sfumato.rows.Quantity;
import io.sfumato.rows.Reading;
import io.sfumato.rows.Scale;
import io.sfumato.schema.HistoryCountRelease;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Counts that learned from earlier releases, each with its error. */
final class HistoryCountView implements OutputView {
  private static final String ESTIMATE = "estimated ";
  private static final String NOISY = "noisy ";
  private static final String HISTORY = "earlier releases";

  @Override
  public Schema schema() {
    return HistoryCountRelease.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("estimates", "error_95", "noisy_counts");
  }

  @Override
  public List<OutputRow> rows(IndexedRecord output, Optional<PlannedRelease> planned) {
    HistoryCountRelease counts = (HistoryCountRelease) output;
    OutputRows rows =
        OutputRows.of(output).fact(HISTORY, Quantity.of((long) counts.getLearnedFrom()));
    for (int i = 0; i < counts.getEstimates().size(); i++) {
      Group group = Group.category(counts.getCategories(), i);
      rows.sharing(NoiseScope.OUTPUT)
          .drawn(
              group,
              ESTIMATE + counted(counts),
              Quantity.around(counts.getEstimates().get(i), counts.getError95().get(i)));
      rows.sharing(NoiseScope.ROW).drawn(group, NOISY + counted(counts), noisy(counts, i));
    }
    return rows.all();
  }

  private static String counted(HistoryCountRelease counts) {
    return NoiseText.isOfUsers(counts.getGuarantee().getMechanism()) ? "users" : "count";
  }

  private static Quantity noisy(HistoryCountRelease counts, int place) {
    Quantity count = Quantity.of(counts.getNoisyCounts().get(place));
    OptionalDouble deviation = NoiseText.deviation(counts.getGuarantee().getMechanism());
    return deviation.isPresent() ? count.withDeviation(deviation.getAsDouble()) : count;
  }

  @Override
  public Reading reading(IndexedRecord output) {
    return Reading.of(Column.of(ESTIMATE + counted((HistoryCountRelease) output), "", Style.AROUND))
        .withFacts(Column.of(HISTORY, "", Style.AROUND).worded("history of %s"))
        .withBars(Scale.LARGEST)
        .followed();
  }

  /**
   * Of the noisy counts, one a category: the estimates say no more of the window.
   *
   * @throws IllegalArgumentException if the release is none that the file plans; says why
   */
  @Override
  public Optional<Likelihood> likelihood(IndexedRecord output, PlannedRelease planned) {
    if (!planned.hasLikelihood()) {
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
}
