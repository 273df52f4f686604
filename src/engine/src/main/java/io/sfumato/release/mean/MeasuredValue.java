// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.mechanism.NumberBounds;
import java.util.List;
import java.util.Optional;

/**
 * A number of the records that is summarised.
 *
 * @param name of the field
 * @param place of it among {@code input.values}, from 0
 * @param bounds between which numbers count; public. Nothing where another release finds them
 */
public record MeasuredValue(String name, int place, Optional<NumberBounds> bounds) {
  public MeasuredValue {
    if (place < 0) {
      throw new IllegalArgumentException("a place is at least 0, was " + place);
    }
  }

  /** The same number within bounds of the file. */
  MeasuredValue within(NumberBounds found) {
    return new MeasuredValue(name, place, Optional.of(found));
  }

  /** Whether its bounds have to be found. */
  boolean isOpen() {
    return bounds.isEmpty();
  }

  /** Bounds for plans: where nobody knows any, of a range of width 1. */
  NumberBounds planned() {
    return bounds.orElseGet(() -> new NumberBounds(0, 1));
  }

  /** As digests have it: letter by letter the same for ever. */
  String canonical() {
    return place
        + bounds
            .map(
                known ->
                    " ["
                        + Double.toHexString(known.lo())
                        + ", "
                        + Double.toHexString(known.hi())
                        + "]")
            .orElse(" [auto]");
  }

  /** For people. */
  String range() {
    return bounds
        .map(known -> "%s from %s to %s".formatted(name, known.lo(), known.hi()))
        .orElse(name);
  }

  /** All their names, for people. */
  static String names(List<MeasuredValue> values) {
    return String.join(", ", values.stream().map(MeasuredValue::name).toList());
  }
}
