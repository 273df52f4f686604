// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.jmh;

import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.Plan;
import java.util.Collections;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Pipelines whose inner loops are measured. */
final class Plans {
  private Plans() {}

  static Plan histogram(int categories) {
    return histogram(categories, "json");
  }

  /** Reads {@code UserRecord}. */
  static Plan avro() {
    return histogram(32, "avro");
  }

  /** Reads {@link ProtobufVisits}. */
  static Plan protobuf() {
    return histogram(32, "protobuf");
  }

  private static Plan histogram(int categories, String format) {
    return plan(
        """
        pipeline: jmh
        version: 1
        input: { topic: in, format: %s, subject: subject, time: at, category: category, categories: [%s] }
        window: { size: 60s, grace: 0s, clock: records }
        budget: { name: jmh, unit: record, epsilon: 4, delta: 1e-6, period: lifetime }
        releases:
          - histogram: { name: mix, method: dirichlet, share: { epsilon: 4, delta: 1e-6 }, windows: 20, plan-size: 40 }
        """
            .formatted(format, categories(categories)));
  }

  /** Items of a finite domain, or of boosted densities of two numbers fitted to 40 records. */
  static Plan items(boolean numbers) {
    return plan(
        """
        pipeline: jmh
        version: 1
        input: { topic: in, subject: subject, time: at, category: category, categories: [a, b, c]%s }
        %s
        window: { size: 60s, grace: 0s, clock: ticks, begin: 2026-01-01 }
        subjects: roster
        budget: { name: jmh, unit: dataset, epsilon: 12, period: lifetime }
        releases:
          - mollifier: { name: taste, share: { epsilon: 12 }, items: 2, windows: 3%s }
        """
            .formatted(
                numbers ? ", values: [x, y]" : "",
                numbers ? "reservoir: 40" : "",
                numbers
                    ? ", reference: { gaussians: [ { mean: [0, 0], deviation: [1, 1] } ] }"
                    : ""));
  }

  /** Items of so many numbers, without categories. */
  static Plan projection(int numbers) {
    String each =
        IntStream.range(0, numbers).mapToObj(i -> "x" + i).collect(Collectors.joining(", "));
    return plan(
        """
        pipeline: jmh
        version: 1
        input: { topic: in, subject: subject, time: at, values: [%s] }
        reservoir: 2000
        window: { size: 60s, grace: 0s, clock: ticks, begin: 2026-01-01 }
        subjects: roster
        budget: { name: jmh, unit: dataset, epsilon: 12, period: lifetime }
        releases:
          - mollifier: { name: taste, share: { epsilon: 12 }, items: 2, windows: 3, sampler: projection, reference: { gaussians: [ { mean: [%s], deviation: [%s] } ] } }
        """
            .formatted(each, all("0", numbers), all("1", numbers)));
  }

  private static String all(String number, int times) {
    return String.join(", ", Collections.nCopies(times, number));
  }

  private static String categories(int number) {
    return IntStream.range(0, number)
        .mapToObj("c%03d"::formatted)
        .collect(Collectors.joining(", "));
  }

  private static Plan plan(String yaml) {
    try {
      return Plan.of("jmh.yaml", PipelineFile.parse("jmh.yaml", yaml));
    } catch (PipelineFileException e) {
      throw new IllegalStateException(e);
    }
  }
}
