// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import io.sfumato.accounting.Charge;
import io.sfumato.mechanism.mollifier.ItemData;
import io.sfumato.mechanism.mollifier.ItemSampler;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReleaseId;
import io.sfumato.noise.ReplayableRandom;
import io.sfumato.pipeline.Draw;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.WindowData;
import io.sfumato.schema.MollifiedSample;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Draws synthetic items. Nothing that is published tells how many records there were. */
final class ItemDrawer implements Drawer {
  private final int items;
  private final ItemSampler sampler;
  private final Charge charge;

  ItemDrawer(PlannedItems planned) {
    this.items = planned.spec().items();
    this.sampler = planned.sampler();
    this.charge = planned.charge();
  }

  @Override
  public int draws() {
    return items;
  }

  @Override
  public Draws of(WindowData data, Optional<byte[]> memory) {
    return new Items(data.items());
  }

  private final class Items implements Draws {
    private final ItemData data;
    private final ItemSampler.Law law;

    Items(ItemData data) {
      this.data = data;
      this.law = sampler.law(data);
    }

    @Override
    public Draw exact(ReleaseId id) {
      return new ItemDraw(id, sampler, data);
    }

    @Override
    public void frame(ReleaseId id, Framing input) {
      data.frame(input.text(charge.mechanism()));
    }

    @Override
    public Drawn draw(OutputLabel label, ReplayableRandom random) {
      Point drawn = law.draw(random);
      List<String> categories = label.pipeline().input().allCategories();
      return new Drawn(
          MollifiedSample.newBuilder()
              .setReleaseId(label.id().text())
              .setPipeline(label.pipeline().name())
              .setOutput(label.output())
              .setSubject(label.id().subject())
              .setWindowStart(label.from())
              .setWindowEnd(label.to())
              .setItem(label.id().index())
              .setItems(items)
              .setCategory(categories.isEmpty() ? null : categories.get(drawn.category()))
              .setValues(Arrays.stream(drawn.numbers()).boxed().toList())
              .setEpsilon(charge.pure().orElseThrow())
              .setGuarantee(label.guarantee())
              .build());
    }

    @Override
    public int failures() {
      return law.failures();
    }
  }
}
