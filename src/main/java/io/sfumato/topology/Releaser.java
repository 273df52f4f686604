package io.sfumato.topology;

import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.ItemCounts;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReleaseId;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plan;
import io.sfumato.pipeline.PlannedRelease.PlannedHistogram;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.schema.Guarantee;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.DatasetStore.Dataset;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides, charges and draws the releases of one closed dataset, in this order. Charge, output and
 * state changes are part of one Kafka transaction.
 */
final class Releaser implements WindowOutput {
  private final Pipeline pipeline;
  private final List<Output> outputs = new ArrayList<>();
  private final Publisher publisher;
  private final Refusals refusals;
  private final PipelineMeters meters;

  /** One output, with everything that does not depend on data made once. */
  private record Output(
      String name, Charging charging, HistogramMechanism mechanism, Guarantee guarantee) {}

  Releaser(
      Plan plan,
      PipelineMeters meters,
      LedgerStore ledgers,
      Publisher publisher,
      Refusals refusals) {
    this.pipeline = plan.pipeline();
    this.meters = meters;
    this.publisher = publisher;
    this.refusals = refusals;
    for (PlannedHistogram planned : plan.histograms()) {
      outputs.add(
          new Output(
              planned.spec().name(),
              new Charging(planned, plan, ledgers),
              planned.plan().mechanism(),
              publisher.guarantee(planned)));
    }
  }

  @Override
  public void release(Dataset dataset, long timestamp) {
    for (Output output : outputs) {
      release(output, dataset, timestamp);
    }
  }

  private void release(Output output, Dataset dataset, long timestamp) {
    long start = dataset.key().windowStart();
    String subject = dataset.key().subject();
    // The charge stands before the draw, both in this transaction.
    switch (output.charging().charge(subject, start)) {
      case CHARGED -> draw(output, dataset, timestamp);
      case EXHAUSTED -> meters.silent(output.name());
      case SPENT -> refusals.spent(output.charging(), output.name(), dataset.key(), timestamp);
    }
  }

  private void draw(Output output, Dataset dataset, long timestamp) {
    long start = dataset.key().windowStart();
    Histogram histogram = dataset.contents().histogram().orElseThrow();
    ReleaseId id = publisher.id(output.name(), dataset.key().subject(), start, 0);
    Framing input = new Framing();
    output.mechanism().frame(histogram, input);
    HistogramRelease drawn = output.mechanism().release(histogram, publisher.randomness(id, input));
    DirichletRelease release =
        DirichletRelease.newBuilder()
            .setReleaseId(id.text())
            .setPipeline(pipeline.name())
            .setOutput(output.name())
            .setSubject(id.subject())
            .setWindowStart(Instant.ofEpochMilli(start))
            .setWindowEnd(Instant.ofEpochMilli(pipeline.window().endOf(start)))
            .setRecords(histogram.size())
            .setCategories(pipeline.input().allCategories())
            .setProbabilities(probabilities(drawn))
            .setCounts(counts(drawn))
            .setGuarantee(output.guarantee())
            .build();
    publisher.publish(output.name(), id, Outputs.encode(release), timestamp);
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
