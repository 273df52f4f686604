// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.runtime.EmbeddedFolder;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which folder's embedded broker is meant by a command that needs no secret. */
final class FolderOptions {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Folder of an embedded cluster, where that is meant; by default .sfumato.")
  Path folder = EmbeddedFolder.DEFAULT;

  /** Whether it is another folder than the usual one, which then must have a broker. */
  boolean isNamed() {
    return !folder.equals(EmbeddedFolder.DEFAULT);
  }
}
