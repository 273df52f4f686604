// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.mechanism.count.Counts;
import io.sfumato.noise.ReleaseId;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedCounts;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.Guarantee;
import io.sfumato.topology.DatasetStore.Dataset;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** What counts are taken of, and how they are written down. */
record CountWriter(
    Pipeline pipeline, PlannedCounts planned, Publisher publisher, Guarantee guarantee) {
  CountWriter(Pipeline pipeline, PlannedCounts planned, Publisher publisher) {
    this(pipeline, planned, publisher, publisher.guarantee(planned));
  }

  /** The window's own counts. */
  Counts exact(Dataset dataset) {
    Contents contents = dataset.contents();
    return switch (planned.spec().grouping()) {
      case CATEGORY -> Counts.byCategory(contents.histogram().orElseThrow());
      case TOTAL -> Counts.total(contents.histogram().orElseThrow());
      case LEFT_OUT -> new Counts(contents.leftOut().orElseThrow());
    };
  }

  /**
   * An output.
   *
   * @param since start of the first window that is counted
   * @param halfWidth of the interval around each count
   */
  byte[] write(ReleaseId id, long since, Counts noisy, long halfWidth) {
    return publisher.encode(
        CountRelease.newBuilder()
            .setReleaseId(id.text())
            .setPipeline(pipeline.name())
            .setOutput(planned.spec().name())
            .setSubject(id.subject())
            .setWindowStart(Instant.ofEpochMilli(id.windowStart()))
            .setWindowEnd(Instant.ofEpochMilli(pipeline.window().endOf(id.windowStart())))
            .setSince(Instant.ofEpochMilli(since))
            .setCategories(
                planned.spec().isByCategory() ? pipeline.input().allCategories() : List.of())
            .setCounts(Arrays.stream(noisy.values()).boxed().toList())
            .setError95(halfWidth)
            .setExampleLeftOut(publisher.exampleLeftOut())
            .setGuarantee(guarantee)
            .build());
  }
}
