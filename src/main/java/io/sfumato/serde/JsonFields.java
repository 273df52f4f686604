// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.sfumato.pipeline.FieldPath;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.serde.EventReader.FieldExtractor;
import io.sfumato.serde.EventReader.ItemSource;
import io.sfumato.serde.EventReader.RawFields;
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
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(100).maxNumberLength(100).build())
          .build();

  private static final int USER = 0;
  private static final int SUBJECT = 1;
  private static final int TIME = 2;
  private static final int FIRST_CATEGORY = 3;

  private final List<Wanted> wanted = new ArrayList<>();
  private final int categories;
  private final int numbers;
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
    userField.ifPresent(name -> wanted.add(new Wanted(USER, name)));
    wanted.add(new Wanted(SUBJECT, spec.subject()));
    wanted.add(new Wanted(TIME, spec.time()));
    List<String> categories = spec.categoryFields();
    List<String> numbers = spec.numbers();
    this.categories = categories.size();
    this.numbers = numbers.size();
    for (int i = 0; i < this.categories; i++) {
      wanted.add(new Wanted(FIRST_CATEGORY + i, categories.get(i)));
    }
    for (int i = 0; i < this.numbers; i++) {
      wanted.add(new Wanted(FIRST_CATEGORY + this.categories + i, numbers.get(i)));
    }
  }

  /** What was found so far. */
  private static final class Found {
    private String user;
    private String subject;
    private String time;
    private Long millis;
    private final String[] categories;
    private final FoundItems items;

    /** Of the array that the category is in, the item that is being read; 0 in none. */
    private int item;

    private final Double[] numbers;

    /** Slots that a field of the very name filled: paths do not. */
    private final BitSet named = new BitSet();

    Found(int categories, int numbers, FoundItems items) {
      this.categories = new String[categories];
      this.numbers = new Double[numbers];
      this.items = items;
    }

    void beginItems() {
      items.begin();
      item = 0;
    }

    /** What was found further in belongs to a field that comes again. */
    void clear(int slot) {
      switch (slot) {
        case USER -> user = null;
        case SUBJECT -> subject = null;
        case TIME -> {
          millis = null;
          time = null;
        }
        default -> {
          if (isCategory(slot)) {
            category(slot, null);
          } else {
            numbers[number(slot)] = null;
          }
        }
      }
    }

    void put(int slot, JsonParser parser, JsonToken token)
        throws IOException, RejectedRecordException {
      switch (slot) {
        case USER -> user = text(parser, token);
        case SUBJECT -> subject = text(parser, token);
        case TIME -> {
          millis = token == JsonToken.VALUE_NUMBER_INT ? Long.valueOf(whole(parser)) : null;
          time = token == JsonToken.VALUE_STRING ? parser.getText() : null;
        }
        default -> {
          if (isCategory(slot)) {
            category(slot, text(parser, token));
          } else {
            numbers[number(slot)] = JsonFields.number(parser, token);
          }
        }
      }
    }

    private boolean isCategory(int slot) {
      return slot < FIRST_CATEGORY + categories.length;
    }

    private int number(int slot) {
      return slot - FIRST_CATEGORY - categories.length;
    }

    private void category(int slot, String text) {
      if (items == null) {
        categories[slot - FIRST_CATEGORY] = text;
      } else {
        items.add(item, text);
      }
    }
  }

  @Override
  public RawFields extract(byte[] value) throws RejectedRecordException, IOException {
    Found found = new Found(categories, numbers, items.begin());
    try (JsonParser parser = JSON.createParser(value)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new RejectedRecordException(RejectionCode.MALFORMED);
      }
      within(parser, JsonToken.START_OBJECT, wanted, 0, found);
      if (parser.nextToken() != null) {
        throw new RejectedRecordException(RejectionCode.MALFORMED);
      }
    }
    return new RawFields(
        found.user,
        found.subject,
        found.time,
        found.millis,
        Arrays.asList(found.categories),
        found.items,
        Arrays.asList(found.numbers));
  }

  /** Reads an object or array to its end; nesting is no deeper than the paths are long. */
  private static void within(
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
      List<Wanted> deeper = new ArrayList<>(0);
      for (Wanted one : wanted) {
        if (depth == 0 && step.equals(one.path().name())) {
          found.named.set(one.slot());
          if (one.each() >= 0) {
            found.beginItems();
          }
          found.put(one.slot(), parser, content);
        } else if (one.leadsThrough(step, depth, object) && !found.named.get(one.slot())) {
          // Of two fields with one name the last holds, whatever it is.
          if (one.isEach(depth)) {
            found.item = item - 1;
          } else if (depth < one.each()) {
            found.beginItems();
          } else if (depth + 1 < one.path().steps().size()) {
            found.clear(one.slot());
          }
          if (depth + 1 == one.path().steps().size()) {
            found.put(one.slot(), parser, content);
          } else {
            deeper.add(one);
          }
        }
      }
      if (!deeper.isEmpty() && content.isStructStart()) {
        within(parser, content, deeper, depth + 1, found);
      } else {
        parser.skipChildren();
      }
    }
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
