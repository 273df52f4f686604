// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** A new folder that is deleted, with all that is in it, when it is closed. */
public record TemporaryFolder(Path path) implements AutoCloseable {
  /**
   * Makes one where the system keeps temporary files.
   *
   * @throws RefusedException if it cannot
   */
  public static TemporaryFolder make(String prefix) throws RefusedException {
    try {
      return new TemporaryFolder(Files.createTempDirectory(prefix));
    } catch (IOException e) {
      throw new RefusedException(
          ExitCode.FAILED,
          "cannot make a temporary folder (" + e.getMessage() + "); set TMPDIR to a writable one");
    }
  }

  @Override
  public void close() {
    try {
      Files.walkFileTree(
          path,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException e)
                throws IOException {
              Files.delete(visited);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      // A leftover temporary folder harms nobody.
      return;
    }
  }
}
