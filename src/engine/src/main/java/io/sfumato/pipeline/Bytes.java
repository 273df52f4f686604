// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** What texts and numbers take in the encodings of journal and stores, at most. */
public final class Bytes {
  /** A whole number of either sign, seven bits a byte. */
  public static final int SIGNED = 10;

  /** A whole number from 0. */
  public static final int UNSIGNED = 9;

  /** A whole number from 0 that is an int. */
  public static final int INT = 5;

  private Bytes() {}

  /** Seven bits a byte. */
  public static int unsigned(long value) {
    return Math.max(1, (63 - Long.numberOfLeadingZeros(Math.max(1, value))) / 7 + 1);
  }

  /** A text of {@code bytes} bytes, after its length. */
  public static int text(int bytes) {
    return unsigned(bytes) + bytes;
  }

  /** Bytes of a known text with its length. */
  public static int text(String text) {
    return text(utf8(text));
  }

  /** Bytes of a list of known texts with their number. */
  public static long texts(List<String> texts) {
    return unsigned(texts.size()) + texts.stream().mapToLong(Bytes::text).sum();
  }

  /** Numbers of eight bytes, after their count. */
  public static long doubles(int count) {
    return unsigned(count) + (long) Double.BYTES * count;
  }

  /** Bytes of a text in UTF-8, without its length. */
  public static int utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
