// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.gate.Secret;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.CellPlaces;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowData;
import io.sfumato.schema.CountRelease;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What counts are taken of, and how they are written down. */
record CountWriter(CountSpec spec) {
  /**
   * The window's own counts.
   *
   * @param cells where the pipeline's distinct users are counted
   */
  Secret<ExactVector> exact(Secret<? extends WindowData> data, Optional<CellPlaces> cells) {
    if (spec.users().isPresent()) {
      CellPlaces places = cells.orElseThrow();
      if (spec.grouping() == CountSpec.Grouping.BEYOND) {
        return data.map(own -> new ExactVector(places.beyond(own.cells().orElseThrow())));
      }
      return data.map(
          own -> new ExactVector(places.users(own.cells().orElseThrow(), spec.isByCategory())));
    }
    return exact(data);
  }

  /** The window's own counts of records. */
  Secret<ExactVector> exact(Secret<? extends WindowData> data) {
    return switch (spec.grouping()) {
      case CATEGORY -> data.map(own -> ExactVector.byCategory(own.histogram().orElseThrow()));
      case TOTAL -> data.map(own -> ExactVector.total(own.histogram().orElseThrow()));
      case LEFT_OUT -> data.map(own -> new ExactVector(own.leftOut().orElseThrow()));
      case BEYOND -> throw new IllegalStateException("users beyond the bounds are no records");
    };
  }

  /** How many counts there are. */
  int groups(Pipeline pipeline) {
    return spec.isByCategory() ? pipeline.input().allCategories().size() : 1;
  }

  /**
   * Counts over windows.
   *
   * @param since start of the first window that is counted
   * @param windows that are counted
   * @param steps noisy, of 1 / 2^digits
   * @param digits 0 where they are whole
   * @param halfWidth of the interval around each, in records
   */
  record Told(long since, long windows, long[] steps, int digits, double halfWidth) {
    /** Whole ones. */
    Told(long since, long windows, long[] counts, long halfWidth) {
      this(since, windows, counts, 0, halfWidth);
    }

    /** The nearest whole numbers. */
    List<Long> counts() {
      long half = digits == 0 ? 0 : 1L << (digits - 1);
      return Arrays.stream(steps).map(x -> Math.addExact(x, half) >> digits).boxed().toList();
    }

    /** Of the whole numbers: where steps are within h of a whole one, theirs are within h + 1/2. */
    long error95() {
      return (long) Math.max(0, Math.ceil(halfWidth - (digits == 0 ? 0 : 0.5)));
    }

    Instant begin() {
      return Instant.ofEpochMilli(since);
    }
  }

  /** An output about one stretch of windows. */
  CountRelease write(OutputLabel label, Told counts) {
    return write(label, counts, Optional.empty());
  }

  /**
   * An output.
   *
   * @param counts running, or a window's own
   * @param last the last windows' together, where the file asks for them
   */
  CountRelease write(OutputLabel label, Told counts, Optional<Told> last) {
    CountRelease release = label.on(new CountRelease());
    release.setSince(counts.begin());
    release.setCategories(
        spec.isByCategory() ? label.pipeline().input().allCategories() : List.of());
    release.setCounts(counts.counts());
    release.setError95(counts.error95());
    release.setExampleLeftOut(exampleLeftOut(label));
    if (spec.over().running().isPresent()) {
      release.setWindows(counts.windows());
    }
    last.ifPresent(
        told -> {
          release.setLastWindows(told.windows());
          release.setLastSince(told.begin());
          release.setLastCounts(told.counts());
          release.setLastError95(told.error95());
        });
    return release;
  }

  /** Of records alone: users are not left out for having many. */
  Double exampleLeftOut(OutputLabel label) {
    return spec.users().isPresent() ? null : label.exampleLeftOut();
  }

  /** An output about the last windows alone, which has no counts of its window's own. */
  CountRelease writeLast(OutputLabel label, Told last) {
    CountRelease release = write(label, last, Optional.of(last));
    release.setCounts(List.of());
    return release;
  }

  /** The largest output. */
  static Caps caps(CountSpec spec, Pipeline pipeline) {
    List<String> categories = spec.isByCategory() ? pipeline.input().allCategories() : List.of();
    int groups = groups(spec, pipeline);
    return new Caps()
        .setting("input.categories", groups, categories.isEmpty() ? "" : "shorten their names")
        .texts("categories", categories)
        .items("counts", groups)
        .items("last_counts", spec.over().last().isPresent() ? groups : 0);
  }

  /** How many counts there are. */
  static int groups(CountSpec spec, Pipeline pipeline) {
    return spec.isByCategory() ? pipeline.input().allCategories().size() : 1;
  }
}
