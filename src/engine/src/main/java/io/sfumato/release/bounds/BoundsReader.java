// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.bounds;

import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.Section;

/** Reads {@code bounds:} of a pipeline file. */
final class BoundsReader {
  static final Section SECTION =
      Section.of(
          "Bounds of a number, found once a budget period from noisy counts of powers of two"
              + " (`BoundsRelease`, [guide](../guides/revenue-by-region.md#find-the-bounds-privately)).",
          ReleaseFields.VALUE.means(
              "The number, one of `input.values`; one release per number. Means with `bounds: auto`"
                  + " use what was found last."));

  private BoundsReader() {}

  static BoundsSpec read(ReleaseFields release) {
    String value = release.value();
    return new BoundsSpec(
        release.head().once(), value, release.placeOf(value, "value"), release.population());
  }
}
