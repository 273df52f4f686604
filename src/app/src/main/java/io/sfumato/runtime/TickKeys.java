// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.files.PrivateFile;
import io.sfumato.gate.TickKey;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Where the key comes from that signs ticks: a file of its own, or the noise secret. */
public final class TickKeys {
  private static final String LOOK =
      "a tick key is one line, 'sfumato-tick-key BUDGET' and 64 hexadecimal digits; create one "
          + "with 'sfumato tick-key FILE KEYFILE'";

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
      key = parse(file, PrivateFile.read(file, LOOK));
    } catch (NoSuchFileException e) {
      throw refused(file + ": no such file; create one with 'sfumato tick-key FILE KEYFILE'");
    } catch (IOException e) {
      throw refused(file + " cannot be read (" + e.getClass().getSimpleName() + ")");
    } catch (IllegalArgumentException e) {
      throw refused(e.getMessage());
    }
    if (!key.budget().equals(budget)) {
      throw refused(
          "%s holds the tick key of budget '%s'; the pipeline file's budget is '%s'"
              .formatted(file, key.budget(), budget));
    }
    return key;
  }

  private static TickKey parse(Path file, String text) {
    try {
      return TickKey.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Writes a key into a new file that only its owner can read: all of it, or no file.
   *
   * @throws RefusedException if the file is there, or cannot be written
   */
  public static void write(TickKey key, Path file) throws RefusedException {
    try {
      PrivateFile.write(file, key.text());
    } catch (FileAlreadyExistsException e) {
      throw refused(file + " exists already; delete it first, or name another one");
    } catch (NoSuchFileException e) {
      throw refused(file + " cannot be written: there is no folder " + folder(file));
    } catch (IOException e) {
      throw refused(file + " cannot be written: " + e.getMessage());
    }
  }

  private static Path folder(Path file) {
    return file.toAbsolutePath().getParent();
  }

  private static RefusedException refused(String message) {
    return new RefusedException(ExitCode.REFUSED_FILE, message);
  }
}
