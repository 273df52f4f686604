// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.release.Plan;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.version.StateIdentity;

/** The program that works on a state, where a new version is compared with it. */
public final class RunningVersion {
  private final StateIdentity identity;

  RunningVersion(StateIdentity identity) {
    this.identity = identity;
  }

  /** Of the pipeline file. */
  public int version() {
    return identity.maker().version();
  }

  /** Tag of the key that it draws with. */
  public String noiseKey() {
    return identity.maker().noiseKey();
  }

  /** Id that the cluster gave the records' topic. */
  public String sourceTopic() {
    return identity.maker().sourceTopic();
  }

  /** Partitions of the records' topic. */
  public int sourcePartitions() {
    return identity.maker().sourcePartitions();
  }

  /**
   * Throws if a file could not take over.
   *
   * @param sourceTopic id of the records' topic
   * @param sourcePartitions of it
   * @param noiseKey tag of the key that it would draw with
   * @throws PipelineStopException with what stands against it
   */
  public void requireSuccessor(
      Plan plan, String sourceTopic, int sourcePartitions, String noiseKey, long from) {
    identity.takenOver(
        StateIdentity.Maker.of(plan, sourceTopic, sourcePartitions, noiseKey), plan, from);
  }
}
