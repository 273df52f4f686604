// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import java.util.List;
import java.util.stream.Stream;

/** Every mechanism, as it is attacked. */
public final class Attacks {
  private Attacks() {}

  /** All targets, in the order of the table. */
  public static List<AttackTarget> targets() {
    return Stream.of(
            DirichletTargets.all(),
            CountTargets.all(),
            NumberTargets.all(),
            NameTargets.all(),
            RunningNameTargets.all(),
            AbcTargets.all(),
            ItemTargets.all())
        .flatMap(List::stream)
        .toList();
  }
}
