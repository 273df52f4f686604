// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sfumato.client.CellRules;
import io.sfumato.client.CsvFile;
import io.sfumato.client.OutputReader;
import io.sfumato.pipeline.ArrayItems;
import io.sfumato.pipeline.FieldPath;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.record.KeyFormat;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.RecordTrees;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * All records of a file or topic. Whoever pays for a list must look at all of them: of the first so
 * many one person less would let others in.
 */
public interface WholeSample {
  /** Takes what records say of people. */
  interface Taker {
    /** Takes one value of a record; first of all who it is about, as what that field holds. */
    void take(String person, String field, String value);
  }

  /**
   * Reads every record once.
   *
   * @param person field of whoever it is about; a record without is passed over
   * @param fields that are wanted beside, others than that
   * @throws RefusedException if it cannot be read
   */
  void read(String person, List<String> fields, Taker taker) throws RefusedException;

  /** Of a CSV file, as {@code produce} reads it: lines that it does not send are passed over. */
  static WholeSample ofCsv(Path file, CellRules rules) {
    return (person, fields, taker) -> {
      List<String> columns = new ArrayList<>(List.of(person));
      columns.addAll(fields);
      CsvFile.read(
          file,
          columns,
          Long.MAX_VALUE - 1,
          (number, cells, places) -> {
            List<Optional<CellRules.Name>> names = new ArrayList<>();
            for (int i = 0; i < places.length; i++) {
              names.add(name(cells, places[i], columns.get(i), rules));
            }
            if (names.get(0).isPresent() && names.stream().allMatch(WholeSample::isSent)) {
              String who = names.get(0).get().text();
              for (int i = 0; i < places.length; i++) {
                String column = columns.get(i);
                names.get(i).ifPresent(name -> taker.take(who, column, name.text()));
              }
            }
          });
    };
  }

  /** Of a cell; nothing if it is empty. */
  private static Optional<CellRules.Name> name(
      String[] cells, int place, String column, CellRules rules) {
    return isThere(cells, place) ? Optional.of(rules.name(column, cells[place])) : Optional.empty();
  }

  private static boolean isSent(Optional<CellRules.Name> name) {
    return name.flatMap(CellRules.Name::problem).isEmpty();
  }

  private static boolean isThere(String[] cells, int place) {
    return place < cells.length && !cells[place].isBlank();
  }

  /** Of a topic, as far as it reaches now. */
  static WholeSample ofTopic(String topic, KafkaSettings settings, RecordTrees trees) {
    return (person, fields, taker) ->
        new OutputReader(settings)
            .read(
                List.of(topic),
                OutputReader.Ending.AT_END,
                record -> {
                  take(record, trees, person, fields, taker);
                  return true;
                });
  }

  /** What one record says. */
  static void take(
      ConsumerRecord<byte[], byte[]> record,
      RecordTrees trees,
      String person,
      List<String> fields,
      Taker taker) {
    JsonNode tree = trees.of(record.value()).orElse(JsonNodeFactory.instance.objectNode());
    Map<String, String> found = SampleRecords.names(tree);
    Optional<String> who =
        InputSpec.isKey(person)
            ? Optional.ofNullable(record.key()).flatMap(KeyFormat.TEXT::name)
            : Optional.ofNullable(found.get(person));
    if (who.isEmpty()) {
      return;
    }
    taker.take(who.get(), person, who.get());
    for (String field : fields) {
      int each = field.indexOf(FieldPath.EACH);
      if (found.containsKey(field)) {
        taker.take(who.get(), field, found.get(field));
      } else if (each >= 0) {
        String within = field.substring(each + FieldPath.EACH.length());
        // Those that a drafted file takes of a record.
        SampleRecords.items(tree, field.substring(0, each), within, ArrayItems.USUAL)
            .forEach(item -> taker.take(who.get(), field, item));
      }
    }
  }
}
