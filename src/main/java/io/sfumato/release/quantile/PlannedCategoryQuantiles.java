// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.mechanism.Planned;
import io.sfumato.mechanism.quantile.CategoryCounts;
import io.sfumato.mechanism.quantile.CategoryQuantiles;
import io.sfumato.noise.Framing;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.Footprint.Part;
import io.sfumato.pipeline.GridJudge;
import io.sfumato.pipeline.OutputBytes;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseReport;
import java.util.List;
import java.util.Optional;

/**
 * Quantiles of each category's records.
 *
 * @param spec of the file
 * @param plan whose share counts windows
 */
public record PlannedCategoryQuantiles(QuantileSpec spec, Planned<CategoryQuantiles> plan)
    implements PlannedRelease {
  @Override
  public void digest(Framing digest) {
    spec.digest(digest);
  }

  @Override
  public ReleaseReport report(Pipeline pipeline) {
    return QuantileReport.of(pipeline, this);
  }

  @Override
  public List<Part> size(OutputBytes out, Pipeline pipeline) {
    return new QuantileWriter(spec).size(out, pipeline);
  }

  @Override
  public Optional<Drawer> drawer(Pipeline pipeline) {
    return Optional.of(new CategoryQuantileDrawer(this));
  }

  /** All rows of all categories: a record may leave those of one for those of another. */
  @Override
  public DrawJudge<CategoryCounts> judge() {
    CategoryQuantiles mechanism = plan.mechanism();
    return new GridJudge<>(mechanism::rows, mechanism.each().rows().sensitivity());
  }
}
