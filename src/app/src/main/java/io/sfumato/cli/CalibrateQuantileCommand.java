// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.estimate.additive.VectorPlanner;
import io.sfumato.estimate.quantile.CategoryEstimates;
import io.sfumato.estimate.quantile.QuantileError;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.factorised.RootSensitivity;
import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.mechanism.quantile.QuantileQuery;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "quantile",
    mixinStandardHelpOptions = true,
    description =
        "The least noise on a window's quantiles, all for one charge, and by how many records their ranks err.",
    footer = {
      "",
      "Examples:",
      "  sfumato calibrate quantile --epsilon 1 --delta 1e-6",
      "  sfumato calibrate quantile --users 5000 --per-window 3 --bins 1024 --epsilon 1 --delta 1e-6 -o json",
      "  sfumato calibrate quantile --categories 12 --epsilon 1 --delta 1e-6"
    })
final class CalibrateQuantileCommand implements Callable<Integer> {
  @Mixin private JsonOrText output;
  @Mixin private NumbersCalibration numbers;

  @Option(
      names = "--categories",
      paramLabel = "K",
      description =
          "Quantiles of each of K categories, for the charge of one: N is then the records of one category. By default 1.")
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
      throw output.bad("quantiles have Gaussian noise, which needs --delta, such as --delta 1e-6");
    }
    GridMeasurement<QuantileQuery> mechanism = mechanism(Bins.of(0, 1, number, Bins.Scale.LINEAR));
    Optional<CategoryEstimates> several =
        categories > 1 ? Optional.of(new CategoryEstimates(mechanism)) : Optional.empty();
    QuantileError error =
        several.map(CategoryEstimates::errorOfEach).orElseGet(() -> QuantileError.of(mechanism));
    long size = numbers.size(output);
    ObjectNode found =
        JsonOrText.object()
            .put("sigma", mechanism.deviation())
            .put("rank_rms_error", error.rankRms())
            .put("rank_worst_error", error.rankWorst())
            .put("rank_error_95", error.halfWidth())
            .put("error_95_of_records", Math.min(1, error.halfWidth() / size))
            .put("bins", number);
    several.ifPresent(
        each ->
            found
                .put("categories", categories)
                .put("rank_rms_error_of_all", each.errorOfAll().rankRms()));
    output.print(numbers.terms(found).put("unit", mechanism.charge().unit().word()));
    return 0;
  }

  private GridMeasurement<QuantileQuery> mechanism(Bins range) {
    Optional<Integer> perWindow = numbers.perWindow(output);
    return output.checked(
        () -> {
          QuantileQuery query = new QuantileQuery(range, categories);
          GridSensitivity sensitivity =
              perWindow
                  .map(records -> RootSensitivity.addOrRemove(query.root(), records, 1))
                  .orElseGet(() -> RootSensitivity.replaceOne(query.root()));
          return VectorPlanner.gaussian(numbers.request(), query, sensitivity)
              .orElseThrow(NumbersCalibration::notAffordable)
              .mechanism();
        });
  }
}
