// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.serde.EventReader.FieldExtractor;
import io.sfumato.serde.EventReader.RawFields;
import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;

/** Reads the named top-level fields of a JSON object; all others are skipped, never kept. */
final class JsonFields implements FieldExtractor {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(100).maxNumberLength(100).build())
          .build();

  private final InputSpec spec;
  private final Optional<String> userField;

  JsonFields(InputSpec spec, Optional<String> userField) {
    this.spec = spec;
    this.userField = userField;
  }

  @Override
  public RawFields extract(byte[] value) throws RejectedRecordException, IOException {
    String user = null;
    String subject = null;
    String time = null;
    Long millis = null;
    String category = null;
    Double[] values = new Double[spec.values().size()];
    try (JsonParser parser = JSON.createParser(value)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new RejectedRecordException(RejectionCode.MALFORMED);
      }
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String field = parser.currentName();
        JsonToken token = parser.nextToken();
        if (token == null) {
          throw new RejectedRecordException(RejectionCode.MALFORMED);
        }
        // One field may serve twice, so these are no alternatives.
        if (userField.isPresent() && field.equals(userField.get())) {
          user = text(parser, token);
        }
        if (field.equals(spec.subject())) {
          subject = text(parser, token);
        }
        if (spec.category().isPresent() && field.equals(spec.category().get())) {
          category = text(parser, token);
        }
        int place = spec.values().indexOf(field);
        if (place >= 0) {
          values[place] = number(parser, token);
        }
        if (field.equals(spec.time())) {
          millis = token == JsonToken.VALUE_NUMBER_INT ? Long.valueOf(whole(parser)) : null;
          time = token == JsonToken.VALUE_STRING ? parser.getText() : null;
        }
        parser.skipChildren();
      }
      if (parser.nextToken() != null) {
        throw new RejectedRecordException(RejectionCode.MALFORMED);
      }
    }
    return new RawFields(user, subject, time, millis, category, Arrays.asList(values));
  }

  /** A JSON number, or text that is one, as producers of CSV write it. */
  private static Double number(JsonParser parser, JsonToken token) throws IOException {
    if (!token.isNumeric() && token != JsonToken.VALUE_STRING) {
      return null;
    }
    try {
      return Double.valueOf(parser.getText());
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static long whole(JsonParser parser) throws IOException, RejectedRecordException {
    if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
      throw new RejectedRecordException(RejectionCode.TIME_OUT_OF_RANGE);
    }
    return parser.getLongValue();
  }

  private static String text(JsonParser parser, JsonToken token) throws IOException {
    return token.isScalarValue() && token != JsonToken.VALUE_NULL ? parser.getText() : null;
  }
}
