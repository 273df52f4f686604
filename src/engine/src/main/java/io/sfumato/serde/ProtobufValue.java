// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Descriptors.FieldDescriptor.Type;
import io.sfumato.record.CanonicalName;
import io.sfumato.record.Decimals;
import io.sfumato.record.JsonNumber;
import io.sfumato.record.TimeFormat;
import io.sfumato.record.TimeReader;
import io.sfumato.record.TimeReading;
import io.sfumato.serde.AvroValue.As;
import io.sfumato.serde.ProtobufTypes.Known;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How values of one Protobuf field are read as names, times or numbers. Each is null where a value
 * is none. A wrapper, such as {@code StringValue}, is read as the value in it.
 *
 * @param field of one value, or of an item of several
 */
record ProtobufValue(FieldDescriptor field) {
  /** Bytes of a number far beyond those that count, which takes long to convert. */
  private static final int MOST_DECIMAL_BYTES = 512;

  private Optional<ProtobufValue> wrapped() {
    return field.getJavaType() == JavaType.MESSAGE
        ? ProtobufTypes.wrapped(field.getMessageType()).map(ProtobufValue::new)
        : Optional.empty();
  }

  private Optional<Known> known() {
    return field.getJavaType() == JavaType.MESSAGE
        ? Known.of(field.getMessageType())
        : Optional.empty();
  }

  private boolean isWhole() {
    return field.getJavaType() == JavaType.INT || field.getJavaType() == JavaType.LONG;
  }

  private boolean isReal() {
    return field.getJavaType() == JavaType.FLOAT || field.getJavaType() == JavaType.DOUBLE;
  }

  private boolean isText() {
    return field.getType() == Type.STRING;
  }

  /** Which types can be read so, in words. */
  static String types(As as) {
    return switch (as) {
      case NAME -> "text, a number, a truth value or an enum";
      case TIME -> "a Timestamp, text or a number; a Date with input.zone";
      case NUMBER -> "a number, a decimal or text";
    };
  }

  /** Whether values can be read so. */
  boolean canBe(As as, TimeReader times) {
    Optional<ProtobufValue> inner = wrapped();
    if (inner.isPresent()) {
      return inner.get().canBe(as, times);
    }
    boolean decimal = known().equals(Optional.of(Known.DECIMAL));
    return switch (as) {
      case NAME ->
          isText()
              || isWhole()
              || isReal()
              || decimal
              || field.getType() == Type.BOOL
              || field.getType() == Type.ENUM;
      case NUMBER -> isText() || isWhole() || isReal() || decimal;
      case TIME -> canBeTime(times);
    };
  }

  private boolean canBeTime(TimeReader times) {
    if (isWhole() || isReal()) {
      return times.format() instanceof TimeFormat.Auto
          || times.format() instanceof TimeFormat.Epoch;
    }
    Optional<Known> type = known();
    return isText()
        || type.equals(Optional.of(Known.TIMESTAMP))
        || type.equals(Optional.of(Known.DATE)) && times.zone().isPresent();
  }

  /** Why values are never times though their type could be: the end of a sentence about one. */
  Optional<String> refusalAsTime() {
    return field.getType() == Type.FLOAT
        ? Optional.of("is a float, which cannot hold a time: use an int64 or a double")
        : wrapped().flatMap(ProtobufValue::refusalAsTime);
  }

  /** Whether a value is a number of an enum that its schema has no symbol for. */
  boolean isUndeclared(Object value) {
    return field.getType() == Type.ENUM && symbol(value) == null;
  }

  private EnumValueDescriptor symbol(Object value) {
    return field.getEnumType().findValueByNumber(((Long) value).intValue());
  }

  private Object inWrapper(Object value) {
    return ((ProtobufMessage) value).get(wrapped().orElseThrow().field());
  }

