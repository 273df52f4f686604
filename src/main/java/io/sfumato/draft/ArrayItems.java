// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.draft;

import io.sfumato.pipeline.EachItem;
import io.sfumato.pipeline.FieldPath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Arrays of a sample, of which a population counts each item. */
public final class ArrayItems {
  private static final Pattern PLACE = Pattern.compile("\\[\\d+\\]");
  private static final String EACH = FieldPath.EACH;

  /** Items that are looked at. */
  private static final int MOST = 10 * Sample.MOST;

  private final Sample sample;

  public ArrayItems(Sample sample) {
    this.sample = sample;
  }

  /**
   * The path to each item in the place of that to one, if there are more: else the field itself.
   */
  public String each(String field) {
    long arrays = PLACE.matcher(field).results().count();
    boolean more = sample.fields().contains(PLACE.matcher(field).replaceAll("[1]"));
    return arrays == 1 && more ? PLACE.matcher(field).replaceAll(EACH) : field;
  }

  /**
   * The sample with a record for each item, as a pipeline counts them; the same if the field leads
   * to one value.
   */
  public Sample unfolded(String field) {
    int at = field.indexOf(EACH);
    if (at < 0) {
      return sample;
    }
    List<Map<String, String>> records = new ArrayList<>();
    if (sample.originals().isEmpty()) {
      // A column of that very name.
      records.addAll(sample.records());
    }
    String array = field.substring(0, at);
    String within = field.substring(at + EACH.length());
    Pattern counted = Pattern.compile(Pattern.quote(array) + PLACE + Pattern.quote(within));
    for (ConsumerRecord<byte[], byte[]> original : sample.originals()) {
      if (records.size() >= MOST) {
        break;
      }
      Map<String, String> record = Sample.fields(original.value());
      if (record.containsKey(field)) {
        records.add(record);
        continue;
      }
      // Those that a drafted file takes of a record.
      List<String> items = Sample.items(original.value(), array, within, EachItem.USUAL);
      record.keySet().removeIf(name -> counted.matcher(name).matches());
      for (String item : items) {
        Map<String, String> one = new LinkedHashMap<>(record);
        one.put(field, item);
        records.add(one);
      }
    }
    return new Sample(Sample.of(records).fields(), records, sample.originals());
  }
}
