// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Epsilon;
import io.sfumato.mechanism.mollifier.Band;
import io.sfumato.mechanism.mollifier.BoostedItems;
import io.sfumato.mechanism.mollifier.Boosting;
import io.sfumato.mechanism.mollifier.FiniteSampler;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "mollifier",
    mixinStandardHelpOptions = true,
    description = {
      "What one synthetic item of epsilon can say: the worst KL divergence over all datasets of a finite"
          + " domain, the most tries of rejection sampling that are expected, and the steps of"
          + " boosting."
    },
    footer = {
      "",
      "Example: sfumato calibrate mollifier --categories 10 --epsilon 1 --sampler clipped -o json"
    })
final class CalibrateMollifierCommand implements Callable<Integer> {
  /** The samplers by their words. */
  enum Sampler {
    CLIPPED,
    MOLLIFIER
  }

  @Mixin private JsonOrText output;

  @Option(names = "--categories", paramLabel = "N", required = true, description = "2 to 10000.")
  private int categories;

  @Option(
      names = "--epsilon",
      paramLabel = "EPSILON",
      required = true,
      description = "Of one item, above 0.")
  private BigDecimal epsilon;

  @Option(
      names = "--sampler",
      paramLabel = "SAMPLER",
      description = "mollifier or clipped (minimax); by default mollifier.")
  private Sampler sampler = Sampler.MOLLIFIER;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "T of boosting, 1 to 100; by default 3.")
  private int rounds = 3;

  @Override
  public Integer call() {
    output.within("--categories", categories, 2, 10_000);
    output.within("--rounds", rounds, 1, 100);
    Epsilon eps = output.checked(() -> new Epsilon(epsilon));
    double[] uniform = new double[categories];
    Arrays.fill(uniform, 1.0 / categories);
    boolean clipped = sampler == Sampler.CLIPPED;
    Band band = clipped ? Band.clipped(eps, categories) : Band.mollifier(eps);
    FiniteSampler finite = output.checked(() -> new FiniteSampler("calibrated", band, uniform));
    ObjectNode result =
        JsonOrText.object()
            .put("sampler", sampler.name().toLowerCase(Locale.ROOT))
            .put("epsilon", epsilon)
            .put("categories", categories)
            .put("worst_case_kl", finite.worstCaseKl())
            .put(
                "expected_tries",
                clipped ? band.upper() : BoostedItems.mostTries(eps.roundedDown(), rounds))
            .put("lower", band.lower())
            .put("upper", band.upper());
    ArrayNode thetas = result.putArray("thetas");
    if (!clipped) {
      Arrays.stream(Boosting.thetas(eps.roundedDown(), rounds)).forEach(thetas::add);
    }
    output.print(result);
    return 0;
  }
}
