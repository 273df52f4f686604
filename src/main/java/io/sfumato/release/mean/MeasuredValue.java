// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.mechanism.NumberBounds;
import java.util.List;

/**
 * A number of the records that is summarised.
 *
 * @param name of the field
 * @param place of it among {@code input.values}, from 0
 * @param bounds between which numbers count; public
 */
public record MeasuredValue(String name, int place, NumberBounds bounds) {
  public MeasuredValue {
    if (place < 0) {
      throw new IllegalArgumentException("a place is at least 0, was " + place);
    }
  }

  /** The same number within other bounds. */
  MeasuredValue within(NumberBounds other) {
    return new MeasuredValue(name, place, other);
  }

  /** As digests have it: letter by letter the same for ever. */
  String canonical() {
    return place
        + " ["
        + Double.toHexString(bounds.lo())
        + ", "
        + Double.toHexString(bounds.hi())
        + "]";
  }

  /** All their names, for people. */
  static String names(List<MeasuredValue> values) {
    return String.join(", ", values.stream().map(MeasuredValue::name).toList());
  }
}
