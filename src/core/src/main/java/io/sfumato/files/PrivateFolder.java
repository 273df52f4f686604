// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Optional;

/**
 * A folder that only its owner may enter: what other programs write into it, Kafka and RocksDB say,
 * nobody else reaches, whatever its rights.
 */
public final class PrivateFolder {
  private static final String RIGHTS = "rwx------";

  private PrivateFolder() {}

  /**
   * Makes it if it is missing, and the folders above it.
   *
   * @throws IllegalArgumentException if it is there and others may enter it; the message says what
   *     to run
   * @throws IOException if it cannot be made
   */
  public static void make(Path folder) throws IOException {
    Path absolute = folder.toAbsolutePath();
    if (!Files.isDirectory(absolute)) {
      Files.createDirectories(absolute.getParent());
      try {
        Files.createDirectory(absolute, rights(absolute));
      } catch (FileAlreadyExistsException e) {
        // Another process was faster: its folder is looked at like any other.
        if (!Files.isDirectory(absolute)) {
          throw e;
        }
      }
    }
    problem(folder)
        .ifPresent(
            problem -> {
              throw new IllegalArgumentException(problem);
            });
  }

  /**
   * Why a folder that is there is none, with the command that mends it.
   *
   * @throws IOException if it cannot be looked at
   */
  public static Optional<String> problem(Path folder) throws IOException {
    return PrivateFile.problem(folder, Access.Kind.FOLDER);
  }

  /** Rights of a new one, where there are any. */
  public static FileAttribute<?>[] rights(Path folder) throws IOException {
    return PrivateFile.rights(folder, RIGHTS);
  }
}
