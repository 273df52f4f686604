// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.record.CanonicalName;
import io.sfumato.record.Decimals;
import io.sfumato.record.JsonNumber;
import io.sfumato.record.TimeReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Type;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.GenericRecord;

/**
 * How values of one Avro schema, null excepted, are read as names, times or numbers. Each is null
 * where a value is none.
 *
 * @param schema of the values, no union
 */
record AvroValue(Schema schema) {
  private static final Set<Type> WHOLE = EnumSet.of(Type.INT, Type.LONG);
  private static final Set<Type> REAL = EnumSet.of(Type.FLOAT, Type.DOUBLE);
  private static final Set<Type> NAMED = EnumSet.of(Type.STRING, Type.ENUM, Type.BOOLEAN);

  /** Debezium's NUMERIC without a scale of its own. */
  private static final String VARIABLE_SCALE = "io.debezium.data.VariableScaleDecimal";

  /** The logical type of a UUID. */
  static final String UUID_TYPE = "uuid";

  private static final String DEBEZIUM_UUID = "io.debezium.data.Uuid";

  private static final int UUID_BYTES = 16;

  /** Bits of a number far beyond those that count, which takes long to convert. */
  private static final int MOST_DECIMAL_BYTES = 512;

  /** What a value is to be read as. */
  enum As {
    NAME("text, a number, a truth value or a UUID"),
    TIME("a timestamp, text or a number; a date or local timestamp with input.zone"),
    NUMBER("a number, a decimal or text");

    private final String types;

    As(String types) {
      this.types = types;
    }

    /** Which types that can be, in words. */
    String types() {
      return types;
    }
  }

  /** Whether values of this schema can be read so. */
  boolean canBe(As as, TimeReader times) {
    return switch (as) {
      // One field is a time or a name: shown as both, it would be two.
      case NAME ->
          NAMED.contains(schema.getType())
              || WHOLE.contains(schema.getType()) && !AvroTime.isCounted(schema)
              || REAL.contains(schema.getType())
              || isDecimal()
              || isVariableScale()
              || isUuid();
      case TIME -> AvroTime.of(schema, times).isPresent();
      case NUMBER ->
          schema.getType() == Type.STRING
              || WHOLE.contains(schema.getType())
              || REAL.contains(schema.getType())
              || isDecimal()
              || isVariableScale();
    };
  }

  private boolean isDecimal() {
    return schema.getLogicalType() instanceof LogicalTypes.Decimal;
  }

  private boolean isUuid() {
    return schema.getType() == Type.FIXED
        && schema.getFixedSize() == UUID_BYTES
        && schema.getLogicalType() instanceof LogicalTypes.Uuid;
  }

  private boolean isUuidText() {
    return UUID_TYPE.equals(schema.getProp("logicalType"))
        || DEBEZIUM_UUID.equals(schema.getProp("connect.name"));
  }

  private boolean isVariableScale() {
    return schema.getType() == Type.RECORD && schema.getFullName().equals(VARIABLE_SCALE);
  }

  String name(Object value) {
    return switch (schema.getType()) {
      case STRING ->
          (isUuidText()
                  ? CanonicalName.ofUuid(value.toString())
                  : CanonicalName.ofText(value.toString()))
              .orElse(null);
      case ENUM -> CanonicalName.ofText(value.toString()).orElse(null);
      case INT, LONG -> CanonicalName.ofNumber(((Number) value).longValue());
      case FLOAT -> CanonicalName.ofNumber((float) value).orElse(null);
      case DOUBLE -> CanonicalName.ofNumber((double) value).orElse(null);
      case BOOLEAN -> CanonicalName.of((boolean) value);
      default ->
          isUuid()
              ? CanonicalName.ofUuid(((GenericFixed) value).bytes())
              : decimal(value).flatMap(CanonicalName::ofNumber).orElse(null);
    };
  }

  Double number(Object value) {
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    if (schema.getType() == Type.STRING) {
      OptionalDouble found = JsonNumber.in(value.toString());
      return found.isPresent() ? (Double) found.getAsDouble() : null;
    }
    return decimal(value).map(BigDecimal::doubleValue).orElse(null);
  }

  /** The number rounded down to a whole one, by its exact digits. */
  Long floor(Object value) {
    return switch (schema.getType()) {
      case INT, LONG -> (Long) ((Number) value).longValue();
      case FLOAT, DOUBLE ->
          Decimals.of(((Number) value).doubleValue()).flatMap(Decimals::floor).orElse(null);
      case STRING -> JsonNumber.floor(value.toString()).orElse(null);
      default -> decimal(value).flatMap(Decimals::floor).orElse(null);
    };
  }

  private Optional<BigDecimal> decimal(Object value) {
    if (isVariableScale()) {
      GenericRecord record = (GenericRecord) value;
      return record.get("scale") instanceof Integer scale
              && record.get("value") instanceof ByteBuffer bytes
          ? decimal(bytes, scale)
          : Optional.empty();
    }
    if (!(schema.getLogicalType() instanceof LogicalTypes.Decimal type)) {
      return Optional.empty();
    }
    ByteBuffer bytes =
        value instanceof GenericFixed fixed ? ByteBuffer.wrap(fixed.bytes()) : (ByteBuffer) value;
    return decimal(bytes, type.getScale());
  }

  private static Optional<BigDecimal> decimal(ByteBuffer bytes, int scale) {
    if (!bytes.hasRemaining() || bytes.remaining() > MOST_DECIMAL_BYTES) {
      return Optional.empty();
    }
    byte[] unscaled = new byte[bytes.remaining()];
    bytes.duplicate().get(unscaled);
    return Optional.of(new BigDecimal(new BigInteger(unscaled), scale));
  }
}
