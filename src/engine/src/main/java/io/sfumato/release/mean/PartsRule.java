// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.pipeline.RecordAggregation;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What means need of records: the parts into which each of their numbers is split, added up by
 * category or all together. Places go by group, then by number, then by part.
 *
 * @param values whose parts are kept, at least one
 * @param degree m of the parts
 * @param groups number of categories; 1 where all records are taken together
 */
record PartsRule(List<MeasuredValue> values, int degree, int groups) implements RecordAggregation {
  PartsRule {
    values = List.copyOf(values);
    if (values.isEmpty() || groups < 1) {
      throw new IllegalArgumentException("parts are of at least one number and group");
    }
    if (values.stream().anyMatch(MeasuredValue::isOpen)) {
      throw new IllegalArgumentException("parts are of numbers whose bounds are known");
    }
  }

  @Override
  public String canonical() {
    return values.stream()
        .map(MeasuredValue::canonical)
        .collect(Collectors.joining(", ", "parts of degree " + degree + " of ", " by " + groups));
  }

  @Override
  public int places() {
    return groups * ofRecord();
  }

  @Override
  public int ofRecord() {
    return values.size() * (degree + 1);
  }

  @Override
  public Setting setting() {
    return groups > 1
        ? new Setting("input.categories", groups)
        : new Setting("the numbers of a 'mean'", values.size());
  }

  @Override
  public void add(long category, double[] numbers, Sums to) {
    int place = groups > 1 ? (int) category * ofRecord() : 0;
    // Their parts have one sum, the number of records, which is estimated from all of them.
    if (values.stream().anyMatch(value -> Double.isNaN(numbers[value.place()]))) {
      return;
    }
    for (MeasuredValue value : values) {
      for (long part :
          new BernsteinParts(value.bounds().orElseThrow(), degree).of(numbers[value.place()])) {
        to.add(place++, part);
      }
    }
  }
}
