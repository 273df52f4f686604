// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.accounting.Accountant;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.estimate.PlanningModel;
import io.sfumato.estimate.dirichlet.DirichletCalibrator;
import io.sfumato.estimate.dirichlet.SampleComplexity;
import io.sfumato.mechanism.additive.PostProcessing;
import io.sfumato.mechanism.dirichlet.DirichletBound;
import io.sfumato.mechanism.dirichlet.DirichletMechanism;
import io.sfumato.mechanism.dirichlet.DirichletParameters;
import io.sfumato.pipeline.Facts;
import io.sfumato.release.histogram.HistogramSpec;
import io.sfumato.release.histogram.PlannedHistogram;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "dirichlet",
    mixinStandardHelpOptions = true,
    description =
        "Finds the pair (r, a) of y ~ Dirichlet(r f + a) with the least expected KL "
            + "divergence on a public planning histogram.",
    footer = {
      "",
      "Examples:",
      "  sfumato calibrate dirichlet --categories 6 --plan 119,74,618,272,13,187 --epsilon 1"
          + " --delta 1e-5",
      "  sfumato calibrate dirichlet --categories 6 --epsilon 4 --delta 1e-6 --windows 52",
      "  sfumato calibrate dirichlet --categories 20 --plan-size 500 --epsilon 2 --delta 1e-6"
          + " --accountant paper -o json",
      "  sfumato calibrate dirichlet --categories 6 --epsilon 2 --delta 1e-6 --neighbours"
          + " add-or-remove --records 3 --accountant renyi",
      "  sfumato calibrate dirichlet --categories 6 --plan 119,74,618,272,13,187 --least-count 10"
          + " --epsilon 1 --delta 1e-5",
      "  sfumato calibrate dirichlet --categories 4 --plan-size 9000 --largest-weight 60 --epsilon"
          + " 1 --delta 1e-5 --promise-kl 0.5"
    })
final class CalibrateDirichletCommand extends HistogramCalibration {
  private static final double CONFIDENCE = 0.95;

  /** Which datasets count as neighbours. */
  enum Neighbours {
    REPLACE_ONE,
    ADD_OR_REMOVE;

    @Override
    public String toString() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
  }

  @Option(
      names = "--neighbours",
      paramLabel = "NEIGHBOURS",
      converter = NeighboursConverter.class,
      description =
          "replace-one (Theorems A and B) or add-or-remove (Theorem C, accountant renyi only); by"
              + " default replace-one.")
  private Neighbours neighbours = Neighbours.REPLACE_ONE;

  @Option(
      names = "--records",
      paramLabel = "N",
      description = "Records that are added or removed together, 1 to 10000; by default 1.")
  private int records = 1;

  @Option(
      names = "--least-count",
      paramLabel = "N",
      description =
          "Counts below this are raised to it, which reduces noise: for categories that are "
              + "publicly known to have as many. If one has fewer, the release is less accurate, "
              + "and as private; by default 0.")
  private long leastCount;

  @Option(
      names = "--largest-weight",
      paramLabel = "N",
      description =
          "Counts are sums of records' weights, whole numbers up to this. The weights are "
              + "private, and so is the total. --plan and --plan-size are in the same steps; by "
              + "default 1, a count of records.")
  private long largestWeight = 1;

  @Option(
      names = "--promise-kl",
      paramLabel = "NATS",
      description =
          "How many records are needed so that KL is at most this, in nats, in 95 of 100 releases;"
              + " by default 0.1.")
  private double promiseKl = 0.1;

  @Override
  Optional<PlannedHistogram> plan() {
    CalibrationTarget request = request();
    PlanningModel model = model();
    OptionalDouble order = order();
    DirichletBound bound = withLeastCount(neighbouring(), model);
    Optional<HistogramPlan> plan =
        accountant() == Accountant.EXACT
            ? DirichletCalibrator.exact(request, bound, model)
            : order.isPresent()
                ? DirichletCalibrator.at(order.getAsDouble(), request, bound, model)
                : DirichletCalibrator.renyi(request, bound, model);
    // Weights are in no file, so that no other method can be compared.
    boolean compared = largestWeight == 1;
    return plan.map(
        found ->
            new PlannedHistogram(
                spec(compared ? HistogramSpec.Method.DIRICHLET : HistogramSpec.Method.BEST),
                found,
                compared ? List.of(found) : List.of()));
  }

