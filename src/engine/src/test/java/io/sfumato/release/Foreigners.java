// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseSpec;
import java.util.List;

/** Pipelines with releases of libraries. */
final class Foreigners {
  private Foreigners() {}

  static Pipeline with(Pipeline p, ReleaseSpec release) {
    return new Pipeline(
        p.name(),
        p.version(),
        p.input(),
        p.window(),
        p.features(),
        p.reservoir(),
        p.subjects(),
        p.listed(),
        p.population(),
        p.budget(),
        List.of(release),
        List.of(),
        p.format(),
        p.kafka());
  }
}
