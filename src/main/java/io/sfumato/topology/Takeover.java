// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.serde.ByteReader;
import io.sfumato.serde.ByteWriter;

/**
 * A new version that was announced to a partition. The old one releases what starts before {@code
 * from} and nothing else; then the new one may take over.
 *
 * @param version of the file
 * @param from start of its first window
 * @param digest of what the file plans, hexadecimal
 * @param noiseKey tag of the key that it draws with
 * @param ready whether the old version has decided every window before {@code from}
 */
record Takeover(int version, long from, String digest, String noiseKey, boolean ready) {
  private static final int FORMAT = 1;

  boolean isFor(Identity.Maker maker) {
    return version == maker.version()
        && digest.equals(maker.digest())
        && noiseKey.equals(maker.noiseKey());
  }

  Takeover nowReady() {
    return new Takeover(version, from, digest, noiseKey, true);
  }

  byte[] encode() {
    return new ByteWriter()
        .fixed8(FORMAT)
        .unsigned(version)
        .signed(from)
        .text(digest)
        .text(noiseKey)
        .fixed8(ready ? 1 : 0)
        .toBytes();
  }

  static Takeover decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes).format(FORMAT, "a takeover");
    Takeover takeover =
        new Takeover((int) in.unsigned(), in.signed(), in.text(), in.text(), in.fixed8() == 1);
    in.end();
    return takeover;
  }
}
