// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.record.StrictUtf8;
import java.nio.charset.CharacterCodingException;

/**
 * The text of a JSON document. It is UTF-8 (RFC 8259, section 8.1); Jackson would guess the
 * encoding from the first bytes, and accepts two spellings of one character.
 */
final class JsonText {
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private JsonText() {}

  /**
   * The characters from a place on.
   *
   * @throws RejectedRecordException if they are not valid UTF-8, or begin with a byte order mark
   */
  static String of(byte[] bytes, int from) throws RejectedRecordException {
    String text;
    try {
      text = StrictUtf8.decode(bytes, from, bytes.length - from);
    } catch (CharacterCodingException e) {
      throw RejectedRecordException.withHint(
          RejectionCode.MALFORMED, "the JSON is not valid UTF-8");
    }
    if (text.startsWith(BYTE_ORDER_MARK)) {
      throw RejectedRecordException.withHint(
          RejectionCode.MALFORMED, "the JSON starts with a byte order mark: write it without one");
    }
    return text;
  }

  /** All characters. */
  static String of(byte[] bytes) throws RejectedRecordException {
    return of(bytes, 0);
  }
}
