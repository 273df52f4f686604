// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.record;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Decodes the text of records. Invalid bytes are refused: replaced by a question mark, two
 * different names would become one.
 */
public final class StrictUtf8 {
  private StrictUtf8() {}

  /**
   * The text of some bytes.
   *
   * @throws CharacterCodingException if they are not valid UTF-8
   */
  public static String decode(byte[] bytes, int from, int length) throws CharacterCodingException {
    return isAscii(bytes, from, length)
        ? new String(bytes, from, length, StandardCharsets.ISO_8859_1)
        : StandardCharsets.UTF_8
            .newDecoder()
            .decode(ByteBuffer.wrap(bytes, from, length))
            .toString();
  }

  /** The text of all bytes of an array. */
  public static String decode(byte[] bytes) throws CharacterCodingException {
    return decode(bytes, 0, bytes.length);
  }

  /** Most texts: they need no decoder. */
  private static boolean isAscii(byte[] bytes, int from, int length) {
    for (int i = from; i < from + length; i++) {
      if (bytes[i] < 0) {
        return false;
      }
    }
    return true;
  }
}
