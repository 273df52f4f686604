// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.random;

import java.util.Arrays;

/**
 * {@value #BLOCKS} ChaCha20 blocks side by side: word w of block k is {@code words[w][k]}. Loops
 * over whole arrays, which a JIT compiler turns into instructions on 8 or 16 integers, so that a
 * block takes a third of the time that it takes alone; who needs a few blocks only has no use for
 * it.
 */
final class ChaChaBlocks {
  static final int BLOCKS = 64;

  private static final int WORDS = 16;
  private static final int COUNTER = 12;

  private final int[] start;
  private final int[][] words = new int[WORDS][BLOCKS];

  /**
   * @param constants and key, then counter and nonce, all of them 0
   */
  ChaChaBlocks(int... constants) {
    this.start = Arrays.copyOf(constants, WORDS);
  }

  /**
   * Makes the next blocks.
   *
   * @param counter of the first one; the others' follow, below 2^32
   */
  void fill(int counter) {
    for (int w = 0; w < WORDS; w++) {
      Arrays.fill(words[w], start[w]);
    }
    addCounters(words[COUNTER], counter);
    for (int round = 0; round < 10; round++) {
      quarter(words[0], words[4], words[8], words[12]);
      quarter(words[1], words[5], words[9], words[13]);
      quarter(words[2], words[6], words[10], words[14]);
      quarter(words[3], words[7], words[11], words[15]);
      quarter(words[0], words[5], words[10], words[15]);
      quarter(words[1], words[6], words[11], words[12]);
      quarter(words[2], words[7], words[8], words[13]);
      quarter(words[3], words[4], words[9], words[14]);
    }
    for (int w = 0; w < WORDS; w++) {
      add(words[w], start[w]);
    }
    addCounters(words[COUNTER], counter);
  }

  private static void addCounters(int[] to, int first) {
    for (int k = 0; k < BLOCKS; k++) {
      to[k] += first + k;
    }
  }

  private static void add(int[] to, int x) {
    for (int k = 0; k < BLOCKS; k++) {
      to[k] += x;
    }
  }

  /** Section 2.1 of the RFC, in every block at once. */
  private static void quarter(int[] of0, int[] of1, int[] of2, int[] of3) {
    for (int k = 0; k < BLOCKS; k++) {
      int a = of0[k];
      int b = of1[k];
      int c = of2[k];
      int d = of3[k];
      a += b;
      d = Integer.rotateLeft(d ^ a, 16);
      c += d;
      b = Integer.rotateLeft(b ^ c, 12);
      a += b;
      d = Integer.rotateLeft(d ^ a, 8);
      c += d;
      b = Integer.rotateLeft(b ^ c, 7);
      of0[k] = a;
      of1[k] = b;
      of2[k] = c;
      of3[k] = d;
    }
  }

  /**
   * A block as 64-bit words of the stream.
   *
   * @param k which, from 0
   * @param to eight words
   */
  void copy(int k, long[] to) {
    for (int i = 0; i < to.length; i++) {
      to[i] = ChaCha20.word(words[2 * i][k], words[2 * i + 1][k]);
    }
  }
}
