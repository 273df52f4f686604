// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import io.sfumato.random.CanonicalEncoder;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Signs facts for one purpose: HMAC-SHA256 of their canonical encoding, so that nobody without the
 * noise secret that the key comes from, or the key itself, can state them. Independent of the key
 * that noise is drawn with, and of those for other purposes.
 */
public final class MacKey {
  /** Length of a signature that is not cut, in bytes. */
  static final int WHOLE = 32;

  private final Hmac hmac;
  private final int length;

  /**
   * @param key 32 bytes that nothing else is done with
   * @param length of a signature, in bytes: {@link #WHOLE}, or less where it is cut. Part of the
   *     key, since whoever may choose it can guess a byte
   */
  MacKey(byte[] key, int length) {
    if (length < 1 || length > WHOLE) {
      throw new IllegalArgumentException("a signature has 1 to 32 bytes, not " + length);
    }
    this.hmac = new Hmac(key);
    this.length = length;
  }

  /** The signature of some facts. */
  public byte[] sign(CanonicalEncoder facts) {
    return Arrays.copyOf(hmac.of(facts.toBytes()), length);
  }

  /**
   * Whether a signature is this key's, in a time that does not depend on where it differs.
   *
   * @param signature of any length: one of another length is not this key's
   */
  public boolean verifies(CanonicalEncoder facts, byte[] signature) {
    return MessageDigest.isEqual(sign(facts), signature);
  }

  @Override
  public String toString() {
    return "MacKey[masked]";
  }
}
