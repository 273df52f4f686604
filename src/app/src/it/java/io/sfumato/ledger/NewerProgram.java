// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TestCluster;
import java.util.Map;
import java.util.Optional;

/** What a later version of the program does that writes a format which this one cannot read. */
public final class NewerProgram {
  private NewerProgram() {}

  /** Enters the format in a budget's registry, as every program does when it begins a state. */
  public static void workOn(TestCluster cluster, String budget) throws RefusedException {
    Registry registry =
        new Registry(
            TestCluster.settings(cluster.servers(), Map.of()),
            budget,
            Optional.of(TestCluster.key()));
    Begun begun = registry.read().mine().begun();
    registry.begin(new Begun(Begun.FORMAT + 1, begun.topics(), begun.records(), begun.epochs()));
  }
}
