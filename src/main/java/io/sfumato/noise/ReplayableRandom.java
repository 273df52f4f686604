package io.sfumato.noise;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.Provider;
import javax.crypto.Cipher;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * The ChaCha20 key stream (RFC 8439, nonce 0, counter 0) as a source of random numbers. The same
 * key gives the same numbers on every machine. At most 256 GiB, far beyond any release.
 */
public final class ReplayableRandom implements UniformRandomProvider {
  private static final String CHACHA20 = "ChaCha20";

  /** Looked for once: every release has a stream of its own. */
  private static final Provider PROVIDER = provider();

  private static final int CHUNK = 512;
  private static final byte[] ZEROS = new byte[CHUNK];

  private final Cipher cipher;
  private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK).limit(0);
  private double spareGaussian = Double.NaN;

  ReplayableRandom(byte[] key) {
    try {
      cipher = Cipher.getInstance(CHACHA20, PROVIDER);
      cipher.init(
          Cipher.ENCRYPT_MODE,
          new SecretKeySpec(key, CHACHA20),
          new ChaCha20ParameterSpec(new byte[12], 0));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JVM's ChaCha20 does not take a key of 32 bytes", e);
    }
  }

  private static Provider provider() {
    try {
      return Cipher.getInstance(CHACHA20).getProvider();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM lacks ChaCha20, which JDK 11 and later have", e);
    }
  }

  /**
   * Numbers that anybody can repeat, for simulations of public plans, audits and experiments. Never
   * for a release: there is nothing secret in them.
   */
  public static ReplayableRandom ofPublicSeed(String seed) {
    return new ReplayableRandom(new Framing().text("public seed").text(seed).digest());
  }

  @Override
  public long nextLong() {
    if (chunk.remaining() < Long.BYTES) {
      refill();
    }
    return chunk.getLong();
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

  private void refill() {
    try {
      cipher.update(ZEROS, 0, CHUNK, chunk.array(), 0);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the ChaCha20 key stream is exhausted", e);
    }
    chunk.clear();
  }
}
