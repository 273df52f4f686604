// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.random;

/**
 * The ChaCha20 key stream of RFC 8439 under nonce 0, from block 0, as 64-bit words. Our own because
 * JDK 17's cipher takes half of a release's draw: it writes single integers into byte arrays, and
 * looks for its provider anew for every key. Tests compare it with the JDK's, byte by byte.
 */
final class ChaCha20 {
  private static final int KEY_WORDS = 8;
  private static final int BLOCK_LONGS = 8;

  /** After so many blocks one by one they are made side by side: most releases need fewer. */
  static final int ALONE = 32;

  /** Where no compiler makes wide instructions of loops, side by side takes twice as long. */
  private static final int USUAL =
      System.getProperty("java.vm.info", "").contains("emulated-client")
          ? Integer.MAX_VALUE
          : ALONE;

  /** "expand 32-byte k". */
  private static final int C0 = 0x61707865;

  private static final int C1 = 0x3320646e;
  private static final int C2 = 0x79622d32;
  private static final int C3 = 0x6b206574;

  private final int[] key = new int[KEY_WORDS];
  private final long[] block = new long[BLOCK_LONGS];
  private int next = BLOCK_LONGS;
  private int counter;
  private boolean exhausted;

  /** How many more blocks are made one by one. */
  private int alone;

  private ChaChaBlocks many;

  /** Of the blocks that were made side by side, those that are left. */
  private int left;

  /**
   * @param key 32 bytes
   */
  ChaCha20(byte[] key) {
    this(key, 0);
  }

  /**
   * @param counter of the first block, unsigned
   */
  ChaCha20(byte[] key, int counter) {
    this(key, counter, USUAL);
  }

  /**
   * @param alone after so many blocks one by one they are made side by side; the stream is the same
   */
  ChaCha20(byte[] key, int counter, int alone) {
    this.counter = counter;
    this.alone = alone;
    if (key.length != KEY_WORDS * Integer.BYTES) {
      throw new IllegalArgumentException("a key has 32 bytes, found " + key.length);
    }
    for (int i = 0; i < KEY_WORDS; i++) {
      int at = i * Integer.BYTES;
      this.key[i] =
          (key[at] & 0xff)
              | (key[at + 1] & 0xff) << 8
              | (key[at + 2] & 0xff) << 16
              | key[at + 3] << 24;
    }
  }

  /** The next eight bytes of the stream, the first one the highest. */
  long nextLong() {
    if (next == BLOCK_LONGS) {
      nextBlock();
      next = 0;
    }
    return block[next++];
  }

  private void nextBlock() {
    if (left == 0 && alone == 0 && Integer.compareUnsigned(-counter, ChaChaBlocks.BLOCKS) >= 0) {
      if (many == null) {
        many =
            new ChaChaBlocks(
                C0, C1, C2, C3, key[0], key[1], key[2], key[3], key[4], key[5], key[6], key[7]);
      }
      many.fill(counter);
      left = ChaChaBlocks.BLOCKS;
    }
    if (left > 0) {
      many.copy(ChaChaBlocks.BLOCKS - left, block);
      left--;
      count();
    } else {
      fill();
      alone = Math.max(0, alone - 1);
    }
  }

  private void count() {
    counter++;
    exhausted = counter == 0;
  }

