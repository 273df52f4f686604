// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class GroupPrivacyTest {
  @Test
  void shouldBoundPowersOfEFromAbove() {
    for (double x : new double[] {1e-9, 0.1, 0.5, 1, 2.5, 10, 300}) {
      double bound = GroupPrivacy.exp(new BigDecimal(x)).doubleValue();
      assertThat(bound).isBetween(Math.exp(x) * (1 - 1e-15), Math.exp(x) * (1 + 1e-12));
    }
    // e to 50 digits.
    assertThat(GroupPrivacy.exp(BigDecimal.ONE))
        .isGreaterThan(new BigDecimal("2.71828182845904523536028747135266249775724709369995"))
        .isLessThan(new BigDecimal("2.7182818284590452353602874713527"));
  }

  @Test
  void shouldAddPowersOfE() {
    double three = GroupPrivacy.deltas(BigDecimal.ONE, 3).doubleValue();
    double exact = 1 + Math.E + Math.E * Math.E;
    assertThat(three).isBetween(exact * (1 - 1e-15), exact * (1 + 1e-12));
    assertThat(GroupPrivacy.deltas(BigDecimal.ONE, 1)).isEqualByComparingTo("1");
    assertThat(GroupPrivacy.deltas(BigDecimal.ZERO, 3)).isEqualByComparingTo("3");
    assertThat(GroupPrivacy.deltas(BigDecimal.ONE, 100_000)).isEqualTo(GroupPrivacy.CERTAIN);
  }
}