  private HistogramSpec spec(HistogramSpec.Method method) {
    return spec(
        method,
        PostProcessing.POSTERIOR_MEAN,
        neighbours == Neighbours.ADD_OR_REMOVE
            ? Optional.of(OneRelease.users(records))
            : Optional.empty(),
        leastCount);
  }

  /** Refused where the plan itself has a smaller count: its error would not be that of the plan. */
  private DirichletBound withLeastCount(DirichletBound bound, PlanningModel model) {
    output.within("--least-count", leastCount, 0, 1_000_000_000_000L);
    if (leastCount == 0) {
      return bound;
    }
    long least = Arrays.stream(model.histogram().counts()).min().orElseThrow();
    if (least < leastCount) {
      throw output.bad(
          "--least-count: found %d, but the plan has a count of %d; give --plan with counts of at least as many"
              .formatted(leastCount, least));
    }
    return new DirichletBound.LeastCount(leastCount, bound);
  }

  private DirichletBound neighbouring() {
    output.within("--largest-weight", largestWeight, 1, 1L << 20);
    if (largestWeight > 1
        && (neighbours == Neighbours.ADD_OR_REMOVE || accountant() == Accountant.PAPER)) {
      throw output.bad(
          "--largest-weight: only with replace-one and the accountants exact and renyi; for "
              + "add-or-remove give the total weight of a user as --records");
    }
    if (neighbours == Neighbours.ADD_OR_REMOVE) {
      if (accountant() != Accountant.RENYI) {
        throw output.bad(
            "--accountant: add-or-remove has a proof for renyi only (Theorem C), found "
                + accountant().word());
      }
      output.within("--records", records, 1, 10_000);
      return new DirichletBound.AddOrRemove(records);
    }
    if (records != 1) {
      throw output.bad("--records: found " + records + ", allowed with replace-one is 1");
    }
    if (largestWeight > 1) {
      return new DirichletBound.ReplaceWeighted(largestWeight);
    }
    return accountant() == Accountant.PAPER
        ? new DirichletBound.Paper()
        : new DirichletBound.ReplaceOne();
  }

  /** The records that a wanted error needs. */
  @Override
  void promise(PlannedHistogram planned, Facts facts) {
    DirichletParameters pair = ((DirichletMechanism) planned.plan().mechanism()).pair();
    PlanningModel model = planned.spec().model();
    int categories = model.shares().size();
    SampleComplexity needed =
        checked(
            "--promise-kl", () -> new SampleComplexity(pair, categories, promiseKl, CONFIDENCE));
    facts
        .row("needed")
        .number("for KL at most", "promise_kl", promiseKl, "nats in 95% of releases")
        .number(
            "",
            "records_by_theorem_2",
            Math.ceil(needed.byTheorem2()),
            (largestWeight > 1 ? "steps of weight" : "records") + " by Theorem 2");
    needed(facts, "records_by_its_proof", needed.byItsProof(), "by its proof");
    needed(facts, "records_for_the_plan", needed.ofPlan(model), "if shares are as planned");
  }

  private static void needed(Facts facts, String key, OptionalDouble records, String how) {
    if (records.isPresent()) {
      facts.number("", key, Math.ceil(records.getAsDouble()), how);
    } else {
      facts.say("more than 10^18 %s", how);
    }
  }

  private <T> T checked(String option, Supplier<T> computation) {
    try {
      return computation.get();
    } catch (IllegalArgumentException e) {
      throw output.bad(option + ": " + e.getMessage());
    }
  }

  static final class NeighboursConverter implements picocli.CommandLine.ITypeConverter<Neighbours> {
    @Override
    public Neighbours convert(String value) {
      for (Neighbours neighbours : Neighbours.values()) {
        if (neighbours.toString().equals(value)) {
          return neighbours;
        }
      }
      throw new picocli.CommandLine.TypeConversionException(
          "found '" + value + "', allowed is replace-one or add-or-remove");
    }
  }
}
