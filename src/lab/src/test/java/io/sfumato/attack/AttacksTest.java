// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is promised of every mechanism, over the best attack that there is on it. */
class AttacksTest {
  private static final List<AttackTarget> TARGETS = Attacks.targets();

  /** Noises of each mechanism that are held against their law: half of the noise is seen. */
  private static final int NOISES = 800;

  private static final double TIGHT = 1.05;

  /** False-alarm rate of all looks at noise together: 1e-9; the rest is not drawn. */
  @Test
  void shouldPromiseNoLessThanAttacksFindAndHardlyMore() {
    assertThat(TARGETS).hasSizeGreaterThan(40);
    for (AttackTarget target : TARGETS) {
      Found found = Found.exactly(target, NOISES, 1e-9 / TARGETS.size());
      assertThat(found.refutations()).as("%s refuted: %s", target.name(), found).isEmpty();
      if (target.why().isEmpty()) {
        assertThat(found.ratio()).as(target.name() + ", " + target.neighbours()).isLessThan(TIGHT);
      } else {
        // An explanation that nothing needs any more is wrong too.
        assertThat(found.ratio()).as(target.name() + " " + target.why()).isBetween(TIGHT, 1.5);
      }
    }
  }

  /** The charge's own claim at the promised delta is within the promise, or they are at odds. */
  @Test
  void shouldClaimWhatIsPromised() {
    for (AttackTarget target : TARGETS) {
      if (target.promise().told() == AttackTarget.Told.EPSILON) {
        assertThat(target.claim().epsilon(target.promise().delta()))
            .as(target.name() + ", " + target.neighbours())
            .isLessThanOrEqualTo(target.promise().epsilon() * (1 + 1e-6));
      }
    }
  }
}
