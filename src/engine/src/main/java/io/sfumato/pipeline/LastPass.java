// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;

/**
 * What an output that finds subjects leaves of one: public, since it follows from what was
 * published.
 *
 * @param windowStart of the last window in which its noisy number of users passed
 */
public record LastPass(long windowStart) {
  private static final int FORMAT = 1;

  /** Bytes that it takes at most. */
  public static final int LARGEST = 1 + Bytes.SIGNED;

  /** As stores keep it. */
  public byte[] encode() {
    return new ByteWriter().fixed8(FORMAT).signed(windowStart).toBytes();
  }

  /** Inverse of {@link #encode}. */
  public static LastPass decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes).format(FORMAT, "the last pass of a subject");
    LastPass pass = new LastPass(in.signed());
    in.end();
    return pass;
  }
}