  /** Section 2.3 of the RFC: ten times four quarter rounds down the columns, four diagonally. */
  private void fill() {
    if (exhausted) {
      throw new IllegalStateException("the key stream of 256 GiB is exhausted");
    }
    int x0 = C0;
    int x1 = C1;
    int x2 = C2;
    int x3 = C3;
    int x4 = key[0];
    int x5 = key[1];
    int x6 = key[2];
    int x7 = key[3];
    int x8 = key[4];
    int x9 = key[5];
    int x10 = key[6];
    int x11 = key[7];
    int x12 = counter;
    int x13 = 0;
    int x14 = 0;
    int x15 = 0;
    for (int round = 0; round < 10; round++) {
      // Written out: Java has no way to return four integers that stays in registers.
      x0 += x4;
      x12 = Integer.rotateLeft(x12 ^ x0, 16);
      x8 += x12;
      x4 = Integer.rotateLeft(x4 ^ x8, 12);
      x0 += x4;
      x12 = Integer.rotateLeft(x12 ^ x0, 8);
      x8 += x12;
      x4 = Integer.rotateLeft(x4 ^ x8, 7);

      x1 += x5;
      x13 = Integer.rotateLeft(x13 ^ x1, 16);
      x9 += x13;
      x5 = Integer.rotateLeft(x5 ^ x9, 12);
      x1 += x5;
      x13 = Integer.rotateLeft(x13 ^ x1, 8);
      x9 += x13;
      x5 = Integer.rotateLeft(x5 ^ x9, 7);

      x2 += x6;
      x14 = Integer.rotateLeft(x14 ^ x2, 16);
      x10 += x14;
      x6 = Integer.rotateLeft(x6 ^ x10, 12);
      x2 += x6;
      x14 = Integer.rotateLeft(x14 ^ x2, 8);
      x10 += x14;
      x6 = Integer.rotateLeft(x6 ^ x10, 7);

      x3 += x7;
      x15 = Integer.rotateLeft(x15 ^ x3, 16);
      x11 += x15;
      x7 = Integer.rotateLeft(x7 ^ x11, 12);
      x3 += x7;
      x15 = Integer.rotateLeft(x15 ^ x3, 8);
      x11 += x15;
      x7 = Integer.rotateLeft(x7 ^ x11, 7);

      x0 += x5;
      x15 = Integer.rotateLeft(x15 ^ x0, 16);
      x10 += x15;
      x5 = Integer.rotateLeft(x5 ^ x10, 12);
      x0 += x5;
      x15 = Integer.rotateLeft(x15 ^ x0, 8);
      x10 += x15;
      x5 = Integer.rotateLeft(x5 ^ x10, 7);

      x1 += x6;
      x12 = Integer.rotateLeft(x12 ^ x1, 16);
      x11 += x12;
      x6 = Integer.rotateLeft(x6 ^ x11, 12);
      x1 += x6;
      x12 = Integer.rotateLeft(x12 ^ x1, 8);
      x11 += x12;
      x6 = Integer.rotateLeft(x6 ^ x11, 7);

      x2 += x7;
      x13 = Integer.rotateLeft(x13 ^ x2, 16);
      x8 += x13;
      x7 = Integer.rotateLeft(x7 ^ x8, 12);
      x2 += x7;
      x13 = Integer.rotateLeft(x13 ^ x2, 8);
      x8 += x13;
      x7 = Integer.rotateLeft(x7 ^ x8, 7);

      x3 += x4;
      x14 = Integer.rotateLeft(x14 ^ x3, 16);
      x9 += x14;
      x4 = Integer.rotateLeft(x4 ^ x9, 12);
      x3 += x4;
      x14 = Integer.rotateLeft(x14 ^ x3, 8);
      x9 += x14;
      x4 = Integer.rotateLeft(x4 ^ x9, 7);
    }
    block[0] = word(x0 + C0, x1 + C1);
    block[1] = word(x2 + C2, x3 + C3);
    block[2] = word(x4 + key[0], x5 + key[1]);
    block[3] = word(x6 + key[2], x7 + key[3]);
    block[4] = word(x8 + key[4], x9 + key[5]);
    block[5] = word(x10 + key[6], x11 + key[7]);
    block[6] = word(x12 + counter, x13);
    block[7] = word(x14, x15);
    count();
  }

  /** The stream has the lowest byte of each integer first. */
  static long word(int first, int second) {
    return (long) Integer.reverseBytes(first) << 32 | Integer.reverseBytes(second) & 0xffffffffL;
  }
}
