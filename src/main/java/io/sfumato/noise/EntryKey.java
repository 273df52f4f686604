// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.noise;

import java.security.MessageDigest;

/**
 * Signs what the registry says about one budget or pipeline (HMAC-SHA256), so that nobody without
 * its noise secret can say it. Independent of the key that noise is drawn with.
 */
public final class EntryKey {
  private final Hmac hmac;
  private final String signer;

  private EntryKey(Hmac hmac, String signer) {
    this.hmac = hmac;
    this.signer = signer;
  }

  static EntryKey derive(byte[] secret, String owner, String signer) {
    return new EntryKey(new Hmac(Hkdf.derive(secret, "sfumato/registry/" + owner)), signer);
  }

  /** Tag of the noise key that it comes from: 16 hexadecimal digits. */
  public String signer() {
    return signer;
  }

  /**
   * The signature of an entry, 32 bytes.
   *
   * @param topic that it stands in: what is said in one says nothing in another
   */
  public byte[] sign(String topic, byte[] key, byte[] value) {
    return hmac.of(new Framing().text(topic).bytes(key).bytes(value).toBytes());
  }

  /** Whether a signature is this key's. */
  public boolean isMine(byte[] signature, String topic, byte[] key, byte[] value) {
    return MessageDigest.isEqual(signature, sign(topic, key, value));
  }

  @Override
  public String toString() {
    return "EntryKey[" + signer + "]";
  }
}
