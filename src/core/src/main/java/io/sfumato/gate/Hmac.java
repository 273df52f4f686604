// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256 under one key, for many messages and threads. */
final class Hmac {
  /** Never used itself: a copy costs less than a new one, whose key is hashed first. */
  private final Mac keyed;

  Hmac(byte[] key) {
    try {
      keyed = Mac.getInstance("HmacSHA256");
      keyed.init(new SecretKeySpec(key, "HmacSHA256"));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM lacks HmacSHA256, which every JDK must have", e);
    }
  }

  /** 32 bytes. */
  byte[] of(byte[] message) {
    try {
      return ((Mac) keyed.clone()).doFinal(message);
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(
          "the security provider " + keyed.getProvider() + " cannot copy a MAC; use the JDK's", e);
    }
  }
}
