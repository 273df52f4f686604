// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.pipeline.ValueType.Text;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads {@code features:} of a pipeline file. */
public final class FeaturesReader {
  private static final FieldSpec<Integer> COUNT =
      FieldSpec.count("count", 2, 10_000)
          .byDefault(100)
          .means("Random Fourier features of each record, an even number; 8 bytes each.")
          .example("200");

  private static final FieldSpec<Double> BANDWIDTH =
      FieldSpec.above0("bandwidth")
          .optional("required; `plan --pseudo-data CSV` derives one")
          .means("Bandwidth of the Gaussian kernel, in the numbers' unit.")
          .example("0.6");

  private static final FieldSpec<String> SEED =
      FieldSpec.typed("seed", new Text(Pattern.compile("[ -~]{1,100}"), "plain text; public"))
          .byDefault("sfumato")
          .means("Public seed of the features' frequencies.")
          .example("model-2026");

  /** As a field of the file. */
  public static final FieldSpec<Section> FIELD =
      FieldSpec.section(
              "features",
              Section.of(
                  "Random Fourier features of records' numbers, which queries and releases use.",
                  BANDWIDTH,
                  COUNT,
                  SEED))
          .optional()
          .means("Random Fourier features of records' numbers.")
          .where("with `input.values`")
          .example("{bandwidth: 0.6}");

  private FeaturesReader() {}

  /** The section {@code features}, if it is there or can be derived. */
  public static Optional<FeatureSpec> features(
      Fields file, InputSpec input, Optional<BandwidthSource> derived) {
    if (!file.has(FIELD) && (derived.isEmpty() || input.values().isEmpty())) {
      return Optional.empty();
    }
    Fields fields = file.section(FIELD);
    if (input.values().isEmpty()) {
      file.conflict("features", "found without 'input.values'", "only where records have numbers");
    }
    int count = fields.get(COUNT);
    if (count % 2 != 0) {
      fields.problem("count", "found " + count, "an even number: cosines and sines in pairs");
    }
    Optional<Double> fallback =
        fields.has(BANDWIDTH) ? Optional.empty() : derived(fields, input, derived);
    double bandwidth = fallback.orElseGet(() -> fields.get(BANDWIDTH));
    String seed = fields.get(SEED);
    fields.refuseUnknown();
    return Optional.of(new FeatureSpec(count + count % 2, bandwidth, seed));
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
