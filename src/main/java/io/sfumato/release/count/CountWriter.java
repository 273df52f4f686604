// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.mechanism.count.Counts;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.WindowData;
import io.sfumato.schema.CountRelease;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** What counts are taken of, and how they are written down. */
record CountWriter(CountSpec spec) {
  /** The window's own counts. */
  Counts exact(WindowData data) {
    return switch (spec.grouping()) {
      case CATEGORY -> Counts.byCategory(data.histogram().orElseThrow());
      case TOTAL -> Counts.total(data.histogram().orElseThrow());
      case LEFT_OUT -> new Counts(data.leftOut().orElseThrow());
    };
  }

  /**
   * An output.
   *
   * @param since start of the first window that is counted
   * @param halfWidth of the interval around each count
   */
  CountRelease write(OutputLabel label, long since, Counts noisy, long halfWidth) {
    CountRelease release = label.on(new CountRelease());
    release.setSince(Instant.ofEpochMilli(since));
    release.setCategories(
        spec.isByCategory() ? label.pipeline().input().allCategories() : List.of());
    release.setCounts(Arrays.stream(noisy.values()).boxed().toList());
    release.setError95(halfWidth);
    release.setExampleLeftOut(label.exampleLeftOut());
    return release;
  }
}
