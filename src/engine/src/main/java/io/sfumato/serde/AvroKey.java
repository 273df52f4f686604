// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.record.TimeReader;
import io.sfumato.serde.AvroValue.As;
import java.io.IOException;
import java.util.List;
import org.apache.avro.Schema;

/**
 * A key that is one Avro value of a schema registry, nullable or not. Its name is the value alone:
 * whichever schema the producer had, a person stays one person.
 */
record AvroKey(FrameSchemas schemas) implements KeyReader {
  @Override
  public String name(byte[] key) throws RejectedRecordException, IOException {
    if (!RegistryFrame.isIn(key)) {
      throw RejectedRecordException.withHint(
          RejectionCode.MALFORMED, "the key does not start with a schema registry's id");
    }
    Schema schema = schemas.avro(key);
    AvroPlace whole = new AvroPlace(List.of(), schema);
    if (!whole.canBe(As.NAME, TimeReader.auto())) {
      throw RejectedRecordException.withHint(
          RejectionCode.SCHEMA_MISMATCH,
          "the key is a record or of another type without a name: name one of its fields, such as $key.customer_id");
    }
    return whole.name(new StrictDatumReader(schema, schema).whole(key, RegistryFrame.HEADER));
  }
}
