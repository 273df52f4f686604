// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * A file that holds a line or a page of text: keys, tokens, properties. Whoever names another one
 * by mistake is told so: a pipe would be waited for, a disk read into memory.
 */
public final class SmallFile {
  private SmallFile() {}

  /**
   * Reads all of it as UTF-8.
   *
   * @param limit most bytes
   * @param expected what such a file holds, for messages: "a properties file has ..."
   * @throws IllegalArgumentException if it is no regular file (links are followed), larger, no
   *     text, or may not be read; the message has its name, and nothing of what it holds
   * @throws NoSuchFileException if there is none
   */
  public static String read(Path file, int limit, String expected) throws IOException {
    requireRegular(file, expected);
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(limit + 1);
    } catch (AccessDeniedException e) {
      throw unfit(file, "may not be read by this process (" + Account.ofThisProcess() + ")", e);
    }
    if (bytes.length > limit) {
      throw unfit(file, "is larger than " + limit + " bytes", expected);
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw unfit(file, "holds no text", expected);
    }
  }

  /** Before it is opened: to open a pipe is to wait. */
  static void requireRegular(Path file, String expected) throws IOException {
    // Unlike Files.exists, this says when a folder above may not be entered.
    if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
      throw unfit(file, "is no regular file, but a folder, pipe or device", expected);
    }
  }

  private static IllegalArgumentException unfit(Path file, String problem, String expected) {
    return new IllegalArgumentException("%s %s; %s".formatted(file, problem, expected));
  }

  private static IllegalArgumentException unfit(Path file, String problem, Exception cause) {
    return new IllegalArgumentException("%s %s".formatted(file, problem), cause);
  }
}
