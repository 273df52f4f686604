// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.inference.Likelihood;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.rows.Group;
import io.sfumato.rows.NoiseScope;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.OutputRows;
import io.sfumato.rows.Quantity;
import io.sfumato.rows.Reading;
import io.sfumato.schema.DirichletRelease;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Shares, each with a bar and its error. */
final class HistogramView implements OutputView {
  @Override
  public Schema schema() {
    return DirichletRelease.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("probabilities", "counts", "error_95");
  }

  @Override
  public List<OutputRow> rows(IndexedRecord output, Optional<PlannedRelease> planned) {
    DirichletRelease release = (DirichletRelease) output;
    OutputRows rows =
        OutputRows.of(output).sharing(NoiseScope.WINDOW).records(release.getRecords());
    List<Double> shares = shares(release);
    for (int i = 0; i < shares.size(); i++) {
      Group group = Group.category(release.getCategories().get(i));
      rows.drawn(group, Shares.SHARE, Quantity.share(shares.get(i), release.getError95().get(i)));
      if (!release.getCounts().isEmpty()) {
        rows.drawn(group, "count", Quantity.of(release.getCounts().get(i)));
      }
    }
    return rows.all();
  }

  @Override
  public Reading reading(IndexedRecord output) {
    return Shares.reading(((DirichletRelease) output).getRecords());
  }

  @Override
  public Optional<Likelihood> likelihood(IndexedRecord output, PlannedRelease planned) {
    return PublishedHistogram.likelihood((DirichletRelease) output, (PlannedHistogram) planned);
  }

  /** Of counts, which noise may have made less than nothing, as well. */
  private static List<Double> shares(DirichletRelease release) {
    if (!release.getProbabilities().isEmpty()) {
      return release.getProbabilities();
    }
    double items = Math.max(1, release.getCounts().stream().mapToLong(Long::longValue).sum());
    return release.getCounts().stream().map(count -> Math.max(0, count) / items).toList();
  }
}
