// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.dirichlet;

import io.sfumato.estimate.HistogramAccuracy;
import io.sfumato.estimate.HistogramDensity;
import io.sfumato.estimate.ShareErrorBars;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.ItemCounts;
import io.sfumato.mechanism.dirichlet.DirichletMechanism;
import io.sfumato.mechanism.dirichlet.DirichletParameters;

/**
 * How far Dirichlet draws are off.
 *
 * @param mechanism that draws
 */
public record DirichletAccuracy(DirichletMechanism mechanism) implements HistogramAccuracy {
  @Override
  public double halfWidth(double share, long records, int categories) {
    DirichletParameters pair = mechanism.pair();
    return StrictMath.hypot(
        ShareErrorBars.dirichlet(share, pair.r() * records, categories, pair.a()),
        ShareErrorBars.ofItems(share, mechanism.items().orElse(0)));
  }

  @Override
  public HistogramDensity density(HistogramRelease release, long records) {
    requireAsPlanned(release);
    return new DirichletDensity(mechanism.pair(), mechanism.bound().leastCount(), records, release);
  }

  private void requireAsPlanned(HistogramRelease release) {
    boolean counted = release instanceof ItemCounts;
    if (counted != mechanism.items().isPresent()
        || release.categories() != mechanism.categories()
        || release instanceof ItemCounts found && found.size() != mechanism.items().getAsLong()) {
      throw new IllegalArgumentException(
          mechanism.items().isEmpty()
              ? "the plan publishes %d probabilities, the release has none such"
                  .formatted(mechanism.categories())
              : "the plan publishes %d items, the release has none such"
                  .formatted(mechanism.items().getAsLong()));
    }
  }
}
