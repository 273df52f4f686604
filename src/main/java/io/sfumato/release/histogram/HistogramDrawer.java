// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.ItemCounts;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReleaseId;
import io.sfumato.noise.ReplayableRandom;
import io.sfumato.pipeline.Draw;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.WindowData;
import io.sfumato.schema.DirichletRelease;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Draws a private distribution over the categories: one of each dataset. */
final class HistogramDrawer implements Drawer {
  private final HistogramMechanism mechanism;
  private final long planned;
  private final boolean population;

  HistogramDrawer(PlannedHistogram planned, boolean population) {
    this.mechanism = planned.plan().mechanism();
    this.planned = Math.round(planned.spec().model().size());
    this.population = population;
  }

  @Override
  public Draws of(WindowData data, Optional<byte[]> memory) {
    return new OneDraw(data.histogram().orElseThrow());
  }

  private final class OneDraw implements Draws {
    private final Histogram histogram;

    OneDraw(Histogram histogram) {
      this.histogram = histogram;
    }

    @Override
    public Draw exact(ReleaseId id) {
      return new HistogramDraw(id, mechanism, histogram);
    }

    @Override
    public void frame(ReleaseId id, Framing input) {
      mechanism.frame(histogram, input);
    }

    @Override
    public Drawn draw(OutputLabel label, ReplayableRandom random) {
      HistogramRelease drawn = mechanism.release(histogram, random);
      return new Drawn(
          DirichletRelease.newBuilder()
              .setReleaseId(label.id().text())
              .setPipeline(label.pipeline().name())
              .setOutput(label.output())
              .setSubject(label.id().subject())
              .setWindowStart(label.from())
              .setWindowEnd(label.to())
              .setRecords(population ? null : histogram.size())
              .setCategories(label.pipeline().input().allCategories())
              .setProbabilities(probabilities(drawn))
              .setCounts(counts(drawn))
              .setError95(errors(drawn, population ? planned : histogram.size()))
              .setExampleLeftOut(label.exampleLeftOut())
              .setGuarantee(label.guarantee())
              .build());
    }
  }

  /**
   * Of each share.
   *
   * @param records their number, where that is public; where users are protected the guess
   */
  private List<Double> errors(HistogramRelease drawn, long records) {
    List<Double> errors = new ArrayList<>();
    for (int i = 0; i < drawn.categories(); i++) {
      if (drawn instanceof Distribution shares) {
        errors.add(
            mechanism.halfWidth(
                shares.share(i), shares.size().orElse(records), drawn.categories()));
      } else {
        ItemCounts items = (ItemCounts) drawn;
        double share = items.count(i) / (double) Math.max(1, items.size());
        errors.add(mechanism.halfWidth(share, records, drawn.categories()));
      }
    }
    return errors;
  }

  private static List<Double> probabilities(HistogramRelease drawn) {
    List<Double> probabilities = new ArrayList<>();
    if (drawn instanceof Distribution distribution) {
      for (int i = 0; i < distribution.categories(); i++) {
        probabilities.add(distribution.share(i));
      }
    }
    return probabilities;
  }

  private static List<Long> counts(HistogramRelease drawn) {
    List<Long> counts = new ArrayList<>();
    if (drawn instanceof ItemCounts items) {
      for (int i = 0; i < items.categories(); i++) {
        counts.add(items.count(i));
      }
    }
    return counts;
  }
}
