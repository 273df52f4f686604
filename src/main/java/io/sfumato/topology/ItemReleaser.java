package io.sfumato.topology;

import io.sfumato.accounting.Charge;
import io.sfumato.mechanism.mollifier.ItemData;
import io.sfumato.mechanism.mollifier.ItemSampler;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReleaseId;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plan;
import io.sfumato.pipeline.PlannedRelease.PlannedItems;
import io.sfumato.schema.Guarantee;
import io.sfumato.schema.MollifiedSample;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.DatasetStore.Dataset;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Draws the items of one closed dataset. Each is charged before it is drawn; nothing that is
 * published tells how many records there were.
 */
final class ItemReleaser implements WindowOutput {
  private final Pipeline pipeline;
  private final PipelineMeters meters;
  private final Publisher publisher;
  private final Refusals refusals;
  private final List<Output> outputs = new ArrayList<>();

  /** One output, with everything that does not depend on data made once. */
  private record Output(
      String name,
      int items,
      Charging charging,
      ItemSampler sampler,
      Charge charge,
      Guarantee guarantee) {}

  ItemReleaser(
      Plan plan,
      PipelineMeters meters,
      LedgerStore ledgers,
      Publisher publisher,
      Refusals refusals) {
    this.pipeline = plan.pipeline();
    this.meters = meters;
    this.publisher = publisher;
    this.refusals = refusals;
    for (PlannedItems planned : plan.items()) {
      outputs.add(
          new Output(
              planned.spec().name(),
              planned.spec().items(),
              new Charging(planned, plan, ledgers),
              planned.sampler(),
              planned.charge(),
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
    ItemData data = dataset.contents().items();
    ItemSampler.Law law = null;
    for (int item = 0; item < output.items(); item++) {
      switch (output.charging().charge(subject, start)) {
        case CHARGED -> {
          if (law == null) {
            law = output.sampler().law(data);
            meters.learnerFailed(output.name(), law.failures());
          }
          draw(output, dataset.key(), item, data, law, timestamp);
        }
        case EXHAUSTED -> {
          meters.silent(output.name());
          return;
        }
        case SPENT -> {
          refusals.spent(output.charging(), output.name(), dataset.key(), timestamp);
          return;
        }
      }
    }
  }

  private void draw(
      Output output,
      DatasetStore.Key key,
      int item,
      ItemData data,
      ItemSampler.Law law,
      long timestamp) {
    ReleaseId id = publisher.id(output.name(), key.subject(), key.windowStart(), item);
    Framing input = new Framing().text(output.charge().mechanism());
    data.frame(input);
    Point drawn = law.draw(publisher.randomness(id, input));
    List<String> categories = pipeline.input().allCategories();
    MollifiedSample sample =
        MollifiedSample.newBuilder()
            .setReleaseId(id.text())
            .setPipeline(pipeline.name())
            .setOutput(output.name())
            .setSubject(key.subject())
            .setWindowStart(Instant.ofEpochMilli(key.windowStart()))
            .setWindowEnd(Instant.ofEpochMilli(pipeline.window().endOf(key.windowStart())))
            .setItem(item)
            .setItems(output.items())
            .setCategory(categories.isEmpty() ? null : categories.get(drawn.category()))
            .setValues(Arrays.stream(drawn.numbers()).boxed().toList())
            .setEpsilon(output.charge().pure().orElseThrow())
            .setGuarantee(output.guarantee())
            .build();
    publisher.publish(output.name(), id, Outputs.encode(sample), timestamp);
  }
}
