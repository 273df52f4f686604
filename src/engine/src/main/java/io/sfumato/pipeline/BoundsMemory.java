// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.mechanism.bounds.PowerBounds;
import io.sfumato.mechanism.bounds.PowerBuckets;

/**
 * What a release that finds bounds leaves to those that go by them: the bounds of a subject that
 * hold.
 */
public record BoundsMemory(PowerBounds bounds) {
  private static final int FORMAT = 1;

  /** Bytes that it takes at most. */
  public static final int LARGEST = 1 + 2 * Bytes.INT;

  /** As stores keep it. */
  public byte[] encode() {
    return new ByteWriter()
        .fixed8(FORMAT)
        .unsigned(bounds.lowest())
        .unsigned(bounds.highest())
        .toBytes();
  }

  /** Inverse of {@link #encode}. */
  public static BoundsMemory decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes).format(FORMAT, "bounds that hold");
    PowerBounds bounds = new PowerBounds(bucket(in), bucket(in));
    in.end();
    return new BoundsMemory(bounds);
  }

  private static int bucket(ByteReader in) {
    long bucket = in.unsigned();
    if (bucket >= PowerBuckets.NUMBER) {
      throw new CorruptBytesException("bounds are of an unknown bucket");
    }
    return (int) bucket;
  }
}
