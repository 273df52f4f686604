// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** As whom a process runs, also where /etc/passwd does not know the user. */
class AccountTest {
  @Test
  void shouldReadTheEffectiveUserAndAllGroups() {
    List<String> status =
        List.of(
            "Name:\tjava", "Uid:\t0\t1000\t0\t1000", "Gid:\t0\t1001\t0\t1001", "Groups:\t7 42 ");
    assertThat(Account.of(status)).isEqualTo(new Account(1000, Set.of(7L, 42L, 1001L)));
  }

  @Test
  void shouldReadAUserWithoutFurtherGroups() {
    List<String> status =
        List.of("Uid:\t1000\t1000\t1000\t1000", "Gid:\t1000\t1000\t1000\t1000", "Groups:\t");
    assertThat(Account.of(status)).isEqualTo(new Account(1000, Set.of(1000L)));
  }
}
