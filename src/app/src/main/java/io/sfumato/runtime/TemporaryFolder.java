// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.files.PrivateFolder;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A new folder that is deleted, with all that is in it, when it is closed, and where a signal ends
 * the process before that: it may hold raw data.
 */
public final class TemporaryFolder implements AutoCloseable {
  private static final String PLACE = "java.io.tmpdir";

  private final Path path;
  private final Thread hook;

  private TemporaryFolder(Path path) {
    this.path = path;
    this.hook = new Thread(() -> delete(path), "shutdown");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Makes the place where the system keeps temporary files, if it is named and missing: on a new
   * volume nobody else does, and libraries unpack their native parts there. Whoever needs it says
   * what is wrong with it.
   */
  public static void makePlace() {
    Path place = Path.of(System.getProperty(PLACE));
    if (!Files.exists(place)) {
      try {
        PrivateFolder.make(place);
      } catch (IOException e) {
        return;
      }
    }
  }

  /**
   * Makes one where the system keeps temporary files.
   *
   * @throws RefusedException if it cannot
   */
  public static TemporaryFolder make(String prefix) throws RefusedException {
    try {
      return new TemporaryFolder(
          Files.createTempDirectory(Path.of(System.getProperty(PLACE)), prefix));
    } catch (IOException e) {
      throw new RefusedException(
          ExitCode.FAILED,
          "cannot make a temporary folder in %s (%s); name another one: TMPDIR=DIR sfumato ..."
              .formatted(System.getProperty(PLACE), e.getClass().getSimpleName()));
    }
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  @Override
  public void close() {
    delete(path);
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process ends: the hook is running.
      return;
    }
  }

  /** Deletes a folder of somebody else, with all that is in it. */
  public static void delete(Path folder) {
    try {
      Files.walkFileTree(
          folder,
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
