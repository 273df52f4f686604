// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plurals;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A CSV file as events.
 *
 * @param events in event-time order, or as in the file; those without a usable time last
 * @param rejects what a pipeline will not accept, with the reason
 */
public record CsvEvents(List<Row> events, List<Reject> rejects) {
  /** Reasons that are told, each by its first line. */
  private static final int TOLD = 6;

  /** Place of the event time among the columns. */
  static final int TIME = 1;

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
  public record Reject(long line, String reason, Fate status) {
    private String described(String file, long alike) {
      return "%s line %d%s: %s; %s"
          .formatted(
              file,
              line,
              alike == 1 ? "" : " and %s more".formatted(Plurals.of(alike - 1, "line")),
              reason,
              status == Fate.SENT ? "sent unchanged, becomes a dead letter" : "not sent");
    }

    private List<Object> kind() {
      return List.of(status, reason);
    }
  }

  /** How many lines met a fate. */
  public long rejected(Fate status) {
    return rejects.stream().filter(reject -> reject.status() == status).count();
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
            .sorted(Comparator.comparing(Reject::status))
            .collect(groupingBy(Reject::kind, LinkedHashMap::new, toList()));
    List<String> lines = new ArrayList<>();
    kinds.values().stream()
        .limit(TOLD)
        .forEach(alike -> lines.add(alike.get(0).described(name, alike.size())));
    long rest = kinds.values().stream().skip(TOLD).mapToLong(List::size).sum();
    if (rest > 0) {
      lines.add("... and " + Plurals.of(rest, "line") + " more, for other reasons");
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
    return (input.subject().equals("subject") || InputSpec.isKey(input.subject()))
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
      Path file, EventFields fields, Order order, Encoding encoding, CellRules rules)
      throws RefusedException {
    CsvEvents events = head(file, fields, encoding, rules, Long.MAX_VALUE - 1);
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
      Path file, EventFields fields, Encoding encoding, CellRules rules, long most)
      throws RefusedException {
    EventLines lines = new EventLines(fields, encoding, rules);
    CsvFile.read(file, fields.columns(), most, lines);
    return lines.events();
  }
}
