// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.pipeline.Grouping;
import io.sfumato.pipeline.OverWindows;
import io.sfumato.pipeline.Population;
import io.sfumato.release.mean.MeanSpec;
import io.sfumato.release.mean.MeasuredValue;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "mean",
    mixinStandardHelpOptions = true,
    description =
        "Finds the least noise on a window's count, sum and mean of bounded numbers, all "
            + "for one charge.",
    footer = {
      "",
      "Examples:",
      "  sfumato calibrate mean --users 1000 --bounds 0,500 --epsilon 1",
      "  sfumato calibrate mean --users 1000 --per-window 3 --bounds 0,500 --moments 2 --epsilon 1 --delta 1e-6 -o json",
      "  sfumato calibrate mean --records 40 --bounds 30,400 --windows 52 --epsilon 2 --delta 1e-6"
    })
final class CalibrateMeanCommand implements Callable<Integer> {
  @Mixin private JsonOrText output;
  @Mixin private NumbersCalibration numbers;

  @Option(
      names = "--bounds",
      paramLabel = "LOW,HIGH",
      split = ",",
      arity = "1",
      description =
          "PUBLIC bounds of each number: values beyond count as the nearer bound; by default 0,1.")
  private List<Double> bounds = List.of(0.0, 1.0);

  @Option(
      names = "--moments",
      paramLabel = "N",
      description = "1 for means, 2 for variances too; by default 1.")
  private int moments = 1;

  @Option(
      names = "--method",
      paramLabel = "METHOD",
      description =
          "best, gaussian or laplace; by default best, the one with the narrower intervals.")
  private MeanSpec.Method method = MeanSpec.Method.BEST;

  @Override
  public Integer call() {
    if (moments < 1 || moments > BernsteinParts.LARGEST_DEGREE) {
      throw output.bad("--moments: found " + moments + ", allowed is 1 or 2");
    }
    if (bounds.size() != 2) {
      throw output.bad("--bounds: found " + bounds.size() + " numbers, allowed are two: LOW,HIGH");
    }
    NumberBounds range = output.checked(() -> new NumberBounds(bounds.get(0), bounds.get(1)));
    Optional<Population> population = numbers.population(output);
    MeanSpec spec =
        new MeanSpec(
            numbers.head(output),
            List.of(new MeasuredValue("x", 0, Optional.of(range))),
            1,
            Grouping.TOTAL,
            1,
            moments,
            method,
            new OverWindows(Optional.empty(), OptionalInt.empty()),
            population,
            numbers.size(output));
    output.print(output.checked(() -> OneRelease.of(population).facts(spec)));
    return 0;
  }
}
