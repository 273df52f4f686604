// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.frozen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Texts that a change of structure must not change. */
public final class Golden {
  private static final Path FOLDER = Path.of("src/app/src/test/resources/io/sfumato/frozen");

  private Golden() {}

  /**
   * Compares a text with the one that is kept.
   *
   * <p>After a change that is meant, {@code -Dsfumato.golden=write} keeps the new text.
   *
   * @param name file name of the kept text
   */
  public static void check(String name, String text) {
    Path kept = FOLDER.resolve(name);
    try {
      if ("write".equals(System.getProperty("sfumato.golden"))) {
        Files.createDirectories(FOLDER);
        Files.writeString(kept, text);
      }
      assertThat(text).as(name).isEqualTo(Files.readString(kept));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
