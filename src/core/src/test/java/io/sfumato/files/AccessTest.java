// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.files.Access.Kind;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may read a secret, whoever runs the tests. */
class AccessTest {
  private static final Path FILE = Path.of("/etc/sfumato/noise.key");
  private static final Account APP = new Account(10_001, Set.of(10_001L, 20_002L));

  @ParameterizedTest
  @CsvSource({
    "10001, 10001, 0600",
    "10001, 10001, 0400",
    "10001, 33333, 0600",
    "10001, 10001, 0711",
    "0, 0, 0600",
    // As kubelet mounts a secret under fsGroup, whatever its defaultMode.
    "0, 10001, 0440",
    "0, 20002, 0440",
    "0, 10001, 0640"
  })
  void shouldTakeAFileThatNobodyElseReads(long owner, long group, String mode) {
    assertThat(problem(owner, group, mode, Kind.FILE)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "10001, 10001, 0640, chmod 600 /etc/sfumato/noise.key",
    "10001, 10001, 0440, chmod 600 /etc/sfumato/noise.key",
    "10001, 10001, 0604, chmod 600 /etc/sfumato/noise.key",
    "10001, 10001, 0602, chmod 600 /etc/sfumato/noise.key",
    "0, 33333, 0440, chown 10001 /etc/sfumato/noise.key && chmod 600 /etc/sfumato/noise.key",
    "0, 0, 0440, chown 10001 /etc/sfumato/noise.key && chmod 600 /etc/sfumato/noise.key",
    "0, 0, 0644, chown 10001 /etc/sfumato/noise.key && chmod 600 /etc/sfumato/noise.key",
    "0, 10001, 0444, chmod o-rwx /etc/sfumato/noise.key",
    "0, 10001, 0660, chmod g-w /etc/sfumato/noise.key",
    "20002, 10001, 0400, chown 10001 /etc/sfumato/noise.key",
    "20002, 10001, 0440, chown 10001 /etc/sfumato/noise.key"
  })
  void shouldRefuseAllElseWithWhatMendsIt(long owner, long group, String mode, String remedy) {
    assertThat(problem(owner, group, mode, Kind.FILE))
        .hasValueSatisfying(text -> assertThat(text).endsWith(remedy));
  }

  @Test
  void shouldAskTheSameOfRoot() {
    Account root = new Account(0, Set.of(0L));
    assertThat(new Access(0, 0, 0600).problem(FILE, Kind.FILE, root)).isEmpty();
    assertThat(new Access(0, 0, 0440).problem(FILE, Kind.FILE, root)).isEmpty();
    assertThat(new Access(0, 10_001, 0440).problem(FILE, Kind.FILE, root))
        .hasValueSatisfying(text -> assertThat(text).endsWith("chmod 600 " + FILE));
    assertThat(new Access(10_001, 0, 0600).problem(FILE, Kind.FILE, root))
        .hasValueSatisfying(text -> assertThat(text).contains("run it as that user"));
  }

  @Test
  void shouldLetRootCloseItsFolders() {
    Account root = new Account(0, Set.of(0L));
    assertThat(new Access(0, 0, 0700).problem(FILE, Kind.FOLDER, root)).isEmpty();
    assertThat(new Access(0, 0, 0750).problem(FILE, Kind.FOLDER, root))
        .hasValueSatisfying(text -> assertThat(text).endsWith("chmod 700 " + FILE));
  }

  @ParameterizedTest
  @CsvSource({"10001, 10001, 0700", "10001, 10001, 02700", "0, 10001, 02770", "0, 10001, 0750"})
  void shouldTakeAFolderThatNobodyElseEnters(long owner, long group, String mode) {
    assertThat(problem(owner, group, mode, Kind.FOLDER)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "10001, 10001, 0755, chmod 700",
    "10001, 10001, 0711, chmod 700",
    "10001, 10001, 0710, chmod 700",
    // As kubelet leaves a folder of the process's where it sets the group each time anew.
    "10001, 10001, 02770, chmod 700",
    // As it leaves a volume's root.
    "0, 10001, 02775, chmod o-rwx"
  })
  void shouldRefuseAFolderThatOthersEnter(long owner, long group, String mode, String remedy) {
    assertThat(problem(owner, group, mode, Kind.FOLDER))
        .hasValueSatisfying(text -> assertThat(text).contains(remedy + " " + FILE));
  }

  private static Optional<String> problem(long owner, long group, String mode, Kind kind) {
    return new Access(owner, group, Integer.parseInt(mode, 8)).problem(FILE, kind, APP);
  }
}
