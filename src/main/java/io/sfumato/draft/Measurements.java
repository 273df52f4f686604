// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.draft;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Fields that hold measurements: nearly always numbers, and some with decimals. */
record Measurements(Sample sample) {
  private static final double MOSTLY = 0.95;
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?");
  private static final Pattern DECIMAL = Pattern.compile("[-+]?\\d*\\.\\d+");

  /**
   * Their names.
   *
   * @param taken fields that are something else
   */
  List<String> fields(Set<String> taken) {
    return sample.fields().stream()
        .filter(field -> !taken.contains(field) && holds(field))
        .toList();
  }

  private boolean holds(String field) {
    List<String> values = sample.values(field);
    long numbers = values.stream().filter(value -> NUMBER.matcher(value).matches()).count();
    return numbers >= MOSTLY * sample.records().size()
        && values.stream().anyMatch(value -> DECIMAL.matcher(value).matches());
  }
}
