// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.record.JsonNumber;
import io.sfumato.schema.UserRecord;
import io.sfumato.serde.Outputs;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The value of a record that a line of a CSV file becomes. */
final class EventValue {
  /** A time that is sent as a number. */
  private static final Pattern WHOLE = Pattern.compile("-?\\d{1,18}");

  private EventValue() {}

  /**
   * @param numbers whether a time may be a number
   */
  static byte[] json(String[] cells, int[] places, EventFields fields, boolean numbers) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    List<EventFields.Source> sources = fields.all();
    for (int i = 0; i < places.length; i++) {
      String cell = cells[places[i]];
      if (i == CsvEvents.TIME && numbers && isWhole(cell)) {
        node.put(sources.get(i).field(), Long.parseLong(cell));
      } else if (sources.get(i).isInValue() && !(cell.isEmpty() && fields.mayLack(i))) {
        node.put(sources.get(i).field(), cell);
      }
    }
    return node.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** 007 is no number where text is read, and must not become one. */
  private static boolean isWhole(String cell) {
    return WHOLE.matcher(cell).matches() && JsonNumber.isNumber(cell);
  }

  static byte[] avro(String[] cells, int[] places, EventFields fields, long time) {
    int firstValue = fields.firstNumber();
    List<Double> values = new ArrayList<>();
    for (int i = firstValue; i < firstValue + fields.numbers().size(); i++) {
      values.add(EventLines.number(cells[places[i]]));
    }
    return Outputs.encode(
        UserRecord.newBuilder()
            .setSubject(cells[places[0]])
            .setAt(Instant.ofEpochMilli(time))
            .setCategory(fields.categories().isEmpty() ? null : cells[places[2]])
            .setValues(values.isEmpty() ? null : values)
            .build());
  }
}
