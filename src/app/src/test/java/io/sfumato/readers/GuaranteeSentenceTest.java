// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.readers;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.schema.Guarantees;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuaranteeSentenceTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "user|window|1|0.000001|what one user did in a window by a factor of at most 2.72 (epsilon 1), except with probability 1e-6 (delta).",
        "user|any 30d|0.5|0|what one user did in 30 days, whichever you take by a factor of at most 1.65 (epsilon 0.5).",
        "dataset|lifetime|10|0.002|one subject's records at any time by a factor of at most 22,026 (epsilon 10), except with probability 0.002 (delta).",
        "record|30d|900|0.00000025|the content of one record by a factor of at most e^900 (epsilon 900), except with probability 2.5e-7 (delta).",
        "user|30 local days in Europe/Berlin from 2026|1|0|what one user did in a period of 30 local days in Europe/Berlin from 2026 by a factor of at most 2.72 (epsilon 1)."
      })
  void shouldSayUnitPeriodEpsilonAndDelta(
      String unit, String period, double epsilon, double delta, String words) {
    assertThat(
            GuaranteeSentence.of(
                Guarantees.any()
                    .setUnit(unit)
                    .setPeriod(period)
                    .setEpsilon(epsilon)
                    .setDelta(delta)
                    .build()))
        .isEqualTo("This output changes the odds of any guess about " + words);
  }
}
