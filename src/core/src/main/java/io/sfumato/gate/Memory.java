// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import java.util.Optional;

/**
 * What draws of a subject leave to later ones, as a store keeps it. It either follows from outputs
 * alone, and is as public as they are, or holds exact data: then only the classes of this package
 * read it. Immutable.
 */
public final class Memory {
  /** Nothing was left. */
  public static final Memory NONE = new Memory(null, true);

  private final byte[] bytes;
  private final boolean isPublic;

  private Memory(byte[] bytes, boolean isPublic) {
    this.bytes = bytes;
    this.isPublic = isPublic;
  }

  /**
   * What follows from outputs alone.
   *
   * @param bytes copied
   */
  public static Memory ofOutputs(byte[] bytes) {
    return new Memory(bytes.clone(), true);
  }

  /**
   * What holds exact data, as a store kept it.
   *
   * @param bytes copied
   */
  public static Memory ofData(byte[] bytes) {
    return new Memory(bytes.clone(), false);
  }

  /** Whether there is none. */
  public boolean isEmpty() {
    return bytes == null;
  }

  /**
   * What outputs left.
   *
   * @throws IllegalStateException if it holds exact data
   */
  public Optional<byte[]> published() {
    if (!isPublic) {
      throw new IllegalStateException("a memory holds exact data");
    }
    return exact();
  }

  /**
   * For stores alone, which a test lists.
   *
   * @throws IllegalStateException if there is nothing to keep
   */
  public byte[] stored() {
    return exact().orElseThrow(() -> new IllegalStateException("nothing was left"));
  }

  /** For this package. */
  Optional<byte[]> exact() {
    return Optional.ofNullable(bytes).map(byte[]::clone);
  }

  /** Never prints data. */
  @Override
  public String toString() {
    return "Memory[masked]";
  }
}