  String name(Object value) {
    return switch (field.getType()) {
      case STRING -> CanonicalName.ofText((String) value).orElse(null);
      case BOOL -> CanonicalName.of((boolean) value);
      case ENUM -> CanonicalName.ofText(symbol(value).getName()).orElse(null);
      case FLOAT -> CanonicalName.ofNumber((float) value).orElse(null);
      case DOUBLE -> CanonicalName.ofNumber((double) value).orElse(null);
      case BYTES -> null;
      case MESSAGE, GROUP -> {
        Optional<ProtobufValue> inner = wrapped();
        yield inner.isPresent()
            ? inner.get().name(inWrapper(value))
            : decimal(value).flatMap(CanonicalName::ofNumber).orElse(null);
      }
      default -> CanonicalName.ofNumber(whole(value)).orElse(null);
    };
  }

  /** All digits of a whole number: those of {@code uint64} reach beyond a long's. */
  private BigDecimal whole(Object value) {
    boolean unsigned = field.getType() == Type.UINT64 || field.getType() == Type.FIXED64;
    return unsigned && (long) value < 0
        ? new BigDecimal(Long.toUnsignedString((long) value))
        : BigDecimal.valueOf((long) value);
  }

  Double number(Object value) {
    if (isReal()) {
      return ((Number) value).doubleValue();
    }
    if (isText()) {
      OptionalDouble found = JsonNumber.in((String) value);
      return found.isPresent() ? (Double) found.getAsDouble() : null;
    }
    Optional<ProtobufValue> inner = wrapped();
    return inner.isPresent()
        ? inner.get().number(inWrapper(value))
        : exact(value).map(BigDecimal::doubleValue).orElse(null);
  }

  /** The number rounded down to a whole one, by its exact digits. */
  Long floor(Object value) {
    if (isText()) {
      return JsonNumber.floor((String) value).orElse(null);
    }
    Optional<ProtobufValue> inner = wrapped();
    return inner.isPresent()
        ? inner.get().floor(inWrapper(value))
        : exact(value).flatMap(Decimals::floor).orElse(null);
  }

  private Optional<BigDecimal> exact(Object value) {
    if (isReal()) {
      return Decimals.of(((Number) value).doubleValue());
    }
    return isWhole() ? Optional.of(whole(value)) : decimal(value);
  }

  private Optional<BigDecimal> decimal(Object value) {
    if (!known().equals(Optional.of(Known.DECIMAL))) {
      return Optional.empty();
    }
    ProtobufMessage message = (ProtobufMessage) value;
    byte[] digits = (byte[]) message.get(field.getMessageType().findFieldByNumber(1));
    long scale = (long) message.get(field.getMessageType().findFieldByNumber(3));
    return digits == null || digits.length == 0 || digits.length > MOST_DECIMAL_BYTES
        ? Optional.empty()
        : Optional.of(new BigDecimal(new BigInteger(digits), (int) scale));
  }

  TimeReading time(Object value, TimeReader times) {
    Optional<String> refusal = refusalAsTime();
    if (refusal.isPresent()) {
      return new TimeReading.Unreadable(refusal.get());
    }
    if (isText()) {
      return times.text((String) value);
    }
    if (isWhole()) {
      return times.number(whole(value));
    }
    if (isReal()) {
      return Decimals.of((double) value)
          .map(times::number)
          .orElseGet(() -> new TimeReading.Unreadable("is no number that a time can be"));
    }
    Optional<ProtobufValue> inner = wrapped();
    if (inner.isPresent()) {
      return inner.get().time(inWrapper(value), times);
    }
    return known().equals(Optional.of(Known.DATE))
        ? ProtobufTime.date(field.getMessageType(), (ProtobufMessage) value)
            .map(times::date)
            .orElseGet(() -> new TimeReading.Unreadable("names a day that does not exist"))
        : ProtobufTime.millis(field.getMessageType(), (ProtobufMessage) value)
            .<TimeReading>map(TimeReading.Time::new)
            .orElseGet(
                () -> new TimeReading.Unreadable("is a Timestamp outside of the years 1 to 9999"));
  }
}
