// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import io.sfumato.files.PrivateFile;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * The 32 uniformly random bytes from which all noise is derived. Whoever holds them can subtract
 * the noise of every past release: guard them like the data, and destroy an old one after its last
 * possible retry.
 */
public final class NoiseSecret {
  /** Length of a secret, in bytes. */
  public static final int BYTES = 32;

  private static final String LOOK =
      "a noise secret is 32 random bytes written as 64 hexadecimal digits";

  private final byte[] secret;

  private NoiseSecret(byte[] secret) {
    this.secret = secret;
  }

  /** A new secret from the operating system's generator. */
  public static NoiseSecret random() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return new NoiseSecret(bytes);
  }

  /**
   * Reads 64 hexadecimal digits.
   *
   * @param text with or without white space around it
   * @throws IllegalArgumentException if the text is anything else; the message never holds it
   */
  public static NoiseSecret parse(String text) {
    String digits = text.strip();
    if (!digits.matches("[0-9a-fA-F]{64}")) {
      throw new IllegalArgumentException(
          LOOK
              + ", found "
              + digits.length()
              + " characters; make one with 'sfumato secret FILE' (a passphrase is no secret)");
    }
    byte[] bytes = HexFormat.of().parseHex(digits);
    if (isRepetitive(bytes)) {
      throw new IllegalArgumentException(
          "the noise secret is a repeated pattern, not random; make one with 'sfumato secret"
              + " FILE'");
    }
    return new NoiseSecret(bytes);
  }

  /**
   * Reads a secret from a file that only its owner may read or write.
   *
   * @throws IllegalArgumentException if others may read the file, or it holds no secret; the
   *     message has its name
   */
  public static NoiseSecret read(Path file) throws IOException {
    String text = PrivateFile.read(file, LOOK + "; make one with 'sfumato secret FILE'");
    try {
      return parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Writes the secret to a new file that only its owner can read: all of it, or no file; never
   * overwrites one.
   */
  public void write(Path file) throws IOException {
    PrivateFile.write(file, HexFormat.of().formatHex(secret) + "\n");
  }

  /** The keys that the pipeline uses, derived with distinct labels (HKDF-SHA256). */
  public NoiseKey derive() {
    return new NoiseKey(
        Hkdf.derive(secret, "sfumato/noise"),
        Hkdf.derive(secret, "sfumato/log"),
        Hkdf.derive(secret, "sfumato/fingerprint"),
        this);
  }

  /**
   * What signs the ticks of one budget; independent of every other key.
   *
   * @param budget its name
   */
  public TickKey tickKey(String budget) {
    return TickKey.derive(secret, budget);
  }

  /** What signs entries about somebody in the registry. */
  MacKey entriesOf(String owner) {
    byte[] registry = Hkdf.derive(secret, "sfumato/registry");
    return new MacKey(Hkdf.derive(registry, "sfumato/registry/" + owner), MacKey.WHOLE);
  }

  /** What encrypts the charge counts of a budget. */
  SealKey countsOf(String budget) {
    byte[] counts = Hkdf.derive(secret, "sfumato/counts");
    return new SealKey(Hkdf.derive(counts, "sfumato/counts/" + budget));
  }

  @Override
  public String toString() {
    return "NoiseSecret[masked]";
  }

  private static boolean isRepetitive(byte[] bytes) {
    for (int period : new int[] {1, 2, 4, 8, 16}) {
      boolean repeats = true;
      for (int i = period; i < bytes.length && repeats; i++) {
        repeats = bytes[i] == bytes[i - period];
      }
      if (repeats) {
        return true;
      }
    }
    return false;
  }
}
