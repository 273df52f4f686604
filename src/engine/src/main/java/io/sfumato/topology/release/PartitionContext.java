// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.release.Plan;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.PipelineMeters;

/**
 * What all outputs of one journal partition share.
 *
 * @param plan of the pipeline
 * @param deployment that it runs in
 * @param publisher of its outputs
 * @param refusals of charges that do not fit
 * @param skips releases that failed, and those that operators skipped
 */
public record PartitionContext(
    Plan plan,
    Deployment deployment,
    Publisher publisher,
    Refusals refusals,
    SkippedReleases skips) {
  /** For the operator. */
  public PipelineMeters meters() {
    return deployment.meters();
  }
}
