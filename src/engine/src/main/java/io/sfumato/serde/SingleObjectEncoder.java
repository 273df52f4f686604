// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;

/**
 * Avro's single-object encoding. Avro's own {@code BinaryMessageEncoder} writes every number
 * straight into its stream, a byte or two at a time; here they are gathered first.
 */
final class SingleObjectEncoder<T extends SpecificRecord> {
  private static final byte[] MARKER = {(byte) 0xC3, 0x01};

  private final byte[] header;
  private final SpecificDatumWriter<T> writer;

  SingleObjectEncoder(Schema schema) {
    this.header =
        ByteBuffer.allocate(MARKER.length + Long.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put(MARKER)
            .putLong(SchemaNormalization.parsingFingerprint64(schema))
            .array();
    this.writer = new SpecificDatumWriter<>(schema, SpecificData.getForSchema(schema));
  }

  byte[] encode(T value) {
    return encode(value, header);
  }

  /** After another header than that of the single-object encoding. */
  byte[] encode(T value, byte[] begin) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(1_024);
    out.writeBytes(begin);
    try {
      BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
      writer.write(value, encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new IllegalStateException("encoding to memory failed", e);
    }
    return out.toByteArray();
  }
}
