// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.bounds;

import io.sfumato.pipeline.ReleaseFields;

/** Reads {@code bounds:} of a pipeline file. */
final class BoundsReader {
  private BoundsReader() {}

  static BoundsSpec read(ReleaseFields release) {
    String value = release.value();
    return new BoundsSpec(
        release.head().once(), value, release.placeOf(value, "value"), release.population());
  }
}
