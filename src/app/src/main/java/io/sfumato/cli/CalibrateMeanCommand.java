// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.estimate.Planned;
import io.sfumato.estimate.additive.VectorPlanner;
import io.sfumato.estimate.moments.MomentError;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.mechanism.moments.MomentQuery;
import io.sfumato.mechanism.moments.MomentSensitivity;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "mean",
    mixinStandardHelpOptions = true,
    description =
        "The least noise on a window's count, sum and mean of bounded numbers, all for one charge.",
    footer = {
      "",
      "Examples:",
      "  sfumato calibrate mean --users 1000 --bounds 0,500 --epsilon 1",
      "  sfumato calibrate mean --users 1000 --per-window 3 --bounds 0,500 --moments 2 --epsilon 1 --delta 1e-6 -o json",
      "  sfumato calibrate mean --records 40 --bounds 30,400 --windows 52 --epsilon 2 --delta 1e-6"
    })
final class CalibrateMeanCommand implements Callable<Integer> {
  private enum Method {
    BEST,
    GAUSSIAN,
    LAPLACE
  }

  @Mixin private JsonOrText output;
  @Mixin private NumbersCalibration numbers;

  @Option(
      names = "--bounds",
      paramLabel = "LOW,HIGH",
      split = ",",
      arity = "1",
      description = "Between which numbers count, public; by default 0,1.")
  private List<Double> bounds = List.of(0.0, 1.0);

  @Option(names = "--moments", paramLabel = "N", description = "2 for variances too; by default 1.")
  private int moments = 1;

  @Option(
      names = "--method",
      paramLabel = "METHOD",
      description =
          "best, gaussian or laplace; by default best, the one with the narrower intervals.")
  private Method method = Method.BEST;

  @Override
  public Integer call() {
    if (moments < 1 || moments > BernsteinParts.LARGEST_DEGREE) {
      throw output.bad("--moments: found " + moments + ", allowed is 1 or 2");
    }
    if (bounds.size() != 2) {
      throw output.bad("--bounds: found " + bounds.size() + " numbers, allowed are two: LOW,HIGH");
    }
    NumberBounds range = output.checked(() -> new NumberBounds(bounds.get(0), bounds.get(1)));
    Planned<GridMeasurement<MomentQuery>> planned =
        output.checked(
            () -> candidates().stream().findFirst().orElseThrow(NumbersCalibration::notAffordable));
    GridMeasurement<MomentQuery> mechanism = planned.mechanism();
    MomentError error = MomentError.of(mechanism, 1, numbers.size(output), range);
    ObjectNode found =
        JsonOrText.object()
            .put("method", mechanism.method())
            .put("noise_deviation", error.mean().deviation())
            .put("error_95_mean", error.mean().halfWidth())
            .put("error_95_sum", error.sum().halfWidth())
            .put("error_95_count", error.count().halfWidth());
    error.variance().ifPresent(bar -> found.put("error_95_variance", bar.halfWidth()));
    found.put("part_deviation", mechanism.noise().deviation() / BernsteinParts.STEPS);
    mechanism.parameters().forEach(found::put);
    output.print(numbers.terms(found).put("unit", mechanism.charge().unit().word()));
    return 0;
  }

  private List<Planned<GridMeasurement<MomentQuery>>> candidates() {
    return MomentError.narrowestFirst(
        sensitivities().stream().flatMap(way -> candidates(way).stream()));
  }

  private List<MomentSensitivity> sensitivities() {
    return numbers
        .perWindow(output)
        .map(records -> List.of(MomentSensitivity.addOrRemove(moments, 1, records)))
        .orElseGet(
            () ->
                List.of(
                    MomentSensitivity.replaceOneOfOneGroup(moments, 1),
                    MomentSensitivity.replaceOne(moments, 1)));
  }

  private List<Planned<GridMeasurement<MomentQuery>>> candidates(MomentSensitivity way) {
    MomentQuery query = new MomentQuery(way);
    GridSensitivity moved = way.moved();
    if (numbers.isPure()) {
      return method == Method.GAUSSIAN
          ? List.of()
          : VectorPlanner.pureLaplace(
                  "calibrate", numbers.epsilon(), numbers.windows(), query, moved)
              .stream()
              .toList();
    }
    return switch (method) {
      case BEST -> VectorPlanner.either(numbers.request(), query, moved);
      case GAUSSIAN -> VectorPlanner.gaussian(numbers.request(), query, moved).stream().toList();
      case LAPLACE -> VectorPlanner.laplace(numbers.request(), query, moved).stream().toList();
    };
  }
}
