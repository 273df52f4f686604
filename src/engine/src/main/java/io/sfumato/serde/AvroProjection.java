// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.pipeline.FieldPath;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.record.RecordPart;
import io.sfumato.record.TimeReader;
import io.sfumato.record.TimeReading;
import io.sfumato.serde.AvroValue.As;
import io.sfumato.serde.FieldExtractor.RawFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.avro.Schema;
import org.apache.avro.Schema.Type;
import org.apache.avro.generic.GenericRecord;

/**
 * The named fields in one writer's schema: all others are skipped while a record is decoded. So
 * writers may add and remove other fields, widen numbers, make fields nullable, and rename a named
 * one if its new name keeps the old one as an alias.
 */
final class AvroProjection implements AvroReading {
  private static final Pattern ITEM = Pattern.compile("0|[1-9]\\d{0,3}");

  private final Optional<AvroPlace> user;
  private final Optional<AvroPlace> subject;
  private final Optional<AvroPlace> time;
  private final Optional<AvroPlace> id;
  private final TimeReader times;
  private final Function<Object, TimeReading> timeIn;

  /** Null where a part of the category is no field. */
  private final List<AvroPlace> categories;

  private final List<AvroPlace> numbers;
  private final boolean weighed;
  private final AvroFilter filter;
  private final StrictDatumReader reader;

  /**
   * @param user field of the user, where records have one beside their subject
   * @throws RejectedRecordException with {@code SCHEMA_MISMATCH} if the schema lacks a named field,
   *     or has it with a type that cannot be one
   */
  AvroProjection(Schema writer, InputSpec spec, Optional<String> user, AvroFilter filter)
      throws RejectedRecordException {
    this.times = spec.formats().times();
    this.filter = filter;
    this.user = ifField(writer, user);
    this.subject = ifField(writer, Optional.of(spec.subject()));
    this.id = ifField(writer, spec.id());
    this.time =
        spec.timePart() instanceof RecordPart.Field field
            ? Optional.of(place(writer, field.name(), As.TIME, times))
            : Optional.empty();
    this.timeIn = time.map(place -> place.time(times)).orElse(record -> null);
    this.categories = new ArrayList<>();
    for (String name : spec.categoryFields()) {
      categories.add(ifField(writer, Optional.of(name)).orElse(null));
    }
    this.numbers = new ArrayList<>();
    for (String name : spec.numbers()) {
      numbers.add(place(writer, name, As.NUMBER, times));
    }
    this.weighed = spec.weight().isPresent();
    this.reader = new StrictDatumReader(writer, projected(writer));
  }

  /** Which named fields a schema lacks, or has with a type that cannot be one. */
  static List<String> problems(Schema writer, InputSpec spec, Optional<String> user) {
    List<String> problems = new ArrayList<>();
    NamedFields.of(spec, user)
        .forEach(
            (name, as) -> {
              try {
                AvroPlace place = place(writer, name, as, spec.formats().times());
                if (as == As.TIME) {
                  AvroPlace.branches(place.schema()).stream()
                      .flatMap(branch -> AvroTime.refusal(branch).stream())
                      .forEach(why -> problems.add("its field '%s' %s".formatted(name, why)));
                }
              } catch (RejectedRecordException e) {
                problems.add(
                    "it has no field '%s' of a type that is allowed there (%s)"
                        .formatted(name, as.types()));
              }
            });
    return problems;
  }

  private static RejectedRecordException mismatch() {
    return new RejectedRecordException(RejectionCode.SCHEMA_MISMATCH);
  }

  private Optional<AvroPlace> ifField(Schema writer, Optional<String> name)
      throws RejectedRecordException {
    return name.isEmpty() || !RecordPart.isField(name.get())
        ? Optional.empty()
        : Optional.of(place(writer, name.get(), As.NAME, times));
  }

  private static AvroPlace place(Schema writer, String name, As as, TimeReader times)
      throws RejectedRecordException {
    AvroPlace place = find(writer, name).orElseThrow(AvroProjection::mismatch);
    if (!place.canBe(as, times)) {
      throw mismatch();
    }
    return place;
  }

