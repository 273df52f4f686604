// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.mollifier.PlannedItems;
import io.sfumato.mechanism.mollifier.ItemData;
import io.sfumato.mechanism.mollifier.ItemMechanism;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.PrivacyRationale;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.random.CanonicalEncoder;
import java.util.Optional;

/**
 * Synthetic items.
 *
 * @param spec of the file
 * @param plan whose share counts items
 * @param publicPlan what errors are expected on; nothing for categories alone
 */
public record PlannedMollifier(
    MollifierSpec spec, Calibrated<ItemMechanism> plan, Optional<PlannedItems> publicPlan)
    implements PlannedRelease {
  @Override
  public void digest(CanonicalEncoder digest) {
    digest.number(spec.items());
  }

  @Override
  public PrivacyRationale rationale(Pipeline pipeline) {
    return PrivacyRationale.of(
        "synthetic records; their distribution differs by a bounded factor between any two "
            + "datasets of a subject",
        pipeline.population(),
        new PrivacyRationale.Source(
            "mollified samples: pure, for any two datasets",
            "Husain, Balle, Cranko, Nock 2020; Park, Asoodeh, Lee 2024",
            "theory/mollified-samples.md#samplers"));
  }

  @Override
  public Facts facts(Pipeline pipeline) {
    return new MollifierReport(this, pipeline.input().values()).facts();
  }

  @Override
  public Caps caps(Pipeline pipeline) {
    return new Caps()
        .setting("input.categories", 1)
        .oneOf("category", pipeline.input().allCategories())
        .setting("input.values", pipeline.input().values().size())
        .items("values", pipeline.input().values().size());
  }

  @Override
  public boolean fitsLaws() {
    return true;
  }

  @Override
  public Optional<ReleaseSampler> sampler(Pipeline pipeline) {
    return Optional.of(new MollifierSampler(this));
  }

  @Override
  public LossChecker<ItemData> lossChecker() {
    return new MollifierLossChecker();
  }
}
