// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.pipeline.FieldPath;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.serde.EventReader.RawFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Type;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;

/**
 * The named fields in one writer's schema: all others are skipped while a record is decoded. So
 * writers may add and remove other fields, widen numbers, make fields nullable, and rename a named
 * one if its new name keeps the old one as an alias.
 */
final class AvroProjection {
  private static final Set<Type> TEXTS =
      EnumSet.of(Type.STRING, Type.ENUM, Type.INT, Type.LONG, Type.BOOLEAN);
  private static final Set<Type> TIMES = EnumSet.of(Type.STRING, Type.LONG);
  private static final Set<Type> NUMBERS =
      EnumSet.of(Type.INT, Type.LONG, Type.FLOAT, Type.DOUBLE, Type.STRING);

  private static final Pattern ITEM = Pattern.compile("0|[1-9]\\d{0,3}");

  private final Optional<AvroPlace> user;
  private final Optional<AvroPlace> subject;
  private final AvroPlace time;
  private final boolean micros;
  private final List<AvroPlace> categories;
  private final List<AvroPlace> numbers;
  private final GenericDatumReader<GenericRecord> reader;

  /**
   * @param user field of the user, where records have one beside their subject
   * @throws RejectedRecordException with {@code SCHEMA_MISMATCH} if the schema lacks a named field,
   *     or has it with a type that cannot be one
   */
  AvroProjection(Schema writer, InputSpec spec, Optional<String> user)
      throws RejectedRecordException {
    this.user = unlessKey(writer, user);
    this.subject = unlessKey(writer, Optional.of(spec.subject()));
    this.time = place(writer, spec.time(), TIMES);
    this.micros = isMicros(time.schema());
    this.categories = new ArrayList<>();
    for (String name : spec.categoryFields()) {
      categories.add(place(writer, name, TEXTS));
    }
    this.numbers = new ArrayList<>();
    for (String name : spec.numbers()) {
      numbers.add(place(writer, name, NUMBERS));
    }
    this.reader = new GenericDatumReader<>(writer, projected(writer), new GenericData());
  }

  /** Which named fields a schema lacks, or has with a type that cannot be one. */
  static List<String> problems(Schema writer, InputSpec spec, Optional<String> user) {
    Map<String, Set<Type>> named = new LinkedHashMap<>();
    named.put(spec.subject(), TEXTS);
    user.ifPresent(name -> named.put(name, TEXTS));
    named.put(spec.time(), TIMES);
    spec.categoryFields().forEach(name -> named.put(name, TEXTS));
    spec.numbers().forEach(name -> named.put(name, NUMBERS));
    named.remove(InputSpec.RECORD_KEY);
    List<String> problems = new ArrayList<>();
    named.forEach(
        (name, allowed) -> {
          try {
            place(writer, name, allowed);
          } catch (RejectedRecordException e) {
            problems.add(
                "it has no field '%s' of a type that is allowed there (%s)"
                    .formatted(name, allowed));
          }
        });
    return problems;
  }

  private static RejectedRecordException mismatch() {
    return new RejectedRecordException(RejectionCode.SCHEMA_MISMATCH);
  }

  private static Optional<AvroPlace> unlessKey(Schema writer, Optional<String> name)
      throws RejectedRecordException {
    return name.isEmpty() || name.get().equals(InputSpec.RECORD_KEY)
        ? Optional.empty()
        : Optional.of(place(writer, name.get(), TEXTS));
  }

  private static AvroPlace place(Schema writer, String name, Set<Type> allowed)
      throws RejectedRecordException {
    if (writer.getType() != Type.RECORD) {
      throw mismatch();
    }
    Optional<Schema.Field> whole = field(writer, name);
    AvroPlace place =
        whole.isPresent()
            ? new AvroPlace(List.of(whole.get().name()), whole.get().schema())
            : place(writer, FieldPath.of(name).steps());
    requireType(place.schema(), allowed);
    return place;
  }

  /** Follows a path through records and arrays, nullable or not. */
  private static AvroPlace place(Schema writer, List<String> path) throws RejectedRecordException {
    if (path.isEmpty()) {
      throw mismatch();
    }
    List<String> steps = new ArrayList<>();
    Schema schema = writer;
    for (String step : path) {
      List<Schema> branches = branches(schema);
      if (branches.size() != 1) {
        throw mismatch();
      }
      Schema outer = branches.get(0);
      if (outer.getType() == Type.RECORD) {
        Schema.Field field = field(outer, step).orElseThrow(AvroProjection::mismatch);
        steps.add(field.name());
        schema = field.schema();
      } else if (outer.getType() == Type.ARRAY
          && (ITEM.matcher(step).matches() || step.equals(FieldPath.EACH))) {
        steps.add(step);
        schema = outer.getElementType();
      } else {
        throw mismatch();
      }
    }
    return new AvroPlace(steps, schema);
  }