  /**
   * Where a named field is; nothing if the schema lacks it.
   *
   * @throws RejectedRecordException if it is in one of several records, or has one of several names
   */
  static Optional<AvroPlace> find(Schema writer, String name) throws RejectedRecordException {
    if (writer.getType() != Type.RECORD) {
      return Optional.empty();
    }
    Optional<Schema.Field> whole = field(writer, name);
    return whole.isPresent()
        ? Optional.of(new AvroPlace(List.of(whole.get().name()), whole.get().schema()))
        : find(writer, FieldPath.of(name).steps());
  }

  /** Follows a path through records and arrays, nullable or not. */
  private static Optional<AvroPlace> find(Schema writer, List<String> path)
      throws RejectedRecordException {
    if (path.isEmpty()) {
      return Optional.empty();
    }
    List<String> steps = new ArrayList<>();
    Schema schema = writer;
    for (String step : path) {
      List<Schema> branches = AvroPlace.branches(schema);
      if (branches.size() != 1) {
        throw mismatch();
      }
      Schema outer = branches.get(0);
      if (outer.getType() == Type.RECORD) {
        Optional<Schema.Field> field = field(outer, step);
        if (field.isEmpty()) {
          return Optional.empty();
        }
        steps.add(field.get().name());
        schema = field.get().schema();
      } else if (outer.getType() == Type.ARRAY
          && (ITEM.matcher(step).matches() || step.equals(FieldPath.EACH))) {
        steps.add(step);
        schema = outer.getElementType();
      } else {
        return Optional.empty();
      }
    }
    return Optional.of(new AvroPlace(steps, schema));
  }

  /** The field of a name, or the only one that has it as an alias. */
  private static Optional<Schema.Field> field(Schema writer, String name)
      throws RejectedRecordException {
    if (writer.getField(name) != null) {
      return Optional.of(writer.getField(name));
    }
    List<Schema.Field> renamed =
        writer.getFields().stream().filter(field -> field.aliases().contains(name)).toList();
    if (renamed.size() > 1) {
      throw mismatch();
    }
    return renamed.stream().findFirst();
  }

  private Schema projected(Schema writer) {
    List<AvroPlace> places = new ArrayList<>(numbers);
    user.ifPresent(places::add);
    subject.ifPresent(places::add);
    time.ifPresent(places::add);
    id.ifPresent(places::add);
    categories.stream().filter(Objects::nonNull).forEach(places::add);
    places.addAll(filter.places());
    return pruned(writer, places);
  }

  /** A schema with what lies in some places alone. */
  static Schema pruned(Schema schema, Collection<AvroPlace> places) {
    return pruned(schema, places.stream().map(AvroPlace::steps).toList());
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

  @Override
  public Optional<RawFields> read(byte[] bytes, int header, FoundItems items)
      throws RejectedRecordException, IOException {
    GenericRecord record = (GenericRecord) reader.whole(bytes, header);
    if (!filter.selects(record)) {
      return Optional.empty();
    }
    List<Double> found = new ArrayList<>();
    for (AvroPlace place : numbers) {
      found.add(place.number(record));
    }
    if (items != null) {
      categories.get(0).each(record, items);
    }
    return Optional.of(
        new RawFields(
            user.map(place -> place.name(record)).orElse(null),
            subject.map(place -> place.name(record)).orElse(null),
            timeIn.apply(record),
            items == null ? texts(record) : List.of(),
            items,
            found,
            weighed ? numbers.get(numbers.size() - 1).floor(record) : null,
            id.map(place -> place.name(record)).orElse(null)));
  }

  /** Of all fields of the category; null where one has none. */
  private List<String> texts(GenericRecord record) {
    String[] found = new String[categories.size()];
    for (int i = 0; i < found.length; i++) {
      found[i] = categories.get(i) == null ? null : categories.get(i).name(record);
    }
    return Arrays.asList(found);
  }
}
