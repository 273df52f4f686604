// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.mechanism.abc.RejectionCoin;
import io.sfumato.mechanism.abc.RejectionPlan;
import io.sfumato.pipeline.Facts;
import java.math.BigDecimal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "rejection",
    mixinStandardHelpOptions = true,
    description =
        "Finds the least noise of rejection ABC, for one answer or for all answers of a "
            + "query.",
    footer = {
      "",
      "Examples:",
      "  sfumato calibrate rejection --records 1000 --sensitivity 0.002 --bound 2 --threshold 0.2"
          + " --epsilon 0.1",
      "  sfumato calibrate rejection --records 1000 --threshold 0.2 --epsilon 1 --candidates 500"
          + " --delta 1e-6 -o json"
    })
final class CalibrateRejectionCommand implements Callable<Integer> {
  @Mixin private JsonOrText output;

  @Option(
      names = "--records",
      paramLabel = "N",
      description = "Records in the window (N), for the default sensitivity; at least 1.")
  private long records;

  @Option(
      names = "--sensitivity",
      paramLabel = "SENSITIVITY",
      description = "Sensitivity of a distance to replacing one record; by default 2/N, the MMD's.")
  private double sensitivity = Double.NaN;

  @Option(
      names = "--bound",
      paramLabel = "BOUND",
      description = "Distances are clipped to [0, bound]; by default 2 thresholds.")
  private double bound = Double.NaN;

  @Option(
      names = "--threshold",
      paramLabel = "THRESHOLD",
      required = true,
      description = "Threshold of distances; above 0, at most the bound.")
  private double threshold;

  @Option(
      names = "--epsilon",
      paramLabel = "EPSILON",
      required = true,
      description = "Epsilon of one answer, or with --candidates of all of them; above 0.")
  private BigDecimal epsilon;

  @Option(
      names = "--accountant",
      paramLabel = "ACCOUNTANT",
      description =
          "Accountant: exact (the coin's own log-ratio) or paper (Theorem 3.1); by default exact.")
  private Accountant accountant = Accountant.EXACT;

  @Option(
      names = "--candidates",
      paramLabel = "N",
      description = "Answers of a query, composed; needs --delta.")
  private long candidates;

  @Option(
      names = "--delta",
      paramLabel = "DELTA",
      description = "Delta of all answers together; above 0, below 1.")
  private BigDecimal delta;

  @Override
  public Integer call() {
    double moved = sensitivity;
    if (Double.isNaN(moved)) {
      if (records < 1) {
        throw output.bad("--sensitivity or --records (at least 1) is needed, found " + records);
      }
      moved = 2.0 / records;
    }
    double d = moved;
    double b = Double.isNaN(bound) ? RejectionCoin.clip(threshold) : bound;
    Epsilon eps = output.checked(() -> new Epsilon(epsilon));
    RejectionCoin coin = candidates == 0 ? single(eps, d, b) : composed(eps, d, b);
    Facts facts =
        Facts.of()
            .row("noise")
            .number("sigma", "sigma", coin.sigma())
            .row("of")
            .number("epsilon", "epsilon", epsilon)
            .number("sensitivity", "sensitivity", d)
            .number("bound", "bound", b)
            .number("threshold", "threshold", threshold)
            .words("calibration", "accountant", accountant.word())
            .row("cost")
            .number("epsilon of one answer", "epsilon_of_one_answer", coin.epsilon());
    if (candidates > 0) {
      facts
          .number("of", "candidates", candidates, "candidates together")
          .number("delta", "delta", delta);
    }
    output.print(facts);
    return 0;
  }

  private RejectionCoin single(Epsilon eps, double d, double b) {
    if (delta != null) {
      throw output.bad(
          "--delta: a single answer satisfies pure DP (delta 0); give --candidates " + "too");
    }
    return output.checked(() -> RejectionPlan.single(eps, d, b, threshold, accountant));
  }

  private RejectionCoin composed(Epsilon eps, double d, double b) {
    output.within("--candidates", candidates, 1, 100_000_000);
    if (delta == null || delta.signum() <= 0) {
      throw output.bad("--delta: found " + delta + ", allowed with --candidates is above 0");
    }
    if (accountant != Accountant.EXACT) {
      throw output.bad("--accountant: answers are composed by exact only, found paper or renyi");
    }
    return output.checked(
        () -> RejectionPlan.composed(eps, new Delta(delta), candidates, d, b, threshold));
  }
}
