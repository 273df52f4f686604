// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.inference.Likelihood;
import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ViewText;
import io.sfumato.schema.DirichletRelease;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
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
  public String row(IndexedRecord output) {
    DirichletRelease release = (DirichletRelease) output;
    return String.format(
        Locale.ROOT,
        "%s%s%s",
        ViewText.records(release.getRecords()),
        likeliest(release),
        ViewText.leftOut(release.getExampleLeftOut()));
  }

  private static String likeliest(DirichletRelease release) {
    return new LikeliestShares(
            release.getCategories(),
            i -> share(release, i),
            i ->
                release.getError95().isEmpty()
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(release.getError95().get(i)))
        .line();
  }

  private static double share(DirichletRelease release, int category) {
    if (release.getCounts().isEmpty()) {
      return release.getProbabilities().get(category);
    }
    double items = release.getCounts().stream().mapToLong(Long::longValue).sum();
    return release.getCounts().get(category) / items;
  }

  @Override
  public Card card(IndexedRecord output, PlannedRelease planned) {
    DirichletRelease release = (DirichletRelease) output;
    List<Double> shares = shares(release);
    List<Card.Row> rows = new ArrayList<>();
    for (int i = 0; i < shares.size(); i++) {
      double share = shares.get(i);
      double error =
          release.getError95().isEmpty()
              ? ((PlannedHistogram) planned)
                  .best()
                  .accuracy()
                  .halfWidth(share, release.getRecords(), shares.size())
              : release.getError95().get(i);
      rows.add(
          new Card.Row(
              release.getCategories().get(i),
              share,
              OptionalDouble.of(share),
              OptionalDouble.of(error),
              String.format(Locale.ROOT, "%.1f%% ± %.1f", 100 * share, 100 * error)));
    }
    return new Card(
        release.getWindowStart(),
        release.getWindowEnd(),
        release.getRecords() == null ? OptionalLong.empty() : OptionalLong.of(release.getRecords()),
        ViewText.optional(release.getExampleLeftOut()),
        rows);
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
