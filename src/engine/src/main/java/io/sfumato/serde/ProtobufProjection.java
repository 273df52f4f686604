// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.google.protobuf.Descriptors.Descriptor;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.record.RecordPart;
import io.sfumato.record.TimeReader;
import io.sfumato.serde.AvroValue.As;
import io.sfumato.serde.FieldExtractor.RawFields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The named fields in one message type of a writer's schema: all others are passed over while a
 * record is decoded. So writers may add and remove other fields, and number fields anew: the schema
 * of each record says which number a name has.
 */
final class ProtobufProjection implements ProtobufReading {
  private final Optional<ProtobufPlace> user;
  private final Optional<ProtobufPlace> subject;
  private final Optional<ProtobufPlace> time;
  private final Optional<ProtobufPlace> id;
  private final TimeReader times;

  /** Null where a part of the category is no field. */
  private final List<ProtobufPlace> categories = new ArrayList<>();

  private final List<ProtobufPlace> numbers = new ArrayList<>();
  private final boolean weighed;
  private final ProtobufFilter filter;
  private final Descriptor type;
  private final ProtobufWanted wanted;

  /**
   * @param user field of the user, where records have one beside their subject
   * @throws RejectedRecordException with {@code SCHEMA_MISMATCH} if the type lacks a named field,
   *     or has it with a type that cannot be one
   */
  ProtobufProjection(Descriptor type, InputSpec spec, Optional<String> user, ProtobufFilter filter)
      throws RejectedRecordException {
    this.type = type;
    this.filter = filter;
    this.times = spec.formats().times();
    this.user = ifField(user);
    this.subject = ifField(Optional.of(spec.subject()));
    this.id = ifField(spec.id());
    this.time =
        spec.timePart() instanceof RecordPart.Field field
            ? Optional.of(place(field.name(), As.TIME))
            : Optional.empty();
    for (String name : spec.categoryFields()) {
      categories.add(ifField(Optional.of(name)).orElse(null));
    }
    for (String name : spec.numbers()) {
      numbers.add(place(name, As.NUMBER));
    }
    this.weighed = spec.weight().isPresent();
    this.wanted = ProtobufWanted.of(places().stream().map(ProtobufPlace::steps).toList());
  }

  private List<ProtobufPlace> places() {
    List<ProtobufPlace> places = new ArrayList<>(numbers);
    places.addAll(filter.places());
    user.ifPresent(places::add);
    subject.ifPresent(places::add);
    time.ifPresent(places::add);
    id.ifPresent(places::add);
    categories.stream().filter(Objects::nonNull).forEach(places::add);
    return places;
  }

  private Optional<ProtobufPlace> ifField(Optional<String> name) throws RejectedRecordException {
    return name.isEmpty() || !RecordPart.isField(name.get())
        ? Optional.empty()
        : Optional.of(place(name.get(), As.NAME));
  }

  private ProtobufPlace place(String name, As as) throws RejectedRecordException {
    return ProtobufPlace.of(type, name, as, times)
        .orElseThrow(
            () ->
                RejectedRecordException.withHint(
                    RejectionCode.SCHEMA_MISMATCH,
                    "the record's message type has no field '%s' of a type that is allowed there (%s); if the field was renamed, use its new name in the pipeline file"
                        .formatted(name, ProtobufValue.types(as))));
  }

  /** Which named fields a message type lacks, or has with a type that cannot be one. */
  static List<String> problems(Descriptor type, InputSpec spec, Optional<String> user) {
    List<String> problems = new ArrayList<>();
    NamedFields.of(spec, user)
        .forEach(
            (name, as) -> {
              Optional<ProtobufPlace> place =
                  ProtobufPlace.of(type, name, as, spec.formats().times());
              if (place.isEmpty()) {
                problems.add(
                    "its message '%s' has no field '%s' of a type that is allowed there (%s)"
                        .formatted(type.getName(), name, ProtobufValue.types(as)));
              } else if (as == As.TIME) {
                place
                    .get()
                    .value()
                    .refusalAsTime()
                    .ifPresent(why -> problems.add("its field '%s' %s".formatted(name, why)));
              }
            });
    return problems;
  }

  @Override
  public Optional<RawFields> read(byte[] bytes, int from, FoundItems items)
      throws RejectedRecordException {
    ProtobufMessage message = ProtobufDecoder.message(bytes, from, type, wanted);
    if (!filter.selects(message)) {
      return Optional.empty();
    }
    Double[] found = new Double[numbers.size()];
    for (int i = 0; i < found.length; i++) {
      found[i] = numbers.get(i).number(message);
    }
    if (items != null) {
      categories.get(0).each(message, items);
    }
    return Optional.of(
        new RawFields(
            name(user, message),
            name(subject, message),
            time.map(place -> place.time(message, times)).orElse(null),
            items == null ? names(message) : List.of(),
            items,
            Arrays.asList(found),
            weighed ? numbers.get(numbers.size() - 1).floor(message) : null,
            name(id, message)));
  }

  private static String name(Optional<ProtobufPlace> place, ProtobufMessage message)
      throws RejectedRecordException {
    return place.isPresent() ? place.get().name(message) : null;
  }

  /** Of all fields of the category; null where one has none. */
  private List<String> names(ProtobufMessage message) throws RejectedRecordException {
    String[] found = new String[categories.size()];
    for (int i = 0; i < found.length; i++) {
      found[i] = categories.get(i) == null ? null : categories.get(i).name(message);
    }
    return Arrays.asList(found);
  }
}
