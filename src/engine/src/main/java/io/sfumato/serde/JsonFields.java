// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.sfumato.pipeline.FieldPath;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.RecordFilter.Condition;
import io.sfumato.record.RecordPart;
import io.sfumato.record.TimeReader;
import io.sfumato.record.TimeReading;
import io.sfumato.serde.FieldExtractor.ItemSource;
import io.sfumato.serde.FieldExtractor.RawFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** Reads the named fields of a JSON object; all others are skipped, never kept. */
final class JsonFields implements FieldExtractor {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          // The table of names is shared by all records, and whoever writes one fills it.
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          // Of two fields with one name another reader may take the other.
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(100).maxNumberLength(100).build())
          .build();

  private static final int USER = 0;
  private static final int SUBJECT = 1;
  private static final int TIME = 2;
  private static final int ID = 3;
  private static final int FIRST_CATEGORY = 4;

  private final List<Wanted> wanted = new ArrayList<>();
  private final int categories;
  private final int numbers;
  private final List<Condition> conditions;

  /** Among the numbers, the weight; -1 without one. */
  private final int weight;

  private final TimeReader times;
  private final ItemSource items;

  /** One field may serve twice, so several may want the same. */
  private record Wanted(int slot, FieldPath path, int each) {
    Wanted(int slot, String name) {
      this(slot, FieldPath.of(name));
    }

    private Wanted(int slot, FieldPath path) {
      this(slot, path, path.steps().indexOf(FieldPath.EACH));
    }

    /** Whether it lies in a place of that depth, whose last step is this. */
    boolean leadsThrough(String step, int depth, boolean object) {
      return depth < path.steps().size()
          && (isEach(depth) ? !object : path.steps().get(depth).equals(step));
    }

    /** Whether its next step, at that depth, is to every item of an array. */
    boolean isEach(int depth) {
      return depth == each;
    }
  }

  JsonFields(InputSpec spec, Optional<String> userField, ItemSource items) {
    this.items = items;
    this.times = spec.formats().times();
    this.conditions = spec.where().onFields();
    userField.ifPresent(name -> want(USER, name));
    want(SUBJECT, spec.subject());
    want(TIME, spec.time());
    spec.id().ifPresent(part -> want(ID, part));
    List<String> categories = spec.categoryFields();
    List<String> numbers = spec.numbers();
    this.categories = categories.size();
    this.numbers = numbers.size();
    this.weight = spec.weight().isPresent() ? this.numbers - 1 : -1;
    for (int i = 0; i < this.categories; i++) {
      want(FIRST_CATEGORY + i, categories.get(i));
    }
    for (int i = 0; i < this.numbers; i++) {
      want(FIRST_CATEGORY + this.categories + i, numbers.get(i));
    }
    for (int i = 0; i < conditions.size(); i++) {
      want(firstCondition() + i, conditions.get(i).part());
    }
  }

  private void want(int slot, String part) {
    if (RecordPart.isField(part)) {
      wanted.add(new Wanted(slot, part));
    }
  }

  private int firstCondition() {
    return FIRST_CATEGORY + categories + numbers;
  }

  /** Whether a slot is that of a number. */
  private boolean isNumber(int slot) {
    return slot >= FIRST_CATEGORY + categories && slot < firstCondition();
  }

  /** What was found so far. */
  private static final class Found {
    private String user;
    private String subject;
    private TimeReading time;
    private String id;
    private final String[] categories;
    private final FoundItems items;

    /** Of the array that the category is in, the item that is being read; 0 in none. */
    private int item;

    private final Double[] numbers;
    private final int weight;
    private Long units;

    /** Of each condition whether its field is there, and not null. */
    private final BitSet there = new BitSet();

    /** Of each condition the name that its field has; null without one. */
    private final String[] names;

    /** Slots that a field of the very name filled: paths do not. */
    private final BitSet named = new BitSet();

    Found(int categories, int numbers, int weight, int conditions, FoundItems items) {
      this.categories = new String[categories];
      this.numbers = new Double[numbers];
      this.weight = weight;
      this.names = new String[conditions];
      this.items = items;
    }

    void put(int slot, JsonValue value) throws IOException {
      switch (slot) {
        case USER -> user = value.name();
        case SUBJECT -> subject = value.name();
        case TIME -> time = value.time();
        case ID -> id = value.name();
        default -> {
          int category = slot - FIRST_CATEGORY;
          int number = category - categories.length;
          if (number >= numbers.length) {
            putName(number - numbers.length, value);
          } else if (number >= 0) {
            putNumber(number, value);
          } else if (items == null) {
            categories[category] = value.name();
          } else {
            items.add(item, value.name());
          }
        }
      }
    }

    private void putName(int condition, JsonValue value) {
      there.set(condition, value.token() != JsonToken.VALUE_NULL);
      names[condition] = value.name();
    }

    private void putNumber(int place, JsonValue value) {
      Double number = value.number();
      boolean isMissing = value.token() == JsonToken.VALUE_NULL;
      numbers[place] = number == null && !isMissing ? (Double) Double.NaN : number;
      if (place == weight) {
        units = value.floor();
      }
    }
  }

  /** The name that a whole document is: one text, number or truth value; null if it is none. */
  static String name(byte[] document) throws RejectedRecordException, IOException {
    try (JsonParser parser = JSON.createParser(JsonText.of(document))) {
      JsonToken token = parser.nextToken();
      if (token == null) {
        throw new RejectedRecordException(RejectionCode.MALFORMED);
      }
      String name = JsonValue.at(parser, token, TimeReader.auto(), false).name();
      parser.skipChildren();
      if (parser.nextToken() != null) {
        throw new RejectedRecordException(RejectionCode.MALFORMED);
      }
      return name;
    }
  }

  @Override
  public Optional<RawFields> extract(byte[] value) throws RejectedRecordException, IOException {
    Found found = new Found(categories, numbers, weight, conditions.size(), items.begin());
    try (JsonParser parser = JSON.createParser(JsonText.of(value))) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new RejectedRecordException(RejectionCode.MALFORMED);
      }
      within(parser, JsonToken.START_OBJECT, wanted, 0, found);
      if (parser.nextToken() != null) {
        throw new RejectedRecordException(RejectionCode.MALFORMED);
      }
    }
    if (!isSelected(found)) {
      return Optional.empty();
    }
    return Optional.of(
        new RawFields(
            found.user,
            found.subject,
            found.time,
            Arrays.asList(found.categories),
            found.items,
            Arrays.asList(found.numbers),
            found.units,
            found.id));
  }

  private boolean isSelected(Found found) {
    for (int i = 0; i < conditions.size(); i++) {
      if (!conditions.get(i).accepts(found.there.get(i), found.names[i])) {
        return false;
      }
    }
    return true;
  }

  /** Reads an object or array to its end; nesting is no deeper than the paths are long. */
  private void within(
      JsonParser parser, JsonToken start, List<Wanted> wanted, int depth, Found found)
      throws IOException, RejectedRecordException {
    boolean object = start == JsonToken.START_OBJECT;
    JsonToken end = object ? JsonToken.END_OBJECT : JsonToken.END_ARRAY;
    int item = 0;
    for (JsonToken token = parser.nextToken(); token != end; token = parser.nextToken()) {
      String step = object ? parser.currentName() : Integer.toString(item++);
      JsonToken content = object ? parser.nextToken() : token;
      if (content == null) {
        throw new RejectedRecordException(RejectionCode.MALFORMED);
      }
      List<Wanted> here = new ArrayList<>(0);
      List<Wanted> deeper = new ArrayList<>(0);
      for (Wanted one : wanted) {
        if (depth == 0 && step.equals(one.path().name())) {
          found.named.set(one.slot());
          if (one.each() >= 0) {
            found.items.begin();
            found.item = 0;
          }
          here.add(one);
        } else if (one.leadsThrough(step, depth, object) && !found.named.get(one.slot())) {
          found.item = one.isEach(depth) ? item - 1 : found.item;
          (depth + 1 == one.path().steps().size() ? here : deeper).add(one);
        }
      }
      put(here, deeper.isEmpty(), parser, content, found);
      if (!deeper.isEmpty() && content.isStructStart()) {
        within(parser, content, deeper, depth + 1, found);
      } else {
        parser.skipChildren();
      }
    }
  }

  /**
   * @param whole whether nothing within the value is wanted for itself
   */
  private void put(
      List<Wanted> here, boolean whole, JsonParser parser, JsonToken content, Found found)
      throws IOException {
    if (here.isEmpty()) {
      return;
    }
    boolean number = whole && here.stream().anyMatch(one -> isNumber(one.slot()));
    JsonValue value = JsonValue.at(parser, content, times, number);
    for (Wanted one : here) {
      found.put(one.slot(), value);
    }
  }
}
