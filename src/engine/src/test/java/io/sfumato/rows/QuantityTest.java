// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityTest {
  /** The interval is as it was published; what counts is how much of 0 to 1 it leaves. */
  @ParameterizedTest
  @CsvSource({
    "0.18, 1, true",
    "0.5, 0.46, true",
    "0.5, 0.44, false",
    "0.05, 0.84, false",
    "0.05, 0.85, true",
    "1, 0.89, false",
    "0, 0, false"
  })
  void aShareIsUnknownWhereItsIntervalLeavesNearlyAll(double value, double half, boolean unknown) {
    Quantity share = Quantity.share(value, half);
    assertThat(share.unknown()).isEqualTo(unknown);
    assertThat(share.value()).isEqualTo(value);
    assertThat(share.low()).isEqualTo(value - half);
    assertThat(share.high()).isEqualTo(value + half);
  }
}
