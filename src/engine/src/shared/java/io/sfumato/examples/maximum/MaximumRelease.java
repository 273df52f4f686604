// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.examples.maximum;

import io.sfumato.schema.Guarantee;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.apache.avro.Schema;
import org.apache.avro.data.TimeConversions;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecordBase;

/** What a code generator would make of the schema beside it. */
public class MaximumRelease extends SpecificRecordBase {
  private static final long serialVersionUID = 1;

  public static final Schema SCHEMA$ = schema();
  public static final SpecificData MODEL$ = model();

  private final Object[] values = new Object[8];

  private static Schema schema() {
    try (InputStream in = MaximumRelease.class.getResourceAsStream("MaximumRelease.avsc")) {
      Schema.Parser parser = new Schema.Parser();
      parser.parse(Guarantee.getClassSchema().toString());
      return parser.parse(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SpecificData model() {
    SpecificData model = new SpecificData();
    model.addLogicalTypeConversion(new TimeConversions.TimestampMillisConversion());
    return model;
  }

  @Override
  public SpecificData getSpecificData() {
    return MODEL$;
  }

  @Override
  public Schema getSchema() {
    return SCHEMA$;
  }

  @Override
  public org.apache.avro.Conversion<?> getConversion(int field) {
    return field == 4 || field == 5 ? new TimeConversions.TimestampMillisConversion() : null;
  }

  @Override
  public Object get(int field) {
    return values[field];
  }

  @Override
  public void put(int field, Object value) {
    values[field] = value instanceof CharSequence ? value.toString() : value;
  }

  String category() {
    return (String) values[6];
  }
}
