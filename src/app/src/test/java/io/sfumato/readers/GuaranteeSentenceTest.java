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
        "user|window|1|0.000001|whether one user did anything in a window by a factor of at most 2.72 (epsilon 1), and of any guess what that user did by at most 7.39, except with probability 1e-6 (delta) and 3.8e-6.",
        "user|any 30d|0.5|0|whether one user did anything in 30 days, whichever you take, by a factor of at most 1.65 (epsilon 0.5), and of any guess what that user did by at most 2.72.",
        "user|window|900|0.5|whether one user did anything in a window by a factor of at most e^900 (epsilon 900), and of any guess what that user did by at most e^1800, except with probability 0.5 (delta) and 1.",
        "dataset|lifetime|10|0.002|about one subject's records at any time by a factor of at most 22,026 (epsilon 10), except with probability 0.002 (delta).",
        "record|30d|900|0.00000025|about the content of one record by a factor of at most e^900 (epsilon 900), except with probability 2.5e-7 (delta).",
        "user|30 local days in Europe/Berlin from 2026|1|0|whether one user did anything in a period of 30 local days in Europe/Berlin from 2026 by a factor of at most 2.72 (epsilon 1), and of any guess what that user did by at most 7.39."
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
        .isEqualTo("This output changes the odds of any guess " + words);
  }
}
