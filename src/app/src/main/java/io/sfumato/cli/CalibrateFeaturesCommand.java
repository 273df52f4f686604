// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.ShareRequest;
import io.sfumato.estimate.additive.VectorPlanner;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.features.FeatureQuery;
import io.sfumato.mechanism.features.FeatureSensitivity;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "features",
    mixinStandardHelpOptions = true,
    description =
        "The least noise on the sums of a window's features, whatever is asked of them afterwards.",
    footer = {
      "",
      "Examples:",
      "  sfumato calibrate features --epsilon 1 --delta 1e-6",
      "  sfumato calibrate features --features 50 --records 3 --windows 12 --epsilon 2 --delta 1e-6 -o json"
    })
final class CalibrateFeaturesCommand implements Callable<Integer> {
  @Mixin private JsonOrText output;

  @Option(
      names = "--features",
      paramLabel = "N",
      description = "Their number m, even, 2 to 10000; by default 100.")
  private int features = 100;

  @Option(
      names = "--records",
      paramLabel = "C",
      description =
          "Protects users, of whom at most so many records of a window count; by default one replaced"
              + " record is protected.")
  private Optional<Integer> records = Optional.empty();

  @Option(
      names = "--subjects",
      paramLabel = "S",
      description = "With --records: subjects to which a user's records count; by default 1.")
  private int subjects = 1;

  @Option(
      names = "--windows",
      paramLabel = "N",
      description = "Releases that the share affords; by default 1.")
  private long windows = 1;

  @Option(
      names = "--epsilon",
      paramLabel = "EPSILON",
      required = true,
      description = "Of all releases; above 0.")
  private BigDecimal epsilon;

  @Option(
      names = "--delta",
      paramLabel = "DELTA",
      required = true,
      description = "Above 0, below 1.")
  private BigDecimal delta;

  @Override
  public Integer call() {
    if (features < 2 || features > 10_000 || features % 2 != 0) {
      throw output.bad("--features: found " + features + ", allowed is an even number, 2 to 10000");
    }
    GridMeasurement<FeatureQuery> mechanism =
        output.checked(
            () ->
                VectorPlanner.fineGaussian(
                        new ShareRequest(
                            "calibrate", new Epsilon(epsilon), new Delta(delta), windows),
                        query(),
                        sensitivity())
                    .orElseThrow(
                        () ->
                            new IllegalArgumentException(
                                "no noise is enough; raise epsilon or delta"))
                    .mechanism());
    ObjectNode found = JsonOrText.object().put("sigma", mechanism.deviation());
    if (records.isPresent()) {
      found.put("sigma_records", mechanism.query().recordsDeviation(mechanism.noise()));
    }
    output.print(
        found
            .put("epsilon", epsilon)
            .put("delta", delta)
            .put("windows", windows)
            .put("features", features)
            .put("unit", mechanism.charge().unit().word()));
    return 0;
  }

  private FeatureQuery query() {
    return records.isPresent()
        ? FeatureQuery.ofPrivateSize(features)
        : FeatureQuery.ofPublicSize(features);
  }

  private GridSensitivity sensitivity() {
    return records
        .map(most -> FeatureSensitivity.addOrRemove(features, most, subjects))
        .orElseGet(() -> FeatureSensitivity.replaceOne(features));
  }
}
