// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.draft;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.sfumato.client.CsvFile;
import io.sfumato.client.OutputReader;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.EventReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Some records, as text by field: secret, but for what their fields are called and look like.
 *
 * @param fields every field that occurs
 * @param records fields and their values
 * @param originals as the topic has them, also those that are no JSON; none of a file
 */
public record Sample(
    Set<String> fields,
    List<Map<String, String>> records,
    List<ConsumerRecord<byte[], byte[]>> originals) {
  /** Records that are looked at. */
  public static final int MOST = 20_000;

  private static final int DEEPEST = 5;
  private static final int MOST_ITEMS = 3;
  private static final Pattern PLACE = Pattern.compile("\\d{1,4}");
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Nothing to look at. */
  public static Sample none() {
    return of(List.of());
  }

  /** The first rows of a CSV file. */
  public static Sample ofCsv(Path file) throws RefusedException {
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

  /** The first JSON records of a topic; others are passed over. */
  public static Sample ofTopic(String topic, KafkaSettings settings) throws RefusedException {
    List<Map<String, String>> records = new ArrayList<>();
    List<ConsumerRecord<byte[], byte[]>> originals = new ArrayList<>();
    new OutputReader(settings)
        .read(
            List.of(topic),
            OutputReader.Ending.AT_END,
            record -> {
              if (originals.size() < MOST) {
                originals.add(record);
              }
              Map<String, String> fields = fields(record.value());
              if (!fields.isEmpty()) {
                records.add(fields);
              }
              return records.size() < MOST;
            });
    return new Sample(of(records).fields(), records, originals);
  }

  static Sample of(List<Map<String, String>> records) {
    Set<String> fields = new LinkedHashSet<>();
    records.forEach(record -> fields.addAll(record.keySet()));
    return new Sample(fields, records, List.of());
  }

  /** Values of a field, as often as they occur. */
  public List<String> values(String field) {
    return records.stream().map(record -> record.get(field)).filter(Objects::nonNull).toList();
  }

  static Map<String, String> fields(byte[] value) {
    Map<String, String> fields = new LinkedHashMap<>();
    try {
      JsonNode json = value == null ? null : JSON.readTree(value);
      if (json != null && json.isObject()) {
        json.properties().forEach(field -> add(fields, field.getKey(), field.getValue(), 1));
      }
    } catch (JsonProcessingException e) {
      return Map.of(); // no JSON
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
    return fields;
  }

  /**
   * Values of an array's first items, or of a field in each; others are passed over.
   *
   * @param array path to it
   * @param within from an item on, with its dot; empty for the item itself
   */
  static List<String> items(byte[] value, String array, String within, int most) {
    List<String> items = new ArrayList<>();
    try {
      JsonNode node = value == null ? MissingNode.getInstance() : JSON.readTree(value);
      for (JsonNode item : at(node, array)) {
        JsonNode found = at(item, within);
        if (items.size() < most && found.isValueNode() && !found.isNull()) {
          items.add(found.asText());
        }
      }
    } catch (JsonProcessingException e) {
      return List.of(); // no JSON
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
    return items;
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

  /** Fields within fields are named by their paths; of arrays the first items. */
  private static void add(Map<String, String> fields, String path, JsonNode node, int depth) {
    if (node.isValueNode()) {
      if (!node.isNull()) {
        fields.put(path, node.asText());
      }
    } else if (depth < DEEPEST && (depth > 1 || EventReader.isStep(path))) {
      node.properties().stream()
          .filter(field -> EventReader.isStep(field.getKey()))
          .forEach(field -> add(fields, path + "." + field.getKey(), field.getValue(), depth + 1));
      for (int i = 0; node.isArray() && i < Math.min(node.size(), MOST_ITEMS); i++) {
        add(fields, path + "[" + i + "]", node.get(i), depth + 1);
      }
    }
  }
}
