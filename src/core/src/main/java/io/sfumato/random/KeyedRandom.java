// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.random;

import org.apache.commons.rng.UniformRandomProvider;

/**
 * The ChaCha20 key stream (RFC 8439, nonce 0, counter 0) as a source of random numbers. The same
 * key gives the same numbers on every machine. At most 256 GiB, far beyond any release.
 */
public final class KeyedRandom implements UniformRandomProvider {
  private final ChaCha20 stream;
  private double spareGaussian = Double.NaN;

  private KeyedRandom(byte[] key) {
    stream = new ChaCha20(key);
  }

  /**
   * The stream of a key. Of releases the gate alone knows keys.
   *
   * @param key 32 bytes
   */
  public static KeyedRandom ofKey(byte[] key) {
    return new KeyedRandom(key);
  }

  /**
   * Numbers that anybody can repeat, for simulations of public plans, audits and experiments. Never
   * for a release: there is nothing secret in them.
   *
   * @param seed public; the same seed gives the same numbers
   */
  public static KeyedRandom ofPublicSeed(String seed) {
    return new KeyedRandom(new CanonicalEncoder().text("public seed").text(seed).digest());
  }

  @Override
  public long nextLong() {
    return stream.nextLong();
  }

  /** Uniform on the open interval (0, 1): odd multiples of 2^-53. */
  public double nextOpenDouble() {
    return ((nextLong() >>> 12) + 0.5) * 0x1.0p-52;
  }

  /**
   * One standard normal draw by Marsaglia's polar method. StrictMath, so that machines of different
   * makes agree to the last bit: a retry may land on any of them.
   */
  public double nextStandardGaussian() {
    if (!Double.isNaN(spareGaussian)) {
      double spare = spareGaussian;
      spareGaussian = Double.NaN;
      return spare;
    }
    double x;
    double y;
    double s;
    do {
      x = 2 * nextOpenDouble() - 1;
      y = 2 * nextOpenDouble() - 1;
      s = x * x + y * y;
    } while (s >= 1 || s == 0);
    double scale = Math.sqrt(-2 * StrictMath.log(s) / s);
    spareGaussian = y * scale;
    return x * scale;
  }
}
