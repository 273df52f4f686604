// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

/** Bytes that were valid once. */
public final class Mutations {
  private static final byte[][] PIECES = {
    "\"".getBytes(StandardCharsets.UTF_8),
    "{".getBytes(StandardCharsets.UTF_8),
    "[[[[[[[[[[[[[[[[".getBytes(StandardCharsets.UTF_8),
    "1e999".getBytes(StandardCharsets.UTF_8),
    "&a [*a,*a]".getBytes(StandardCharsets.UTF_8),
    "!!java.net.URL x".getBytes(StandardCharsets.UTF_8),
    "\\ud800".getBytes(StandardCharsets.UTF_8),
    {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0x7F},
    {(byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, (byte) 0x80, 1},
    {0, 0, 0, 0},
    {(byte) 0xC3, 1},
  };

  private Mutations() {}

  /** One to eight changes of one byte string, perhaps crossed with another. */
  public static byte[] of(byte[][] corpus, long seed) {
    Random random = new Random(seed);
    byte[] bytes = corpus[random.nextInt(corpus.length)].clone();
    int changes = 1 + random.nextInt(8);
    for (int i = 0; i < changes; i++) {
      bytes = changed(bytes, corpus, random);
    }
    return bytes;
  }

  private static byte[] changed(byte[] bytes, byte[][] corpus, Random random) {
    int at = random.nextInt(bytes.length + 1);
    switch (random.nextInt(7)) {
      case 0 -> {
        if (at < bytes.length) {
          bytes[at] ^= (byte) (1 << random.nextInt(8));
        }
        return bytes;
      }
      case 1 -> {
        if (at < bytes.length) {
          bytes[at] = (byte) random.nextInt(256);
        }
        return bytes;
      }
      case 2 -> {
        return Arrays.copyOf(bytes, at);
      }
      case 3 -> {
        return Arrays.copyOfRange(bytes, at, bytes.length);
      }
      case 4 -> {
        return inserted(bytes, at, PIECES[random.nextInt(PIECES.length)]);
      }
      case 5 -> {
        int to = at + random.nextInt(bytes.length - at + 1);
        return inserted(bytes, at, Arrays.copyOfRange(bytes, at, Math.min(to, at + 200)));
      }
      default -> {
        byte[] other = corpus[random.nextInt(corpus.length)];
        int from = random.nextInt(other.length + 1);
        byte[] tail = Arrays.copyOfRange(other, from, other.length);
        return inserted(Arrays.copyOf(bytes, at), at, tail);
      }
    }
  }

  private static byte[] inserted(byte[] bytes, int at, byte[] piece) {
    byte[] longer = Arrays.copyOf(bytes, bytes.length + piece.length);
    System.arraycopy(bytes, at, longer, at + piece.length, bytes.length - at);
    System.arraycopy(piece, 0, longer, at, piece.length);
    return longer;
  }
}
