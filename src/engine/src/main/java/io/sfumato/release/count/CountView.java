// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.estimate.additive.CountDensity;
import io.sfumato.inference.HistogramLikelihood;
import io.sfumato.inference.Likelihood;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.count.CountQuery;
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
import io.sfumato.rows.Stretch;
import io.sfumato.schema.CountRelease;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Counts, all with one error. */
final class CountView implements OutputView {
  private static final String COUNT = "count";
  private static final String USERS = "users";

  @Override
  public Schema schema() {
    return CountRelease.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("counts", "last_counts");
  }

  @Override
  public List<OutputRow> rows(IndexedRecord output, Optional<PlannedRelease> planned) {
    CountRelease counts = (CountRelease) output;
    String mechanism = counts.getGuarantee().getMechanism();
    OutputRows rows =
        OutputRows.of(output)
            .sharing(NoiseText.isOfSeveral(mechanism) ? NoiseScope.PIPELINE : NoiseScope.ROW);
    OptionalDouble deviation = NoiseText.deviation(mechanism);
    if (counts.getWindows() != null || counts.getSince().isBefore(counts.getWindowStart())) {
      rows.about(Stretch.running(counts.getSince(), counts.getWindows()));
      deviation = OptionalDouble.empty();
    }
    add(rows, counts, counts.getCounts(), counts.getError95(), deviation);
    if (counts.getLastCounts() != null) {
      rows.about(Stretch.last(counts.getLastSince(), counts.getLastWindows()));
      add(rows, counts, counts.getLastCounts(), counts.getLastError95(), OptionalDouble.empty());
    }
    return rows.all();
  }

  private static void add(
      OutputRows rows,
      CountRelease counts,
      List<Long> values,
      long error,
      OptionalDouble deviation) {
    String measure = measure(counts);
    for (int i = 0; i < values.size(); i++) {
      Quantity count = Quantity.around(values.get(i), error);
      rows.drawn(
          Group.category(counts.getCategories(), i),
          measure,
          deviation.isPresent() ? count.withDeviation(deviation.getAsDouble()) : count);
    }
  }

  private static String measure(CountRelease counts) {
    return NoiseText.isOfUsers(counts.getGuarantee().getMechanism()) ? USERS : COUNT;
  }

  @Override
  public Reading reading(IndexedRecord output) {
    return Reading.of(Column.of(measure((CountRelease) output), "", Style.AROUND))
        .withBars(Scale.LARGEST)
        .withCommonBound()
        .followed();
  }

  /**
   * Of the windows' own counts, one a category: running ones are about other windows too.
   *
   * @throws IllegalArgumentException if the release is none that the file plans; says why
   */
  @Override
  public Optional<Likelihood> likelihood(IndexedRecord output, PlannedRelease planned) {
    if (!planned.hasLikelihood()) {
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
}
