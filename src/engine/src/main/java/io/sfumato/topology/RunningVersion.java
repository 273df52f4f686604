// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.gate.StateEpoch;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.Plan;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.context.SourceTopics;
import io.sfumato.topology.version.BudgetTerms;
import io.sfumato.topology.version.StateIdentity;
import java.util.List;
import java.util.stream.Stream;

/** The program that works on a state, where a new version is compared with it. */
public final class RunningVersion {
  private final StateIdentity identity;

  RunningVersion(StateIdentity identity) {
    this.identity = identity;
  }

  /**
   * A version as it begins, before anything was released.
   *
   * @param sources the records' topics
   * @param noiseKey tag of the key that it draws with
   */
  public static RunningVersion beginning(Plan plan, SourceTopics sources, String noiseKey) {
    return new RunningVersion(
        new StateIdentity(
            new StateEpoch(0, 0),
            Long.MIN_VALUE,
            StateIdentity.Maker.of(plan, sources, noiseKey),
            BudgetTerms.of(plan)));
  }

  /** Of the pipeline file. */
  public int version() {
    return identity.maker().version();
  }

  /** Tag of the key that it draws with. */
  public String noiseKey() {
    return identity.maker().noiseKey();
  }

  /** The records' topics, as the state knows them. */
  public SourceTopics sources() {
    return identity.maker().sources();
  }

  /**
   * Outputs of a file whose sums over windows begin anew with it, because their noise or what they
   * sum differs, or because they are new; by name. Those by category do if categories are appended.
   */
  public List<String> beginningAnew(Plan plan) {
    List<PlannedRelease> sums =
        plan.releases().stream().filter(release -> release.spec().windowsCounted() > 1).toList();
    boolean appends =
        plan.pipeline().input().allCategories().size() > identity.maker().categories().size();
    return Stream.concat(
            sums.stream()
                .filter(release -> !identity.terms().continues(release))
                .map(release -> release.spec().name())
                .sorted(),
            sums.stream().filter(release -> appends).map(release -> "all by category").limit(1))
        .toList();
  }

  /**
   * Throws if a file could not take over.
   *
   * @param sources the records' topics
   * @param noiseKey tag of the key that it would draw with
   * @return digest of the program that takes over, hexadecimal, as it is announced
   * @throws PipelineStopException with what stands against it
   */
  public String requireSuccessor(Plan plan, SourceTopics sources, String noiseKey, long from) {
    StateIdentity.Maker next = StateIdentity.Maker.of(plan, sources, noiseKey);
    identity.takenOver(next, plan, from);
    return next.digest();
  }
}
