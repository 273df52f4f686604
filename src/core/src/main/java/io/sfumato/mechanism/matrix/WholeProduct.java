// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.matrix;

import java.util.Arrays;

/**
 * Products of polynomials with whole coefficients, exactly: number-theoretic transforms modulo the
 * prime p = 2^64 - 2^32 + 1, whose roots of unity reach order 2^32. Our own because a product that
 * noise is added to must not be rounded, and no library here has one without BigInteger.
 *
 * <p>Values are unsigned and below p. A product's coefficient that is below 2^63 is its own
 * remainder.
 */
final class WholeProduct {
  /** 2^64 - 2^32 + 1, as an unsigned long. */
  private static final long P = 0xffff_ffff_0000_0001L;

  /** 2^64 modulo p. */
  private static final long CARRY = 0xffff_ffffL;

  /** Generates the multiplicative group. */
  private static final long GENERATOR = 7;

  private final int size;

  /** Powers of a root of unity of order {@link #size}, and of its inverse. */
  private final long[] roots;

  private final long[] inverses;

  /** The transform of the factor, over the size. */
  private final long[] factor;

  /**
   * @param factor coefficients of all that is multiplied later, at least 0; of the products as many
   *     coefficients are wanted
   */
  WholeProduct(long[] factor) {
    this.size = Integer.highestOneBit(Math.max(2, 2 * factor.length - 1)) << 1;
    long root = power(GENERATOR, Long.divideUnsigned(P - 1, size));
    this.roots = powers(root);
    this.inverses = powers(power(root, size - 1L));
    long[] transform = Arrays.copyOf(factor, size);
    forward(transform);
    long inverseOfSize = power(size, P - 2);
    for (int i = 0; i < size; i++) {
      transform[i] = times(transform[i], inverseOfSize);
    }
    this.factor = transform;
  }

  /** How many butterflies one product takes. */
  int butterflies() {
    return size * Integer.numberOfTrailingZeros(size);
  }

  private long[] powers(long root) {
    long[] powers = new long[size / 2];
    long power = 1;
    for (int i = 0; i < powers.length; i++) {
      powers[i] = power;
      power = times(power, root);
    }
    return powers;
  }

  /**
   * The first coefficients of the product, as many as x has.
   *
   * @param x at least 0, no more of them than the factor has, and so that no coefficient of the
   *     product reaches 2^63
   */
  long[] with(long[] x) {
    long[] product = Arrays.copyOf(x, size);
    forward(product);
    for (int i = 0; i < size; i++) {
      product[i] = times(product[i], factor[i]);
    }
    inverse(product);
    return Arrays.copyOf(product, x.length);
  }

  /** From natural to bit-reversed order (Gentleman, Sande 1966). */
  private void forward(long[] x) {
    for (int half = size / 2, stride = 1; half >= 1; half /= 2, stride *= 2) {
      for (int block = 0; block < size; block += 2 * half) {
        for (int low = block, k = 0; low < block + half; low++, k += stride) {
          long a = x[low];
          long b = x[low + half];
          x[low] = plus(a, b);
          x[low + half] = times(minus(a, b), roots[k]);
        }
      }
    }
  }

  /** From bit-reversed to natural order (Cooley, Tukey 1965), times the size. */
  private void inverse(long[] x) {
    for (int half = 1, stride = size / 2; half < size; half *= 2, stride /= 2) {
      for (int block = 0; block < size; block += 2 * half) {
        for (int low = block, k = 0; low < block + half; low++, k += stride) {
          long a = x[low];
          long b = times(x[low + half], inverses[k]);
          x[low] = plus(a, b);
          x[low + half] = minus(a, b);
        }
      }
    }
  }

  static long plus(long a, long b) {
    return minus(a, P - b);
  }

  static long minus(long a, long b) {
    return a - b - (borrow(a, b) & CARRY); // 2^64 too much is 2^32 - 1 too much
  }

  /** All ones where the unsigned a is below b, else 0: no branch, for nobody could foresee it. */
  private static long borrow(long a, long b) {
    return ((~a & b) | (~(a ^ b) & (a - b))) >> 63;
  }

  /**
   * By 2^64 = 2^32 - 1 and 2^96 = -1 modulo p: of the 128-bit product h 2^96 + m 2^64 + l the
   * remainder is that of l - h + m (2^32 - 1).
   */
  static long times(long a, long b) {
    long low = a * b;
    long high = Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
    long rest = minus(low, high >>> 32);
    long middle = (high & CARRY) * CARRY;
    long sum = rest + middle;
    sum += borrow(sum, middle) & CARRY;
    return sum - (~borrow(sum, P) & P);
  }

  private static long power(long base, long exponent) {
    long power = 1;
    long square = base;
    for (long left = exponent; left != 0; left >>>= 1) {
      if ((left & 1) == 1) {
        power = times(power, square);
      }
      square = times(square, square);
    }
    return power;
  }
}
