// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import com.fasterxml.jackson.databind.JsonNode;
import io.sfumato.client.CsvFile;
import io.sfumato.client.OutputReader;
import io.sfumato.pipeline.InputSpec.Format;
import io.sfumato.record.CanonicalName;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.RecordTrees;
import io.sfumato.topology.context.Names;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Some records, as text by field: secret, but for what their fields are called and look like.
 *
 * @param fields every field that occurs
 * @param records fields and their values
 * @param originals as the topic has them, also those that cannot be read; none of a file
 * @param format of most records of the topic
 * @param unread what of the topic cannot be read, in one sentence
 */
public record SampleRecords(
    Set<String> fields,
    List<Map<String, String>> records,
    List<ConsumerRecord<byte[], byte[]>> originals,
    Format format,
    Optional<String> unread) {
  /** Records that are looked at. */
  public static final int MOST = 20_000;

  private static final int DEEPEST = 5;
  private static final int MOST_ITEMS = 3;
  private static final Pattern PLACE = Pattern.compile("\\d{1,4}");

  /** Nothing to look at. */
  public static SampleRecords none() {
    return of(List.of());
  }

  /** The first rows of a CSV file. */
  public static SampleRecords ofCsv(Path file) throws RefusedException {
    List<String[]> lines = CsvFile.head(file, MOST + 1);
    String[] header = lines.get(0);
    List<Map<String, String>> records = new ArrayList<>();
    for (String[] line : lines.subList(1, lines.size())) {
      Map<String, String> record = new LinkedHashMap<>();
      for (int i = 0; i < Math.min(header.length, line.length); i++) {
        if (!line[i].isBlank()) {
          record.put(header[i], line[i]);
        }
      }
      records.add(record);
    }
    return of(records);
  }

  /**
   * The first records of a topic that can be read; others are passed over.
   *
   * @throws RefusedException if the topic cannot be read, or no record of it
   */
  public static SampleRecords ofTopic(String topic, KafkaSettings settings, RecordTrees trees)
      throws RefusedException {
    List<Map<String, String>> records = new ArrayList<>();
    List<ConsumerRecord<byte[], byte[]>> originals = new ArrayList<>();
    new OutputReader(settings)
        .read(
            List.of(topic),
            OutputReader.Ending.AT_END,
            record -> {
              if (record.headers().lastHeader(Names.TICK_HEADER) != null) {
                return true;
              }
              if (originals.size() < MOST) {
                originals.add(record);
              }
              trees.of(record.value()).map(SampleRecords::fields).ifPresent(records::add);
              return records.size() < MOST && originals.size() < MOST;
            });
    if (records.isEmpty() && trees.unread().isPresent()) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE, "topic %s: %s".formatted(topic, trees.unread().orElseThrow()));
    }
    return new SampleRecords(
        of(records).fields(),
        records,
        originals,
        trees.format().orElse(Format.JSON),
        trees.unread());
  }

  static SampleRecords of(List<Map<String, String>> records) {
    Set<String> fields = new LinkedHashSet<>();
    records.forEach(record -> fields.addAll(record.keySet()));
    return new SampleRecords(fields, records, List.of(), Format.JSON, Optional.empty());
  }

  /** The same records without their envelope: what people would count is in the event. */
  SampleRecords events() {
    Optional<Envelope> envelope = Envelope.of(fields);
    if (envelope.isEmpty()) {
      return this;
    }
    List<Map<String, String>> events = new ArrayList<>();
    for (Map<String, String> record : records) {
      Map<String, String> event = new LinkedHashMap<>(record);
      event.keySet().removeIf(envelope.get().holds().negate());
      if (!event.isEmpty()) {
        events.add(event);
      }
    }
    return new SampleRecords(of(events).fields(), events, originals, format, unread);
  }

  /** What of an envelope a drafted file reads, and what to say of it. */
  public Optional<String> envelope() {
    return Envelope.of(fields).map(Envelope::words);
  }

  /** Values of a field, as often as they occur. */
  public List<String> values(String field) {
    return records.stream().map(record -> record.get(field)).filter(Objects::nonNull).toList();
  }

  /** Values of a record, by the paths that a pipeline file names them with. */
  static Map<String, String> fields(JsonNode record) {
    return new Found(record, SampleRecords::text).fields();
  }

  /** Of these the names: a pipeline takes no others of somebody or something. */
  static Map<String, String> names(JsonNode record) {
    return new Found(record, value -> name(value).orElse(null)).fields();
  }

  /**
   * Values of an array's first items, or of a field in each; others are passed over.
   *
   * @param array path to it
   * @param within from an item on, with its dot; empty for the item itself
   */
  static List<String> items(JsonNode record, String array, String within, int most) {
    List<String> items = new ArrayList<>();
    for (JsonNode item : at(record, array)) {
      JsonNode found = at(item, within);
      if (items.size() < most && found.isValueNode()) {
        name(found).ifPresent(items::add);
      }
    }
    return items;
  }

  /** As a pipeline reads it where it is a name, if it is one: numbers have one spelling. */
  private static String text(JsonNode value) {
    return name(value).orElse(value.asText());
  }

  private static Optional<String> name(JsonNode value) {
    return value.isNull()
        ? Optional.empty()
        : value.isNumber()
            ? CanonicalName.ofNumber(value.decimalValue())
            : CanonicalName.ofText(value.asText());
  }

  private static JsonNode at(JsonNode start, String path) {
    JsonNode node = start;
    for (String step : path.split("[.\\[\\]]+")) {
      if (!step.isEmpty()) {
        node =
            node.isArray() && PLACE.matcher(step).matches()
                ? node.path(Integer.parseInt(step))
                : node.path(step);
      }
    }
    return node;
  }

  /**
   * What is found in a record. Fields within fields are named by their paths, of arrays the first
   * items. A field of the record that has this very name comes before them, as in a pipeline.
   *
   * @param reading what a value is; null if it is nothing
   */
  private record Found(
      JsonNode record, Function<JsonNode, String> reading, Map<String, String> fields) {
    Found(JsonNode record, Function<JsonNode, String> reading) {
      this(record, reading, new LinkedHashMap<>());
      record.properties().forEach(field -> add(field.getKey(), field.getValue(), 1));
    }

    private void add(String path, JsonNode node, int depth) {
      if (node.isValueNode()) {
        if (!node.isNull() && (depth == 1 || !record.has(path))) {
          Optional.ofNullable(reading.apply(node)).ifPresent(value -> fields.put(path, value));
        }
      } else if (depth < DEEPEST && (depth > 1 || EventReader.isStep(path))) {
        node.properties().stream()
            .filter(field -> EventReader.isStep(field.getKey()))
            .forEach(field -> add(path + "." + field.getKey(), field.getValue(), depth + 1));
        for (int i = 0; node.isArray() && i < Math.min(node.size(), MOST_ITEMS); i++) {
          add(path + "[" + i + "]", node.get(i), depth + 1);
        }
      }
    }
  }
}
