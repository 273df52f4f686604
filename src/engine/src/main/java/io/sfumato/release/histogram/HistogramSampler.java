// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.estimate.HistogramAccuracy;
import io.sfumato.gate.Memory;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.ItemCounts;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.WindowData;
import io.sfumato.schema.DirichletRelease;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Draws a private distribution over the categories: one of each dataset. */
final class HistogramSampler implements ReleaseSampler {
  private final HistogramMechanism mechanism;
  private final HistogramAccuracy accuracy;
  private final long planned;
  private final PrivacyUnit unit;

  HistogramSampler(PlannedHistogram planned) {
    this.mechanism = planned.plan().mechanism();
    this.accuracy = planned.best().accuracy();
    this.planned = Math.round(planned.spec().model().size());
    this.unit = planned.charge().unit();
  }

  @Override
  public Prepared prepare(long windowStart, Secret<? extends WindowData> data, Memory memory) {
    OptionalLong size = Secret.publicSize(data, unit);
    return Prepared.of(
        mechanism,
        data.map(own -> own.histogram().orElseThrow()),
        (label, drawn) -> written(label, drawn, size));
  }

  /**
   * @param size N, where it is public
   */
  private DirichletRelease written(OutputLabel label, HistogramRelease drawn, OptionalLong size) {
    DirichletRelease release = label.on(new DirichletRelease());
    release.setRecords(size.isPresent() ? (Long) size.getAsLong() : null);
    release.setCategories(label.pipeline().input().allCategories());
    release.setProbabilities(List.of());
    release.setCounts(List.of());
    release.setError95(errors(drawn, size.orElse(planned)));
    release.setExampleLeftOut(label.exampleLeftOut());
    if (drawn instanceof ItemCounts items) {
      release.setCounts(counts(items));
    } else {
      release.setProbabilities(probabilities((Distribution) drawn));
    }
    return release;
  }

  /**
   * Of each share.
   *
   * @param records their number, where that is public; else the guess
   */
  private List<Double> errors(HistogramRelease drawn, long records) {
    List<Double> errors = new ArrayList<>();
    for (int i = 0; i < drawn.categories(); i++) {
      if (drawn instanceof Distribution shares) {
        errors.add(
            accuracy.halfWidth(shares.share(i), shares.size().orElse(records), drawn.categories()));
      } else {
        ItemCounts items = (ItemCounts) drawn;
        double share = items.count(i) / (double) Math.max(1, items.size());
        errors.add(accuracy.halfWidth(share, records, drawn.categories()));
      }
    }
    return errors;
  }

  private static List<Double> probabilities(Distribution drawn) {
    List<Double> probabilities = new ArrayList<>();
    for (int i = 0; i < drawn.categories(); i++) {
      probabilities.add(drawn.share(i));
    }
    return probabilities;
  }

  private static List<Long> counts(ItemCounts items) {
    List<Long> counts = new ArrayList<>();
    for (int i = 0; i < items.categories(); i++) {
      counts.add(items.count(i));
    }
    return counts;
  }
}
