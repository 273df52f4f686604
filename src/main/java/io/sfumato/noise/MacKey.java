// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.noise;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/** Signs facts for one purpose: HMAC-SHA256, cut to 128 bits, of their framed encoding. */
public final class MacKey {
  /** What a {@link #mac} looks like. */
  public static final String MAC = "[0-9a-f]{32}";

  private static final int MAC_BYTES = 16;

  private final Hmac hmac;

  /**
   * @param key 32 bytes that nothing else is done with
   */
  MacKey(byte[] key) {
    this.hmac = new Hmac(key);
  }

  /**
   * The signature of some facts.
   *
   * @return 32 hexadecimal digits
   */
  public String mac(Framing facts) {
    return HexFormat.of().formatHex(Arrays.copyOf(hmac.of(facts.toBytes()), MAC_BYTES));
  }

  /** Whether a signature is this key's, in a time that does not depend on where it differs. */
  public boolean verifies(Framing facts, String mac) {
    return MessageDigest.isEqual(
        mac(facts).getBytes(StandardCharsets.US_ASCII), mac.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public String toString() {
    return "MacKey[masked]";
  }
}
