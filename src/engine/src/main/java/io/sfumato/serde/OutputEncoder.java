// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.pipeline.OutputFormat;
import org.apache.avro.specific.SpecificRecord;

/** How a pipeline writes what it publishes: the same record always gives the same bytes. */
public interface OutputEncoder {
  /** The bytes of a public record, as they are published. */
  byte[] encode(SpecificRecord output);

  /**
   * @param schemas under whose ids they are written, where the format has ids
   */
  static OutputEncoder of(OutputFormat format, SchemaSource schemas) {
    return switch (format) {
      case AVRO -> Outputs::encode;
      case REGISTERED ->
          output -> Outputs.encodeRegistered(output, schemas.idOf(output.getSchema()));
      case JSON -> JsonRecords::encode;
    };
  }
}
