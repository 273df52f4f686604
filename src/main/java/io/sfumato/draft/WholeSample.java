// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.draft;

import io.sfumato.client.CsvFile;
import io.sfumato.client.OutputReader;
import io.sfumato.pipeline.EachItem;
import io.sfumato.pipeline.FieldPath;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.nio.charset.StandardCharsets;
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

  /** Of a CSV file. */
  static WholeSample ofCsv(Path file) {
    return (person, fields, taker) -> {
      List<String> columns = new ArrayList<>(List.of(person));
      columns.addAll(fields);
      CsvFile.read(
          file,
          columns,
          Long.MAX_VALUE - 1,
          (number, cells, places) -> {
            for (int i = 0; i < places.length; i++) {
              if (isThere(cells, places[0]) && isThere(cells, places[i])) {
                taker.take(cells[places[0]], columns.get(i), cells[places[i]]);
              }
            }
          });
    };
  }

  private static boolean isThere(String[] cells, int place) {
    return place < cells.length && !cells[place].isBlank();
  }

  /** Of a topic of JSON, as far as it reaches now. */
  static WholeSample ofTopic(String topic, KafkaSettings settings) {
    return (person, fields, taker) ->
        new OutputReader(settings)
            .read(
                List.of(topic),
                OutputReader.Ending.AT_END,
                record -> {
                  take(record, person, fields, taker);
                  return true;
                });
  }

  /** What one record says. */
  static void take(
      ConsumerRecord<byte[], byte[]> record, String person, List<String> fields, Taker taker) {
    Map<String, String> found = Sample.fields(record.value());
    Optional<String> who =
        person.equals(InputSpec.RECORD_KEY)
            ? Optional.ofNullable(record.key()).map(key -> new String(key, StandardCharsets.UTF_8))
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
        Sample.items(record.value(), field.substring(0, each), within, EachItem.USUAL)
            .forEach(item -> taker.take(who.get(), field, item));
      }
    }
  }
}
