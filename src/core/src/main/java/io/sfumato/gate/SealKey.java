// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import io.sfumato.random.CanonicalEncoder;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts facts for one purpose, so that only a holder of the noise secret can read them:
 * AES-256-GCM with a random nonce, which suffices for 2<sup>32</sup> texts. Independent of the key
 * that noise is drawn with, and of those for other purposes.
 */
public final class SealKey {
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final String LACKING = "this JVM lacks AES-256-GCM, which every JDK must have";

  private final SecretKeySpec key;
  private final SecureRandom random = new SecureRandom();

  /**
   * @param key 32 bytes that are used for nothing else
   */
  SealKey(byte[] key) {
    this.key = new SecretKeySpec(key, "AES");
  }

  /**
   * Encrypts a text.
   *
   * @param text of any length
   * @param context where the text belongs; it opens in no other context
   * @return nonce, ciphertext and tag: 28 bytes more than the text
   */
  public byte[] seal(byte[] text, CanonicalEncoder context) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, nonce, context).doFinal(text);
      byte[] all = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
      System.arraycopy(sealed, 0, all, NONCE_BYTES, sealed.length);
      return all;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(LACKING, e);
    }
  }

  /**
   * Inverse of {@link #seal}.
   *
   * @param sealed nonce, ciphertext and tag
   * @return nothing if another key or another context sealed it, or if it is damaged
   */
  public Optional<byte[]> open(byte[] sealed, CanonicalEncoder context) {
    if (sealed.length < NONCE_BYTES + TAG_BITS / Byte.SIZE) {
      return Optional.empty();
    }
    byte[] nonce = Arrays.copyOf(sealed, NONCE_BYTES);
    try {
      return Optional.of(
          cipher(Cipher.DECRYPT_MODE, nonce, context)
              .doFinal(sealed, NONCE_BYTES, sealed.length - NONCE_BYTES));
    } catch (AEADBadTagException e) {
      return Optional.empty();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(LACKING, e);
    }
  }

  private Cipher cipher(int mode, byte[] nonce, CanonicalEncoder context)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(context.toBytes());
    return cipher;
  }

  @Override
  public String toString() {
    return "SealKey[masked]";
  }
}
