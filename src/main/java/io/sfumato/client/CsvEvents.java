// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.pipeline.Amount;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.RefusedException;
import io.sfumato.schema.UserRecord;
import io.sfumato.serde.Outputs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A CSV file as events.
 *
 * @param events in event-time order, or as in the file; those without a usable time last
 * @param rejects what a pipeline will not accept, with the reason
 */
public record CsvEvents(List<Row> events, List<Reject> rejects) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Reasons that are told, each by its first line. */
  private static final int TOLD = 6;

  /** Place of the event time among the columns. */
  private static final int TIME = 1;

  /** One event: record key, event time where it has one, and the record's value. */
  public record Row(long line, String key, Optional<Long> time, byte[] value) {}

  /** What becomes of a line that a pipeline will not accept. */
  public enum Fate {
    /** It is no event at all. */
    NOT_SENT,
    /** It is among the events: the pipeline says in its dead letters that it is there. */
    SENT
  }

  /** Why a pipeline will not accept a line. */
  public record Reject(long line, String reason, Fate fate) {
    private String described(String file, long alike) {
      return "%s line %d%s: %s; %s"
          .formatted(
              file,
              line,
              alike == 1 ? "" : " and %s more".formatted(Amount.of(alike - 1, "line")),
              reason,
              fate == Fate.SENT ? "sent as it is for the dead letters" : "not sent");
    }

    private List<Object> kind() {
      return List.of(fate, reason);
    }
  }

  /** How many lines met a fate. */
  public long rejected(Fate fate) {
    return rejects.stream().filter(reject -> reject.fate() == fate).count();
  }

  /** How many events a pipeline may take. */
  public long usable() {
    return events.size() - rejected(Fate.SENT);
  }

  /**
   * What is wrong with which line: of each reason the first, and how many there are more. Lines
   * that are lost come first.
   *
   * @param name of the file
   */
  public List<String> complaints(String name) {
    Map<List<Object>, List<Reject>> kinds =
        rejects.stream()
            .sorted(Comparator.comparing(Reject::fate))
            .collect(groupingBy(Reject::kind, LinkedHashMap::new, toList()));
    List<String> lines = new ArrayList<>();
    kinds.values().stream()
        .limit(TOLD)
        .forEach(alike -> lines.add(alike.get(0).described(name, alike.size())));
    long rest = kinds.values().stream().skip(TOLD).mapToLong(List::size).sum();
    if (rest > 0) {
      lines.add("... and " + Amount.of(rest, "line") + " more, for other reasons");
    }
    return lines;
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

  /** Whether a pipeline reads {@code UserRecord}, by its fields' names. */
  public static boolean isUserRecord(Pipeline pipeline) {
    InputSpec input = pipeline.input();
    List<String> numbers =
        IntStream.range(0, input.values().size()).mapToObj(i -> "values." + i).toList();
    return (input.subject().equals("subject") || input.subject().equals(InputSpec.RECORD_KEY))
        && input.time().equals("at")
        && input.category().orElse("category").equals("category")
        && input.values().equals(numbers)
        && pipeline.population().isEmpty();
  }

  /**
   * Reads a file, gzipped or not.
   *
   * @throws RefusedException if it is missing, malformed or lacks a column
   */
  public static CsvEvents read(
      Path file, EventFields fields, Order order, Encoding encoding, EventTimes times)
      throws RefusedException {
    CsvEvents events = head(file, fields, encoding, times, Long.MAX_VALUE - 1);
    if (order == Order.EVENT_TIME) {
      events.events().sort(Comparator.comparing(row -> row.time().orElse(Long.MAX_VALUE)));
    }
    return events;
  }

  /**
   * The columns of a file that no field of its events takes.
   *
   * @throws RefusedException if the file is missing or malformed
   */
  public static List<String> unsentColumns(Path file, EventFields fields) throws RefusedException {
    return Arrays.stream(CsvFile.head(file, 2).get(0))
        .filter(column -> !fields.columns().contains(column))
        .toList();
  }

  /**
   * Reads the first lines of a file, gzipped or not, in its order.
   *
   * @param most lines after the header
   * @throws RefusedException if it is missing, malformed or lacks a column
   */
  public static CsvEvents head(
      Path file, EventFields fields, Encoding encoding, EventTimes times, long most)
      throws RefusedException {
    List<Row> rows = new ArrayList<>();
    List<Reject> rejects = new ArrayList<>();
    CsvFile.read(
        file,
        fields.columns(),
        most,
        (line, cells, places) -> read(cells, line, places, fields, encoding, times, rows, rejects));
    return new CsvEvents(rows, rejects);
  }

  private static void read(
      String[] cells,
      long line,
      int[] places,
      EventFields fields,
      Encoding encoding,
      EventTimes times,
      List<Row> rows,
      List<Reject> rejects) {
    if (Arrays.stream(places).anyMatch(place -> place >= cells.length)) {
      rejects.add(new Reject(line, "has " + Amount.of(cells.length, "cell"), Fate.NOT_SENT));
      return;
    }
    int keyed = fields.keyPlace();
    String key = cells[places[keyed]];
    if (key.isEmpty()) {
      rejects.add(
          new Reject(
              line, "column '%s' is empty".formatted(fields.columns().get(keyed)), Fate.NOT_SENT));
      return;
    }
    Optional<Long> time = Optional.empty();
    EventTimes.Reading reading = times.read(cells[places[TIME]]);
    if (reading instanceof EventTimes.Usable usable) {
      time = Optional.of(usable.millis());
      cells[places[TIME]] = usable.text();
    } else if (reading instanceof EventTimes.Unusable unusable) {
      Fate fate = encoding == Encoding.AVRO ? Fate.NOT_SENT : unusable.fate();
      rejects.add(
          new Reject(
              line, "column '%s' %s".formatted(fields.time().column(), unusable.reason()), fate));
      if (fate == Fate.NOT_SENT) {
        return;
      }
    }
    if (time.isPresent()) {
      nobody(cells, places, fields)
          .or(() -> unusableNumber(cells, places, fields))
          .ifPresent(reason -> rejects.add(new Reject(line, reason, Fate.SENT)));
    }
    byte[] value =
        switch (encoding) {
          case JSON -> json(cells, places, fields);
          case AVRO -> avro(cells, places, fields, time.orElseThrow());
        };
    rows.add(new Row(line, key, time, value));
  }

  /** Subject and user both say whose a record is; the key is looked at before. */
  private static Optional<String> nobody(String[] cells, int[] places, EventFields fields) {
    return Stream.concat(Stream.of(fields.subject()), fields.user().stream())
        .filter(whose -> cells[places[fields.all().indexOf(whose)]].isEmpty())
        .map(whose -> "column '%s' is empty".formatted(whose.column()))
        .findFirst();
  }

  private static Optional<String> unusableNumber(String[] cells, int[] places, EventFields fields) {
    int first = fields.firstNumber();
    List<EventFields.Source> numbers = fields.numbers();
    for (int i = 0; i < numbers.size(); i++) {
      String cell = cells[places[first + i]];
      if (number(cell) < 1 && i >= fields.values().size()) {
        return Optional.of(
            "column '%s' is below 1: a weight is 1 or more".formatted(numbers.get(i).column()));
      }
      if (Double.isNaN(number(cell))) {
        return Optional.of(
            "column '%s' is %s"
                .formatted(
                    numbers.get(i).column(),
                    cell.isEmpty()
                        ? "empty"
                        : cell.matches("[-+]?[\\d.]*,\\d+")
                            ? "no number: it has a decimal comma, and needs a point"
                            : "no number"));
      }
    }
    return Optional.empty();
  }

  private static byte[] json(String[] cells, int[] places, EventFields fields) {
    ObjectNode node = JSON.createObjectNode();
    List<EventFields.Source> sources = fields.all();
    for (int i = 0; i < places.length; i++) {
      String cell = cells[places[i]];
      if (i == TIME && EventTimes.isMillis(cell)) {
        node.put(sources.get(i).field(), Long.parseLong(cell));
      } else if (!sources.get(i).isKey()) {
        node.put(sources.get(i).field(), cell);
      }
    }
    return node.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] avro(String[] cells, int[] places, EventFields fields, long time) {
    int firstValue = fields.firstNumber();
    List<Double> values = new ArrayList<>();
    for (int i = firstValue; i < places.length; i++) {
      values.add(number(cells[places[i]]));
    }
    return Outputs.encode(
        UserRecord.newBuilder()
            .setSubject(cells[places[0]])
            .setAt(Instant.ofEpochMilli(time))
            .setCategory(fields.categories().isEmpty() ? null : cells[places[2]])
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
