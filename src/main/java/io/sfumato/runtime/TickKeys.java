// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.noise.TickKey;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Where the key comes from that signs ticks: a file of its own, or the noise secret. */
public final class TickKeys {
  private static final Set<PosixFilePermission> FOREIGN =
      EnumSet.of(
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private TickKeys() {}

  /**
   * The key of a budget, if there is one.
   *
   * @param keyFile a tick key alone
   * @param secretFile the noise secret
   * @param environment that may hold the noise secret
   * @param embedded folder of an embedded cluster, if that is where ticks go
   * @throws RefusedException if a key was given and is unfit, or is another budget's
   */
  public static Optional<TickKey> find(
      String budget,
      Optional<Path> keyFile,
      Optional<Path> secretFile,
      Map<String, String> environment,
      Optional<Path> embedded)
      throws RefusedException {
    if (keyFile.isPresent()) {
      return Optional.of(read(keyFile.get(), budget));
    }
    return Secrets.find(secretFile, environment, embedded).map(found -> found.tickKey(budget));
  }

  private static TickKey read(Path file, String budget) throws RefusedException {
    TickKey key;
    try {
      if (Files.getFileStore(file).supportsFileAttributeView("posix")
          && Files.getPosixFilePermissions(file).stream().anyMatch(FOREIGN::contains)) {
        throw refused(file + " is open to others than its owner and group; run: chmod 600 " + file);
      }
      key = TickKey.parse(Files.readString(file));
    } catch (NoSuchFileException e) {
      throw refused(file + ": no such file; write one with 'sfumato tick-key FILE KEYFILE'");
    } catch (IOException | IllegalArgumentException e) {
      throw refused(file + ": " + e.getMessage());
    }
    if (!key.budget().equals(budget)) {
      throw refused(
          "%s holds the tick key of budget '%s'; the pipeline file's budget is '%s'"
              .formatted(file, key.budget(), budget));
    }
    return key;
  }

  /**
   * Writes a key into a new file that only its owner can read.
   *
   * @throws RefusedException if the file is there, or cannot be written
   */
  public static void write(TickKey key, Path file) throws RefusedException {
    Path path = file.toAbsolutePath();
    try {
      if (Files.getFileStore(path.getParent()).supportsFileAttributeView("posix")) {
        Files.createFile(
            path,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      } else {
        Files.createFile(path);
      }
      Files.writeString(path, key.text());
    } catch (FileAlreadyExistsException e) {
      throw refused(file + " exists already; delete it first, or name another one");
    } catch (IOException e) {
      throw refused(file + " cannot be written: " + e.getMessage());
    }
  }

  private static RefusedException refused(String message) {
    return new RefusedException(ExitCode.REFUSED_FILE, message);
  }
}
