// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.ledger.RegistryContents;
import io.sfumato.ledger.RegistryEntries;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyCheckTest {
  @ParameterizedTest(name = "handed over {0}, to others {1}, runs {2}, announced {3}")
  @CsvSource({
    // A budget that never ran, and one that runs with this key.
    "false, false, , , ''",
    "true, false, , , ''",
    "true, false, new, , ''",
    // The registry was lost, and is signed at the next start.
    "false, false, new, , ''",
    // Before and after a rotation: both keys signed.
    "true, true, old, new, ''",
    "true, true, new, , ''",
    "true, true, new, later, ''",
    // The other one's.
    "true, true, old, , uses another secret tag old",
    "true, true, old, later, uses another secret tag old",
    "false, true, old, , uses another secret tag old",
    "false, true, old, new, its registry entries were not handed over",
    "false, true, , , signed with another secret"
  })
  void shouldSeeASecretThatARunWouldRefuse(
      boolean mine, boolean others, String running, String announced, String words) {
    Optional<Finding> found =
        KeyCheck.of(
            "b",
            "new",
            new RegistryContents(entries(mine), entries(others), entries(mine || others), Set.of()),
            Optional.ofNullable(running),
            Optional.ofNullable(announced));
    if (words.isEmpty()) {
      assertThat(found).isEmpty();
    } else {
      assertThat(found.orElseThrow().severity()).isEqualTo(Finding.Severity.PROBLEM);
      assertThat(found.get().found().replace(",", "")).contains("tag new", words);
    }
  }

  private static RegistryEntries entries(boolean adopted) {
    return RegistryEntries.ofKey(adopted);
  }
}
