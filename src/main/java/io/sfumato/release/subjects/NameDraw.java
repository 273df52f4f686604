// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.subjects;

import io.sfumato.mechanism.discovery.DiscoveryMechanism;
import io.sfumato.mechanism.discovery.NameCount;
import io.sfumato.noise.ReleaseId;
import io.sfumato.pipeline.Draw;

/**
 * The number of a subject's users.
 *
 * @param standing whether the subject was public
 */
record NameDraw(
    ReleaseId id, DiscoveryMechanism mechanism, NameCount exact, SubjectsDrawer.Standing standing)
    implements Draw<NameCount> {
  @Override
  public String toString() {
    return Draw.masked(this);
  }
}
