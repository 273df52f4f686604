// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.CorruptBytesException;
import java.util.Arrays;

/** How far the sealing of the ledger is. */
public enum SealState {
  OPEN(0),
  /** Nothing more is taken in; what is closed is still released. */
  SEALING(1),
  /** All that was closed is released. */
  DRAINED(2);

  /** As stores have it: never another one. */
  final int code;

  SealState(int code) {
    this.code = code;
  }

  /** Reads it from a store; no bytes where nobody has begun to seal. */
  public static SealState of(byte[] bytes) {
    if (bytes == null) {
      return OPEN;
    }
    int code = new ByteReader(bytes).format(MetaStore.FORMAT, "a seal").fixed8();
    return Arrays.stream(values())
        .filter(seal -> seal.code == code)
        .findFirst()
        .orElseThrow(() -> new CorruptBytesException("a seal is none of those this program knows"));
  }
}
