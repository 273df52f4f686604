// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.record.StrictUtf8;
import java.io.IOException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.util.Utf8;

/**
 * Reads foreign Avro as it is specified: texts are valid UTF-8, and no byte is left over. Avro
 * itself replaces what is invalid, so that different names become one.
 */
final class StrictDatumReader extends GenericDatumReader<Object> {
  /**
   * Of one schema, of which only a part may be wanted.
   *
   * @param wanted the writer's schema, or a part of it
   */
  StrictDatumReader(Schema writer, Schema wanted) {
    super(writer, wanted, model());
  }

  /** Avro's faster reader would never ask for the strings of this one. */
  private static GenericData model() {
    GenericData model = new GenericData();
    model.setFastReaderEnabled(false);
    return model;
  }

  /**
   * The value that the bytes behind a header are.
   *
   * @throws RejectedRecordException if bytes are left over
   */
  Object whole(byte[] bytes, int header) throws RejectedRecordException, IOException {
    BinaryDecoder decoder =
        DecoderFactory.get().binaryDecoder(bytes, header, bytes.length - header, null);
    Object datum = read(null, decoder);
    if (!decoder.isEnd()) {
      throw new RejectedRecordException(RejectionCode.MALFORMED);
    }
    return datum;
  }

  @Override
  protected Object readString(Object old, Schema expected, Decoder in) throws IOException {
    return strict(in);
  }

  @Override
  protected Object readMapKey(Object old, Schema expected, Decoder in) throws IOException {
    return strict(in);
  }

  private static String strict(Decoder in) throws IOException {
    Utf8 text = in.readString(null);
    return StrictUtf8.decode(text.getBytes(), 0, text.getByteLength());
  }
}
