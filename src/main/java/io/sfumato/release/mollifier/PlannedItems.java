// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import io.sfumato.accounting.Charge;
import io.sfumato.accounting.Share;
import io.sfumato.mechanism.mollifier.ItemSampler;
import io.sfumato.noise.Framing;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.Footprint.Part;
import io.sfumato.pipeline.OutputBytes;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseReport;
import java.util.List;
import java.util.Optional;

/**
 * Synthetic items.
 *
 * @param spec of the file
 * @param share that counts items
 * @param sampler of each item
 */
public record PlannedItems(MollifierSpec spec, Share share, ItemSampler sampler)
    implements PlannedRelease {
  @Override
  public Charge charge() {
    return sampler.charge();
  }

  @Override
  public void digest(Framing digest) {
    digest.number(spec.items());
  }

  @Override
  public ReleaseReport report(Pipeline pipeline) {
    return new ItemsReport(this);
  }

  @Override
  public List<Part> size(OutputBytes out, Pipeline pipeline) {
    out.whole("item").whole("items").list("values").decimal("epsilon");
    long name = pipeline.input().allCategories().stream().mapToLong(out::ofText).max().orElse(0);
    int values = pipeline.input().values().size();
    out.anyText("category", 0, "null".length());
    return List.of(
        Part.of("input.categories", 1, name),
        Part.of("input.values", values, values * out.ofDecimal()));
  }

  @Override
  public boolean fitsLaws() {
    return true;
  }

  @Override
  public Optional<Drawer> drawer(Pipeline pipeline) {
    return Optional.of(new ItemDrawer(this));
  }

  @Override
  public List<DrawJudge<?>> judges() {
    return List.of(new ItemJudge());
  }
}
