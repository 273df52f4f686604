// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.readers;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plans;
import io.sfumato.release.Releases;
import io.sfumato.release.Shown;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.Guarantees;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.avro.generic.IndexedRecord;

/** Counts of some groups, day by day, as a pipeline publishes them. */
final class Released {
  static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  static final String OUTPUT = "visits";

  private static final String YAML =
      """
      pipeline: %1$s
      version: 1
      input: { topic: %1$s-in, subject: town, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 1 }
      subjects: [north, south]
      window: { size: 1d, clock: ticks, begin: 2026-01-01 }
      budget: { name: %1$s, unit: user, epsilon: 1, delta: 1e-6, period: window }
      releases:
        - count: { name: visits, topic: %1$s-visits, method: best, share: { epsilon: 1, delta: 1e-6 } }
      """;

  private Released() {}

  /** A pipeline with one output, {@code visits}, of the subjects north and south. */
  static Pipeline pipeline(String name) {
    return Plans.valid(YAML.formatted(name)).pipeline();
  }

  /** Counts of one subject and day, one a category. */
  static CountRelease counts(
      String pipeline, String subject, int day, List<String> categories, long... counts) {
    CountRelease release = new CountRelease();
    release.setPipeline(pipeline);
    release.setOutput(OUTPUT);
    release.setSubject(subject);
    release.setWindowStart(BEGIN.plus(Duration.ofDays(day)));
    release.setWindowEnd(BEGIN.plus(Duration.ofDays(day + 1)));
    release.setSince(release.getWindowStart());
    release.setCategories(categories);
    release.setCounts(LongStream.of(counts).boxed().toList());
    release.setError95(4L);
    release.setGuarantee(
        Guarantees.any().setMechanism("discrete-laplace 1/b=1048576/2^20").build());
    return Shown.headed(release);
  }

  /** When the release of a day is written in these tests. */
  static Instant written(int day) {
    return BEGIN.plus(Duration.ofDays(day + 1)).plusSeconds(5);
  }

  static boolean add(PublishedWindows windows, IndexedRecord release, int day) {
    return windows.add(Releases.viewOf(release).orElseThrow(), release, written(day));
  }
}
