package io.sfumato.serde;

import io.sfumato.pipeline.OutputFormat;
import org.apache.avro.specific.SpecificRecord;

/** How a pipeline writes what it publishes: the same record always gives the same bytes. */
public interface OutputEncoder {
  byte[] encode(SpecificRecord output);

  static OutputEncoder of(OutputFormat format) {
    return switch (format) {
      case AVRO -> Outputs::encode;
      case JSON -> JsonRecords::encode;
    };
  }
}
