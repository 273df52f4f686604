// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.draft;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Arrays of a sample, of which a population counts each item. */
public final class ArrayItems {
  private static final Pattern PLACE = Pattern.compile("\\[\\d+\\]");
  private static final String EACH = "[]";

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
   * The sample with a record for each item that was looked at, as a pipeline counts them; the same
   * if the field leads to one value.
   */
  public Sample unfolded(String field) {
    int at = field.indexOf(EACH);
    if (at < 0) {
      return sample;
    }
    Pattern items =
        Pattern.compile(
            Pattern.quote(field.substring(0, at))
                + PLACE
                + Pattern.quote(field.substring(at + EACH.length())));
    List<Map<String, String>> records = new ArrayList<>();
    for (Map<String, String> record : sample.records()) {
      if (record.containsKey(field)) {
        // A column of that very name.
        records.add(record);
        continue;
      }
      record.forEach(
          (name, value) -> {
            if (items.matcher(name).matches()) {
              Map<String, String> item = new LinkedHashMap<>(record);
              item.put(field, value);
              records.add(item);
            }
          });
    }
    return new Sample(Sample.of(records).fields(), records, sample.originals());
  }
}
