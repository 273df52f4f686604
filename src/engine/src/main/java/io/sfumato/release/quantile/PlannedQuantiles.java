// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.noise.Framing;
import io.sfumato.pipeline.Basis;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;

/** Quantiles of all records, or of each category's. */
sealed interface PlannedQuantiles extends PlannedRelease
    permits PlannedQuantile, PlannedCategoryQuantiles {
  @Override
  QuantileSpec spec();

  @Override
  default void digest(Framing digest) {
    spec().digest(digest);
  }

  @Override
  default Basis basis(Pipeline pipeline) {
    return Basis.of(
        "quantiles of " + spec().value() + (spec().isByCategory() ? " in each category" : ""),
        pipeline.population(),
        Basis.ROOT,
        Basis.DISCRETE_NOISE);
  }

  @Override
  default Caps caps(Pipeline pipeline) {
    return new QuantileWriter(spec()).caps(pipeline);
  }
}
