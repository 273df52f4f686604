// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.serde.FieldExtractor.RawFields;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/**
 * JSON behind the id of its JSON Schema in a schema registry. The schema decides nothing about how
 * JSON is read, so that nobody is asked for it.
 */
record RegisteredJson(FieldExtractor json) implements FieldExtractor {
  @Override
  public Optional<RawFields> extract(byte[] value) throws RejectedRecordException, IOException {
    return json.extract(payload(value));
  }

  /** What stands behind the id. */
  static byte[] payload(byte[] value) throws RejectedRecordException {
    if (!RegistryFrame.hasContent(value)) {
      throw RejectedRecordException.withHint(
          RejectionCode.MALFORMED, "the record does not start with a schema registry's id");
    }
    return Arrays.copyOfRange(value, RegistryFrame.HEADER, value.length);
  }
}