  private static Optional<Schema.Field> field(Schema writer, String name) {
    return Optional.ofNullable(writer.getField(name))
        .or(
            () ->
                writer.getFields().stream()
                    .filter(field -> field.aliases().contains(name))
                    .findFirst());
  }

  private static void requireType(Schema schema, Set<Type> allowed) throws RejectedRecordException {
    for (Schema branch : branches(schema)) {
      LogicalType logical = branch.getLogicalType();
      boolean local =
          logical instanceof LogicalTypes.LocalTimestampMillis
              || logical instanceof LogicalTypes.LocalTimestampMicros;
      // A time without offset is a guess.
      if (!allowed.contains(branch.getType()) || allowed == TIMES && local) {
        throw mismatch();
      }
    }
  }

  private static boolean isMicros(Schema schema) {
    return branches(schema).stream()
        .anyMatch(branch -> branch.getLogicalType() instanceof LogicalTypes.TimestampMicros);
  }

  /** Of a union all but null; else the schema itself. */
  private static List<Schema> branches(Schema schema) {
    return schema.getType() == Type.UNION
        ? schema.getTypes().stream().filter(type -> type.getType() != Type.NULL).toList()
        : List.of(schema);
  }

  private Schema projected(Schema writer) {
    List<AvroPlace> places = new ArrayList<>(numbers);
    user.ifPresent(places::add);
    subject.ifPresent(places::add);
    places.add(time);
    places.addAll(categories);
    return pruned(writer, places.stream().map(AvroPlace::steps).toList());
  }

  /**
   * A schema with what lies on the paths alone: all else is skipped, however large it claims to be.
   */
  private static Schema pruned(Schema schema, List<List<String>> paths) {
    if (paths.stream().anyMatch(List::isEmpty)) {
      return schema;
    }
    return switch (schema.getType()) {
      case RECORD -> {
        List<Schema.Field> kept = new ArrayList<>();
        for (Schema.Field field : schema.getFields()) {
          List<List<String>> inside =
              paths.stream()
                  .filter(path -> path.get(0).equals(field.name()))
                  .map(AvroPlace::rest)
                  .toList();
          if (!inside.isEmpty()) {
            kept.add(new Schema.Field(field.name(), pruned(field.schema(), inside)));
          }
        }
        yield Schema.createRecord(schema.getName(), null, schema.getNamespace(), false, kept);
      }
      case ARRAY ->
          Schema.createArray(
              pruned(schema.getElementType(), paths.stream().map(AvroPlace::rest).toList()));
      case UNION ->
          Schema.createUnion(schema.getTypes().stream().map(one -> pruned(one, paths)).toList());
      default -> schema;
    };
  }

  /**
   * Reads a record that follows a header of {@code header} bytes.
   *
   * @param items where each item of an array counts; else null
   */
  RawFields read(byte[] bytes, int header, FoundItems items)
      throws RejectedRecordException, IOException {
    BinaryDecoder decoder =
        DecoderFactory.get().binaryDecoder(bytes, header, bytes.length - header, null);
    GenericRecord record = reader.read(null, decoder);
    if (!decoder.isEnd()) {
      throw new RejectedRecordException(RejectionCode.MALFORMED);
    }
    Object at = time.in(record);
    List<Double> found = new ArrayList<>();
    for (AvroPlace place : numbers) {
      found.add(number(place.in(record)));
    }
    if (items != null) {
      categories.get(0).each(record, items);
    }
    return new RawFields(
        user.map(place -> text(place.in(record))).orElse(null),
        subject.map(place -> text(place.in(record))).orElse(null),
        at instanceof Long ? null : text(at),
        at instanceof Long count ? Long.valueOf(micros ? Math.floorDiv(count, 1000) : count) : null,
        items == null ? texts(record) : List.of(),
        items,
        found);
  }

  /** Of all fields of the category; null where one has none. */
  private List<String> texts(GenericRecord record) {
    String[] found = new String[categories.size()];
    for (int i = 0; i < found.length; i++) {
      found[i] = text(categories.get(i).in(record));
    }
    return Arrays.asList(found);
  }

  static String text(Object value) {
    return value == null ? null : value.toString();
  }

  /** A number, or text that is one. */
  private static Double number(Object value) {
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    try {
      return value == null ? null : Double.valueOf(value.toString());
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
