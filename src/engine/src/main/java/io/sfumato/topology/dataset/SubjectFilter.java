// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.dataset;

import java.util.BitSet;

/**
 * A Bloom filter of subjects: one that it does not know was never added. Two bits a subject of 2^23
 * (1 MiB): up to half a million subjects, 1 in 50 others is taken for one of them.
 */
public final class SubjectFilter {
  private static final int BITS = 1 << 23;

  /** Memory of one. */
  public static final long BYTES = BITS / Byte.SIZE;

  private final BitSet bits = new BitSet(BITS);

  void add(String subject) {
    bits.set(first(subject));
    bits.set(second(subject));
  }

  boolean mayContain(String subject) {
    return bits.get(first(subject)) && bits.get(second(subject));
  }

  private static int first(String subject) {
    return place(subject.hashCode() * 0x9E3779B1);
  }

  private static int second(String subject) {
    return place((subject.hashCode() ^ 0x5BD1E995) * 0x85EBCA77);
  }

  private static int place(int hash) {
    return (hash ^ hash >>> 15) & BITS - 1;
  }
}
