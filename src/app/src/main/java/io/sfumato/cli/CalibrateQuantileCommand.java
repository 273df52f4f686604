// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.mechanism.quantile.QuantileQuery;
import io.sfumato.pipeline.Population;
import io.sfumato.release.quantile.QuantileSpec;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "quantile",
    mixinStandardHelpOptions = true,
    description =
        "Finds the least noise on a window's quantiles, all for one charge, and the error "
            + "of their ranks in records.",
    footer = {
      "",
      "Examples:",
      "  sfumato calibrate quantile --epsilon 1 --delta 1e-6",
      "  sfumato calibrate quantile --users 5000 --per-window 3 --bins 1024 --epsilon 1 --delta"
          + " 1e-6 -o json",
      "  sfumato calibrate quantile --categories 12 --epsilon 1 --delta 1e-6"
    })
final class CalibrateQuantileCommand implements Callable<Integer> {
  @Mixin private JsonOrText output;
  @Mixin private NumbersCalibration numbers;

  @Option(
      names = "--categories",
      paramLabel = "K",
      description =
          "Quantiles of each of K categories, for the charge of one. --users or --records "
              + "are then those of one category; by default 1.")
  private int categories = 1;

  @Option(
      names = "--bins",
      paramLabel = "N",
      description =
          "2 to 65536; by default 4096, or as many as 65536 bins of all categories allow.")
  private Optional<Integer> bins = Optional.empty();

  @Override
  public Integer call() {
    output.within("--categories", categories, 1, QuantileQuery.mostCategories(2));
    int number =
        output.within(
            "--bins",
            bins.orElse(QuantileQuery.binsUnlessSaid(categories)),
            2,
            Math.min(Bins.LARGEST, QuantileQuery.MOST_ROWS / categories));
    if (numbers.isPure()) {
      throw output.bad("quantiles use Gaussian noise, which needs --delta, such as --delta 1e-6");
    }
    Optional<Population> population = numbers.population(output);
    QuantileSpec spec =
        new QuantileSpec(
            numbers.head(output),
            "x",
            0,
            Bins.of(0, 1, number, Bins.Scale.LINEAR),
            categories,
            List.of(0.5),
            population,
            numbers.size(output));
    output.print(output.checked(() -> OneRelease.of(population).facts(spec)));
    return 0;
  }
}
