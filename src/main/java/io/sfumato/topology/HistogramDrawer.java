package io.sfumato.topology;

import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.ItemCounts;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReleaseId;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease.PlannedHistogram;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.schema.Guarantee;
import io.sfumato.serde.Outputs;
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

  HistogramDrawer(Pipeline pipeline, PlannedHistogram planned, Publisher publisher) {
    this.pipeline = pipeline;
    this.output = planned.spec().name();
    this.mechanism = planned.plan().mechanism();
    this.publisher = publisher;
    this.guarantee = publisher.guarantee(planned);
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
    HistogramRelease drawn = mechanism.release(histogram, publisher.randomness(id, input));
    return Outputs.encode(
        DirichletRelease.newBuilder()
            .setReleaseId(id.text())
            .setPipeline(pipeline.name())
            .setOutput(output)
            .setSubject(id.subject())
            .setWindowStart(Instant.ofEpochMilli(id.windowStart()))
            .setWindowEnd(Instant.ofEpochMilli(pipeline.window().endOf(id.windowStart())))
            .setRecords(histogram.size())
            .setCategories(pipeline.input().allCategories())
            .setProbabilities(probabilities(drawn))
            .setCounts(counts(drawn))
            .setGuarantee(guarantee)
            .build());
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
