// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.files.PrivateFolder;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A folder beside a file that is being made, on the same disk. It holds what the file will hold:
 * only its owner may read it, and it is deleted in the end.
 */
final class Workspace implements AutoCloseable {
  private final Path folder;

  private Workspace(Path folder) {
    this.folder = folder;
  }

  /**
   * Makes it.
   *
   * @throws RefusedException if it is there, or cannot be made
   */
  static Workspace beside(Path file) throws RefusedException {
    Path folder = file.toAbsolutePath().resolveSibling(file.getFileName() + ".part");
    try {
      Files.createDirectory(folder, PrivateFolder.rights(folder));
      return new Workspace(folder);
    } catch (FileAlreadyExistsException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          folder
              + " exists: another export is writing this file, or one was interrupted. If none "
              + "is running, delete it and export again");
    } catch (IOException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "cannot make the folder " + folder + ": " + e.getClass().getSimpleName());
    }
  }

  Path resolve(String name) {
    return folder.resolve(name);
  }

  @Override
  public void close() throws RefusedException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new RefusedException(
          ExitCode.FAILED,
          "%s, which names subjects, cannot be deleted (%s): delete it"
              .formatted(folder, e.getClass().getSimpleName()));
    }
  }
}
