// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** One of a file's releases of a kind: the one that is named, or the only one there is. */
final class Chosen {
  private Chosen() {}

  /**
   * Chooses.
   *
   * @param none what the file lacks if it has no such release
   */
  static <T> T of(
      Path file, List<T> all, Function<T, String> name, Optional<String> wanted, String none)
      throws RefusedException {
    List<T> named =
        all.stream()
            .filter(one -> wanted.isEmpty() || name.apply(one).equals(wanted.get()))
            .toList();
    if (named.size() != 1) {
      String reason =
          all.isEmpty()
              ? none
              : "--release must name one of " + String.join(", ", all.stream().map(name).toList());
      throw new RefusedException(ExitCode.REFUSED_FILE, file + ": " + reason);
    }
    return named.get(0);
  }
}
