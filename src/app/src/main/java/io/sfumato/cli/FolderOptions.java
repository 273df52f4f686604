// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which folder's embedded broker is meant by a command that needs no secret. */
final class FolderOptions {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Folder of an embedded cluster, if that is meant; by default .sfumato.")
  Optional<Path> folder = Optional.empty();
}
