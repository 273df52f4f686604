// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.release.Plan;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.context.SourceTopics;
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

  /** The records' topics, as the state knows them. */
  public SourceTopics sources() {
    return identity.maker().sources();
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
