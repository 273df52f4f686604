package io.sfumato.serde;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.schema.UserRecord;
import io.sfumato.serde.EventReader.FieldExtractor;
import io.sfumato.serde.EventReader.RawFields;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Reads the named fields of a {@code UserRecord} in Avro's single-object encoding. */
final class AvroFields implements FieldExtractor {
  static {
    AvroTrust.establish();
  }

  private final InputSpec spec;

  AvroFields(InputSpec spec) {
    this.spec = spec;
  }

  @Override
  public RawFields extract(byte[] value) throws RejectedRecordException {
    UserRecord record;
    try {
      record = UserRecord.getDecoder().decode(value);
    } catch (IOException | RuntimeException e) {
      // Of foreign bytes Avro makes exceptions of any kind.
      throw new RejectedRecordException(RejectionCode.MALFORMED);
    }
    return new RawFields(
        null,
        text(record, spec.subject()),
        null,
        record.get(place(spec.time())) instanceof Instant at ? at.toEpochMilli() : null,
        spec.category().map(field -> text(record, field)).orElse(null),
        values(record));
  }

  private List<Double> values(UserRecord record) {
    List<Double> found = record.getValues() == null ? List.of() : record.getValues();
    List<Double> values = new ArrayList<>();
    for (int i = 0; i < spec.values().size(); i++) {
      values.add(i < found.size() ? found.get(i) : null);
    }
    return values;
  }

  private static String text(UserRecord record, String field) {
    return field.equals(InputSpec.RECORD_KEY) || record.get(place(field)) == null
        ? null
        : record.get(place(field)).toString();
  }

  private static int place(String field) {
    var found = UserRecord.getClassSchema().getField(field);
    if (found == null) {
      throw new IllegalArgumentException(
          "format avro reads UserRecord, whose fields are subject, at, category and values; it has"
              + " no field '"
              + field
              + "'");
    }
    return found.pos();
  }
}
