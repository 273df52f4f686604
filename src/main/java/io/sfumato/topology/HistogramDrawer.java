// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.ItemCounts;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReleaseId;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedHistogram;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.schema.Guarantee;
import io.sfumato.topology.DatasetStore.Dataset;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Draws a private distribution over the categories: one of each dataset. */
final class HistogramDrawer implements Drawer {
  private final Pipeline pipeline;
  private final String output;
  private final HistogramMechanism mechanism;
  private final Publisher publisher;
  private final Guarantee guarantee;
  private final long planned;
  private final boolean population;

  HistogramDrawer(Pipeline pipeline, PlannedHistogram planned, Publisher publisher) {
    this.pipeline = pipeline;
    this.output = planned.spec().name();
    this.mechanism = planned.plan().mechanism();
    this.publisher = publisher;
    this.guarantee = publisher.guarantee(planned);
    this.planned = Math.round(planned.spec().model().size());
    this.population = pipeline.population().isPresent();
  }

  @Override
  public int draws() {
    return 1;
  }

  @Override
  public Draws of(Dataset dataset) {
    return id -> draw(dataset.contents().histogram().orElseThrow(), id);
  }

  private byte[] draw(Histogram histogram, ReleaseId id) {
    Framing input = new Framing();
    mechanism.frame(histogram, input);
    publisher.tell(new Draw.OfHistogram(id, mechanism, histogram));
    HistogramRelease drawn = mechanism.release(histogram, publisher.randomness(id, input));
    return publisher.encode(
        DirichletRelease.newBuilder()
            .setReleaseId(id.text())
            .setPipeline(pipeline.name())
            .setOutput(output)
            .setSubject(id.subject())
            .setWindowStart(Instant.ofEpochMilli(id.windowStart()))
            .setWindowEnd(Instant.ofEpochMilli(pipeline.window().endOf(id.windowStart())))
            .setRecords(population ? null : histogram.size())
            .setCategories(pipeline.input().allCategories())
            .setProbabilities(probabilities(drawn))
            .setCounts(counts(drawn))
            .setError95(errors(drawn, population ? planned : histogram.size()))
            .setExampleLeftOut(publisher.exampleLeftOut())
            .setGuarantee(guarantee)
            .build());
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
