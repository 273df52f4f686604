// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import io.sfumato.gate.Memory;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.mollifier.DrawnItem;
import io.sfumato.mechanism.mollifier.ItemMechanism;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.WindowData;
import io.sfumato.schema.MollifiedSample;
import java.util.Arrays;
import java.util.List;

/** Draws synthetic items. Nothing that is published tells how many records there were. */
final class MollifierSampler implements ReleaseSampler {
  private final int items;
  private final ItemMechanism mechanism;
  private final double epsilon;

  MollifierSampler(PlannedMollifier planned) {
    this.items = planned.spec().items();
    this.mechanism = planned.plan().mechanism();
    this.epsilon = planned.charge().pure().orElseThrow();
  }

  @Override
  public int draws() {
    return items;
  }

  @Override
  public Prepared prepare(long windowStart, Secret<? extends WindowData> data, Memory memory) {
    return Prepared.of(mechanism, data.map(WindowData::items), this::written);
  }

  private MollifiedSample written(OutputLabel label, DrawnItem item) {
    Point drawn = item.point();
    List<String> categories = label.pipeline().input().allCategories();
    MollifiedSample sample = label.on(new MollifiedSample());
    sample.setItem(label.id().index());
    sample.setItems(items);
    sample.setCategory(categories.isEmpty() ? null : categories.get(drawn.category()));
    sample.setValues(Arrays.stream(drawn.numbers()).boxed().toList());
    sample.setEpsilon(epsilon);
    return sample;
  }
}
