// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tests of clients/sfumato_rows.py, by Debian's Python: closed forms, coverage, refusals. */
@Tag("release")
class PythonRowsIT {
  private static final Path PYTHON = Path.of("/usr/bin/python3");

  @Test
  void shouldPassItsOwnTests() throws Exception {
    assumeTrue(Files.isExecutable(PYTHON), "no Python here: install Debian's package python3");
    ProcessBuilder builder =
        new ProcessBuilder(
            PYTHON.toString(), "-m", "unittest", "discover", "-s", "src/app/src/it/python");
    builder.environment().put("PYTHONPATH", "clients");
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    Process python = builder.redirectErrorStream(true).start();
    String said = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(python.waitFor()).as(said).isZero();
    assertThat(said).containsPattern("Ran (4[5-9]|[5-9]\\d) tests").contains("OK");
  }
}
