// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import io.sfumato.pipeline.FieldPath;
import io.sfumato.record.TimeReader;
import io.sfumato.record.TimeReading;
import io.sfumato.serde.AvroValue.As;
import io.sfumato.serde.ProtobufPlace.Step.Entry;
import io.sfumato.serde.ProtobufPlace.Step.Field;
import io.sfumato.serde.ProtobufPlace.Step.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where in a message a named field is.
 *
 * @param steps from the message inwards
 * @param value that is there
 * @param isOne whether that is one value, and no repeated field or map
 */
record ProtobufPlace(List<Step> steps, ProtobufValue value, boolean isOne) {
  private static final Pattern ITEM = Pattern.compile("0|[1-9]\\d{0,3}");

  /** One step inwards. */
  sealed interface Step {
    /**
     * To a field of a message.
     *
     * @param field of the writer's schema
     */
    record Field(FieldDescriptor field) implements Step {}

    /**
     * To an item of a repeated field.
     *
     * @param place from 0; {@link #EACH} for every item
     */
    record Item(int place) implements Step {
      static final int EACH = -1;
    }

    /**
     * To an entry of a map.
     *
     * @param key its text
     */
    record Entry(String key) implements Step {}
  }

  /** How a field holds its values. */
  private enum Holds {
    ONE,
    ITEMS,
    ENTRIES;

    static Holds of(FieldDescriptor field) {
      if (field.isMapField()) {
        return ENTRIES;
      }
      return field.isRepeated() ? ITEMS : ONE;
    }
  }

  /**
   * The place that a name of the pipeline file means.
   *
   * @return nothing if the type has no such field, or it cannot be read so
   */
  static Optional<ProtobufPlace> of(Descriptor type, String name, As as, TimeReader times) {
    return find(type, name).filter(place -> place.canBe(as, times));
  }

  /** The same, whatever is there. */
  static Optional<ProtobufPlace> find(Descriptor type, String name) {
    return type.findFieldByName(name) == null
        ? along(type, FieldPath.of(name).steps())
        : along(type, List.of(name));
  }

  /** Whether what is there can be read so. */
  boolean canBe(As as, TimeReader times) {
    return isOne && value.canBe(as, times);
  }

  /** Whether something is there; items or entries if there can be several. */
  boolean isIn(ProtobufMessage message) {
    return in(message, steps) != null;
  }

  /** Follows a path; nothing if there is no such place. */
  private static Optional<ProtobufPlace> along(Descriptor root, List<String> path) {
    List<Step> steps = new ArrayList<>();
    Descriptor type = root;
    FieldDescriptor field = null;
    Holds holds = Holds.ONE;
    for (String step : path) {
      boolean each = step.equals(FieldPath.EACH);
      if (holds == Holds.ENTRIES && !each) {
        steps.add(new Entry(step));
        field = field.getMessageType().findFieldByNumber(2);
        holds = Holds.ONE;
      } else if (holds == Holds.ITEMS && (each || ITEM.matcher(step).matches())) {
        steps.add(new Item(each ? Item.EACH : Integer.parseInt(step)));
        holds = Holds.ONE;
      } else if (holds == Holds.ONE && type != null && type.findFieldByName(step) != null) {
        field = type.findFieldByName(step);
        steps.add(new Field(field));
        holds = Holds.of(field);
      } else {
        return Optional.empty();
      }
      type = field.getJavaType() == JavaType.MESSAGE ? field.getMessageType() : null;
    }
    return field == null
        ? Optional.empty()
        : Optional.of(
            new ProtobufPlace(List.copyOf(steps), new ProtobufValue(field), holds == Holds.ONE));
  }

  /** The canonical name there; null if there is none. */
  String name(ProtobufMessage message) throws RejectedRecordException {
    Object found = in(message, steps);
    if (found == null) {
      return null;
    }
    if (value.isUndeclared(found)) {
      throw RejectedRecordException.withHint(
          RejectionCode.SCHEMA_MISMATCH,
          "an enum has a number that the record's schema does not name: have the producer write with the schema that does");
    }
    return value.name(found);
  }

  /** The number there; null if nothing is there, NaN if what is there is none. */
  Double number(ProtobufMessage message) {
    Object found = in(message, steps);
    Double number = found == null ? null : value.number(found);
    return found != null && number == null ? (Double) Double.NaN : number;
  }

  /** The number there, rounded down; null if there is none. */
  Long floor(ProtobufMessage message) {
    Object found = in(message, steps);
    return found == null ? null : value.floor(found);
  }

  /** The time there; null if there is none. */
  TimeReading time(ProtobufMessage message, TimeReader times) {
    Object found = in(message, steps);
    return found == null ? null : value.time(found, times);
  }

  /** Puts what is there, in every item on the way. A symbol that nobody declared is none. */
  void each(ProtobufMessage message, FoundItems found) {
    int each = steps.indexOf(new Item(Item.EACH));
    if (in(message, steps.subList(0, each)) instanceof List<?> items) {
      List<Step> within = steps.subList(each + 1, steps.size());
      for (int i = 0; i < items.size(); i++) {
        Object item = in(items.get(i), within);
        found.add(i, item == null || value.isUndeclared(item) ? null : value.name(item));
      }
    }
  }

  private static Object in(Object outer, List<Step> steps) {
    Object value = outer;
    for (Step step : steps) {
      if (value == null) {
        return null;
      }
      value = inside(value, step);
    }
    return value;
  }

  private static Object inside(Object outer, Step step) {
    if (step instanceof Field field) {
      return ((ProtobufMessage) outer).get(field.field());
    }
    if (step instanceof Entry entry) {
      return ((Map<?, ?>) outer).get(entry.key());
    }
    List<?> items = (List<?>) outer;
    int item = ((Item) step).place();
    return item < items.size() ? items.get(item) : null;
  }
}
