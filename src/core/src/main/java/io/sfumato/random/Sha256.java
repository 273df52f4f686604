// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.random;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256, which every Java platform has. */
public final class Sha256 {
  private Sha256() {}

  /**
   * Of some bytes.
   *
   * @param bytes of any length
   * @return 32 bytes
   */
  public static byte[] of(byte[] bytes) {
    return digest().digest(bytes);
  }

  /** A digest that has taken in nothing yet. */
  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
