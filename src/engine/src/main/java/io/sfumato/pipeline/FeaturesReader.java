// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.Optional;
import java.util.regex.Pattern;

/** Reads {@code features:} of a pipeline file. */
public final class FeaturesReader {
  private static final Pattern SEED = Pattern.compile("[ -~]{1,100}");

  private FeaturesReader() {}

  /** The section {@code features}, if it is there or can be derived. */
  public static Optional<FeatureSpec> features(
      Fields file, InputSpec input, Optional<BandwidthSource> derived) {
    if (!file.has("features") && (derived.isEmpty() || input.values().isEmpty())) {
      return Optional.empty();
    }
    Fields fields = file.optionalSection("features");
    if (input.values().isEmpty()) {
      file.conflict("features", "found without 'input.values'", "only where records have numbers");
    }
    long count = fields.whole("count", 2, 10_000, Optional.of(100L));
    if (count % 2 != 0) {
      fields.problem("count", "found " + count, "an even number: cosines and sines in pairs");
    }
    Optional<Double> fallback =
        fields.has("bandwidth") ? Optional.empty() : derived(fields, input, derived);
    double bandwidth = fields.above0("bandwidth", fallback);
    String seed = fields.optionalText("seed", SEED, "plain text; public").orElse("sfumato");
    fields.refuseUnknown();
    return Optional.of(new FeatureSpec((int) (count + count % 2), bandwidth, seed));
  }

  private static Optional<Double> derived(
      Fields fields, InputSpec input, Optional<BandwidthSource> source) {
    try {
      return source.map(s -> s.bandwidth(input.values()));
    } catch (IllegalArgumentException e) {
      fields.problem("bandwidth", "cannot be derived: " + e.getMessage(), "usable pseudo-data");
      return Optional.of(1.0);
    }
  }
}
