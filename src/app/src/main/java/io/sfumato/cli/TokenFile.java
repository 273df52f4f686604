// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.files.PrivateFile;
import io.sfumato.ops.http.AccessToken;
import io.sfumato.runtime.EnvironmentSecretWarning;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Where access tokens are read from: a file, or else the environment. */
final class TokenFile {
  private TokenFile() {}

  /**
   * A token; nothing where neither is given.
   *
   * @param variable of the environment
   * @param option that names the file, for messages
   * @throws RefusedException if it cannot be read, or is none
   */
  static Optional<AccessToken> read(Optional<Path> file, String variable, String option)
      throws RefusedException {
    Optional<String> text = Optional.ofNullable(System.getenv(variable));
    String place = variable;
    if (text.isPresent() && file.isEmpty()) {
      System.err.println(EnvironmentSecretWarning.note("the access token", option + " FILE"));
    }
    if (file.isPresent()) {
      place = file.get().toString();
      try {
        text = Optional.of(PrivateFile.read(file.get(), AccessToken.LOOK).strip());
      } catch (IllegalArgumentException e) {
        throw new RefusedException(ExitCode.REFUSED_FILE, e.getMessage());
      } catch (IOException e) {
        throw new RefusedException(
            ExitCode.REFUSED_FILE,
            place + ": cannot be read (" + e.getClass().getSimpleName() + ")");
      }
    }
    try {
      return text.map(AccessToken::new);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(ExitCode.REFUSED_FILE, place + ": " + e.getMessage());
    }
  }
}
