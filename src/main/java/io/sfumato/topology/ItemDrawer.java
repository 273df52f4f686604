// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.accounting.Charge;
import io.sfumato.mechanism.mollifier.ItemData;
import io.sfumato.mechanism.mollifier.ItemSampler;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReleaseId;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedItems;
import io.sfumato.schema.Guarantee;
import io.sfumato.schema.MollifiedSample;
import io.sfumato.topology.DatasetStore.Dataset;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** Draws synthetic items. Nothing that is published tells how many records there were. */
final class ItemDrawer implements Drawer {
  private final Pipeline pipeline;
  private final String output;
  private final int items;
  private final ItemSampler sampler;
  private final Charge charge;
  private final Publisher publisher;
  private final PipelineMeters meters;
  private final Guarantee guarantee;

  ItemDrawer(Pipeline pipeline, PlannedItems planned, Publisher publisher, PipelineMeters meters) {
    this.pipeline = pipeline;
    this.output = planned.spec().name();
    this.items = planned.spec().items();
    this.sampler = planned.sampler();
    this.charge = planned.charge();
    this.publisher = publisher;
    this.meters = meters;
    this.guarantee = publisher.guarantee(planned);
  }

  @Override
  public int draws() {
    return items;
  }

  @Override
  public Draws of(Dataset dataset) {
    ItemData data = dataset.contents().items();
    ItemSampler.Law law = sampler.law(data);
    meters.learnerFailed(output, law.failures());
    return id -> draw(id, data, law);
  }

  private byte[] draw(ReleaseId id, ItemData data, ItemSampler.Law law) {
    Framing input = new Framing().text(charge.mechanism());
    data.frame(input);
    publisher.tell(new Draw.OfItem(id, sampler, data));
    Point drawn = law.draw(publisher.randomness(id, input));
    List<String> categories = pipeline.input().allCategories();
    return publisher.encode(
        MollifiedSample.newBuilder()
            .setReleaseId(id.text())
            .setPipeline(pipeline.name())
            .setOutput(output)
            .setSubject(id.subject())
            .setWindowStart(Instant.ofEpochMilli(id.windowStart()))
            .setWindowEnd(Instant.ofEpochMilli(pipeline.window().endOf(id.windowStart())))
            .setItem(id.index())
            .setItems(items)
            .setCategory(categories.isEmpty() ? null : categories.get(drawn.category()))
            .setValues(Arrays.stream(drawn.numbers()).boxed().toList())
            .setEpsilon(charge.pure().orElseThrow())
            .setGuarantee(guarantee)
            .build());
  }
}
