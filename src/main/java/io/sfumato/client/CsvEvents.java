package io.sfumato.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.runtime.RefusedException;
import io.sfumato.schema.UserRecord;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.Outputs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A CSV file as events.
 *
 * @param events in event-time order, or as in the file; those without a usable time last
 * @param rejects what a pipeline will not accept, with the reason
 */
public record CsvEvents(List<Row> events, List<Reject> rejects) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** One event: record key, event time where it has one, and the record's value. */
  public record Row(long line, String subject, Optional<Long> time, byte[] value) {}

  /** Why a line is no event. */
  public record Reject(long line, String reason) {}

  /**
   * Which columns hold what.
   *
   * @param user where records have one beside their subject
   */
  public record Columns(
      String subject,
      String time,
      Optional<String> category,
      List<String> values,
      Optional<String> user) {
    /** Of records whose subject is the user. */
    public Columns(String subject, String time, Optional<String> category, List<String> values) {
      this(subject, time, category, values, Optional.empty());
    }

    List<String> all() {
      List<String> all = new ArrayList<>(List.of(subject, time));
      category.ifPresent(all::add);
      all.addAll(values);
      user.ifPresent(all::add);
      return all;
    }
  }

  /** In which order events are published. */
  public enum Order {
    /** A partition's clock is shared by its subjects, so this order keeps all of them on time. */
    EVENT_TIME,
    AS_IS
  }

  /** How an event's value is written. */
  public enum Encoding {
    /** A JSON object whose fields are the chosen columns. */
    JSON,
    /** {@code UserRecord} in Avro's single-object encoding. */
    AVRO
  }

  /**
   * Reads a file, gzipped or not.
   *
   * @throws RefusedException if it is missing, malformed or lacks a column
   */
  public static CsvEvents read(Path file, Columns columns, Order order, Encoding encoding)
      throws RefusedException {
    List<Row> rows = new ArrayList<>();
    List<Reject> rejects = new ArrayList<>();
    CsvFile.read(
        file,
        columns.all(),
        (line, cells, places) -> read(cells, line, places, columns, encoding, rows, rejects));
    if (order == Order.EVENT_TIME) {
      rows.sort(Comparator.comparing(row -> row.time().orElse(Long.MAX_VALUE)));
    }
    return new CsvEvents(rows, rejects);
  }

  private static void read(
      String[] cells,
      long line,
      int[] places,
      Columns columns,
      Encoding encoding,
      List<Row> rows,
      List<Reject> rejects) {
    if (Arrays.stream(places).anyMatch(place -> place >= cells.length)) {
      rejects.add(new Reject(line, "has " + cells.length + " cells, not sent"));
      return;
    }
    String subject = cells[places[0]];
    if (subject.isEmpty()) {
      rejects.add(new Reject(line, "column '" + columns.subject() + "' is empty, not sent"));
      return;
    }
    Optional<Long> time = EventReader.parseTime(cells[places[1]]);
    if (time.isEmpty()) {
      String found = cells[places[1]].isEmpty() ? "is empty" : "is no time with an offset";
      String fate = encoding == Encoding.AVRO ? "not sent" : "sent as it is for the dead letters";
      rejects.add(new Reject(line, "column '%s' %s, %s".formatted(columns.time(), found, fate)));
      if (encoding == Encoding.AVRO) {
        return;
      }
    }
    byte[] value =
        switch (encoding) {
          case JSON -> json(cells, places, columns);
          case AVRO -> avro(cells, places, columns, time.orElseThrow());
        };
    rows.add(new Row(line, subject, time, value));
  }

  private static byte[] json(String[] cells, int[] places, Columns columns) {
    ObjectNode node = JSON.createObjectNode();
    List<String> names = columns.all();
    for (int i = 0; i < places.length; i++) {
      node.put(names.get(i), cells[places[i]]);
    }
    return node.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] avro(String[] cells, int[] places, Columns columns, long time) {
    int firstValue = columns.category().isPresent() ? 3 : 2;
    List<Double> values = new ArrayList<>();
    for (int i = firstValue; i < places.length; i++) {
      values.add(number(cells[places[i]]));
    }
    return Outputs.encode(
        UserRecord.newBuilder()
            .setSubject(cells[places[0]])
            .setAt(Instant.ofEpochMilli(time))
            .setCategory(columns.category().isPresent() ? cells[places[2]] : null)
            .setValues(values.isEmpty() ? null : values)
            .build());
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }
}
