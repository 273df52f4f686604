// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import java.nio.ByteBuffer;

/**
 * The wire format of schema registries: a zero byte, the schema's id in four bytes (big-endian),
 * then the content.
 */
public final class RegistryFrame {
  private static final byte MAGIC = 0;

  /** Bytes in front of the content. */
  static final int HEADER = 1 + Integer.BYTES;

  private RegistryFrame() {}

  /** Whether bytes begin with a schema's id, whatever follows. */
  static boolean isIn(byte[] bytes) {
    return bytes.length >= HEADER && bytes[0] == MAGIC;
  }

  /** Whether content follows a schema's id. */
  static boolean hasContent(byte[] bytes) {
    return isIn(bytes) && bytes.length > HEADER;
  }

  /** The schema's id that bytes begin with. */
  static int schemaId(byte[] bytes) {
    return ByteBuffer.wrap(bytes, 1, Integer.BYTES).getInt();
  }

  /** The bytes in front of the content of a schema. */
  static byte[] header(int schemaId) {
    return ByteBuffer.allocate(HEADER).put(MAGIC).putInt(schemaId).array();
  }

  /** Content behind its schema's id. */
  public static byte[] of(int schemaId, byte[] content) {
    return ByteBuffer.allocate(HEADER + content.length).put(header(schemaId)).put(content).array();
  }
}
