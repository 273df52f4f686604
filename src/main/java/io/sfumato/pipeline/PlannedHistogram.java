// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.Charge;
import io.sfumato.accounting.Share;
import io.sfumato.mechanism.ReleasePlan;
import io.sfumato.noise.Framing;
import java.util.List;

/**
 * A histogram release.
 *
 * @param spec of the file
 * @param plan the candidate with the least expected KL
 * @param candidates the plans among which the method chose, at least one
 */
public record PlannedHistogram(HistogramSpec spec, ReleasePlan plan, List<ReleasePlan> candidates)
    implements PlannedRelease {
  @Override
  public void digest(Framing digest) {
    digest.text(spec.output().canonical()).text(spec.postProcessing().word());
  }

  @Override
  public Share share() {
    return plan.share();
  }

  @Override
  public Charge charge() {
    return plan.mechanism().charge();
  }
}
