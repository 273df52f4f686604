// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.mollifier.BoostedItems;
import io.sfumato.mechanism.mollifier.Boosting;
import io.sfumato.mechanism.mollifier.LikelihoodRatioBand;
import io.sfumato.mechanism.mollifier.Reference;
import io.sfumato.pipeline.Facts;
import io.sfumato.release.mollifier.MollifierSpec;
import io.sfumato.release.mollifier.Sampler;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "mollifier",
    mixinStandardHelpOptions = true,
    description = {
      "Shows what one synthetic item of a given epsilon can say.",
      "Prints the worst KL divergence over all datasets of a finite domain, the largest "
          + "expected number of tries of rejection sampling, and the steps of boosting."
    },
    footer = {
      "",
      "Example: sfumato calibrate mollifier --categories 10 --epsilon 1 --sampler clipped -o json"
    })
final class CalibrateMollifierCommand implements Callable<Integer> {
  /** The samplers by their words. */
  enum Word {
    CLIPPED,
    MOLLIFIER
  }

  @Mixin private JsonOrText output;

  @Option(
      names = "--categories",
      paramLabel = "N",
      required = true,
      description = "Number of categories, 2 to 10000.")
  private int categories;

  @Option(
      names = "--epsilon",
      paramLabel = "EPSILON",
      required = true,
      description = "Epsilon of one item; above 0.")
  private BigDecimal epsilon;

  @Option(
      names = "--sampler",
      paramLabel = "SAMPLER",
      description = "mollifier or clipped (minimax); by default mollifier.")
  private Word sampler = Word.MOLLIFIER;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "Rounds of boosting (T), 1 to 100; by default 3.")
  private int rounds = 3;

  @Override
  public Integer call() {
    output.within("--categories", categories, 2, 10_000);
    output.within("--rounds", rounds, 1, 100);
    Epsilon eps = output.checked(() -> new Epsilon(epsilon));
    double[] uniform = new double[categories];
    Arrays.fill(uniform, 1.0 / categories);
    boolean clipped = sampler == Word.CLIPPED;
    MollifierSpec spec =
        new MollifierSpec(
            OneRelease.head(eps, new Delta(BigDecimal.ZERO), 1),
            1,
            clipped ? new Sampler.Clipped(1) : new Sampler.Mollifier(),
            new Reference(uniform, Optional.empty()),
            1);
    OneRelease release = new OneRelease(PrivacyUnit.DATASET, Optional.empty());
    Facts facts = output.checked(() -> release.facts(spec)).row("sampling");
    if (clipped) {
      facts.number(
          "tries expected", "expected_tries", LikelihoodRatioBand.clipped(eps, categories).upper());
    } else {
      facts
          .number(
              "tries expected at most",
              "expected_tries",
              BoostedItems.mostTries(eps.roundedDown(), rounds))
          .row("boosting")
          .table(
              "thetas",
              Arrays.stream(Boosting.thetas(eps.roundedDown(), rounds))
                  .mapToObj(theta -> Facts.of().number("step", "theta", theta))
                  .toList());
    }
    output.print(facts);
    return 0;
  }
}
