package io.sfumato.noise;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A canonical, prefix-free encoding: every field is preceded by its length, every number has eight
 * bytes. Concatenation without lengths would let two different inputs share their noise.
 */
public final class Framing {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream(128);

  /** Appends a text as UTF-8. */
  public Framing text(String value) {
    return bytes(value.getBytes(StandardCharsets.UTF_8));
  }

  /** Appends bytes behind their length. */
  public Framing bytes(byte[] value) {
    out.writeBytes(ByteBuffer.allocate(4).putInt(value.length).array());
    out.writeBytes(value);
    return this;
  }

  /** Appends a whole number, big-endian. */
  public Framing number(long value) {
    out.writeBytes(ByteBuffer.allocate(8).putLong(value).array());
    return this;
  }

  /** Appends an array of whole numbers behind its length. */
  public Framing numbers(long[] values) {
    ByteBuffer buffer = ByteBuffer.allocate(4 + 8 * values.length).putInt(values.length);
    for (long value : values) {
      buffer.putLong(value);
    }
    out.writeBytes(buffer.array());
    return this;
  }

  public byte[] toBytes() {
    return out.toByteArray();
  }

  /** SHA-256 of what was framed so far. */
  public byte[] digest() {
    try {
      return MessageDigest.getInstance("SHA-256").digest(toBytes());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JVM lacks SHA-256, which every JDK must have", e);
    }
  }
}
