// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.pipeline.FeatureSpec;
import io.sfumato.pipeline.Population;
import io.sfumato.release.features.FeatureSumsSpec;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "features",
    mixinStandardHelpOptions = true,
    description = {
      "Finds the least noise on the sums of a window's random Fourier features.",
      "Any number of questions can be asked of the sums afterwards."
    },
    footer = {
      "",
      "Examples:",
      "  sfumato calibrate features --epsilon 1 --delta 1e-6",
      "  sfumato calibrate features --features 50 --records 3 --windows 12 --epsilon 2 --delta 1e-6 -o json"
    })
final class CalibrateFeaturesCommand implements Callable<Integer> {
  /** Records of a window, for which the error is stated. */
  private static final int PLAN_SIZE = 1000;

  @Mixin private JsonOrText output;

  @Option(
      names = "--features",
      paramLabel = "N",
      description = "Number m of features, even, 2 to 10000; by default 100.")
  private int features = 100;

  @Option(
      names = "--records",
      paramLabel = "C",
      description =
          "Protects users, of whom at most so many records of a window count; by default "
              + "one replaced record is protected.")
  private Optional<Integer> records = Optional.empty();

  @Option(
      names = "--subjects",
      paramLabel = "S",
      description = "With --records: subjects to which a user's records count; by default 1.")
  private int subjects = 1;

  @Option(
      names = "--windows",
      paramLabel = "N",
      description = "Number of releases that epsilon and delta cover together; by default 1.")
  private long windows = 1;

  @Option(
      names = "--epsilon",
      paramLabel = "EPSILON",
      required = true,
      description = "Epsilon of all releases; above 0.")
  private BigDecimal epsilon;

  @Option(
      names = "--delta",
      paramLabel = "DELTA",
      required = true,
      description = "Delta of all releases; above 0, below 1.")
  private BigDecimal delta;

  @Override
  public Integer call() {
    if (features < 2 || features > 10_000 || features % 2 != 0) {
      throw output.bad("--features: found " + features + ", allowed is an even number, 2 to 10000");
    }
    Optional<Population> population =
        output.checked(() -> records.map(most -> new Population("user", most, subjects)));
    FeatureSumsSpec spec =
        new FeatureSumsSpec(
            output.checked(() -> OneRelease.head(new Epsilon(epsilon), new Delta(delta), windows)),
            new FeatureSpec(features, 1, OneRelease.NAME),
            List.of("x"),
            population,
            PLAN_SIZE);
    output.print(output.checked(() -> OneRelease.of(population).facts(spec)));
    return 0;
  }
}
