// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What a ledger that is carried over to another budget leaves behind: it says what was charged, and
 * nothing of what earlier windows left to later ones.
 */
public final class BeginsAnew {
  private BeginsAnew() {}

  /** A clause that names the outputs that begin anew; nothing where none does. */
  public static Optional<String> of(Pipeline pipeline) {
    List<String> parts = new ArrayList<>();
    outputs(pipeline, release -> release.windowsCounted() > 1)
        .ifPresent(names -> parts.add("sums over windows (" + names + ")"));
    outputs(pipeline, ReleaseSpec::usesHistory)
        .ifPresent(names -> parts.add("what was learned from earlier outputs (" + names + ")"));
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "a ledger carries over what was charged and nothing else: %s %s anew, from nothing (docs/guides/moving-sums.md)"
                .formatted(
                    String.join(" and ", parts),
                    parts.size() == 1 && parts.get(0).startsWith("what") ? "begins" : "begin"));
  }

  private static Optional<String> outputs(Pipeline pipeline, Predicate<ReleaseSpec> which) {
    List<String> names = pipeline.releases().stream().filter(which).map(ReleaseSpec::name).toList();
    return names.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", names));
  }
}
