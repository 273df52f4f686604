package io.sfumato.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.RenyiOrders;
import io.sfumato.mechanism.PlanningModel;
import io.sfumato.mechanism.dirichlet.SingleRelease;
import io.sfumato.mechanism.dirichlet.SingleRelease.Accountant;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "dirichlet",
    mixinStandardHelpOptions = true,
    description =
        "The pair (r, a) of y ~ Dirichlet(r f + a) with the least expected KL on a public planning histogram.",
    footer = {
      "",
      "Examples:",
      "  sfumato calibrate dirichlet --categories 6 --plan 119,74,618,272,13,187 --epsilon 1 --delta 1e-5",
      "  sfumato calibrate dirichlet --categories 20 --plan-size 500 --epsilon 2 --delta 1e-6 --accountant paper -o json"
    })
final class CalibrateDirichletCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--categories",
      required = true,
      description = "Number of categories, 2 to 10000.")
  private int categories;

  @Option(
      names = "--plan",
      split = ",",
      description =
          "Public planning histogram, one count a category; by default the k-th most frequent weighs 1/k.")
  private double[] plan = {};

  @Option(
      names = "--plan-size",
      description = "Public planning size; by default the sum of --plan, else 100.")
  private double planSize = Double.NaN;

  @Option(names = "--epsilon", required = true, description = "Above 0.")
  private BigDecimal epsilon;

  @Option(names = "--delta", required = true, description = "Above 0, below 1.")
  private BigDecimal delta;

  @Option(
      names = "--accountant",
      description =
          "exact (Theorem B), renyi (Theorem A at its best order) or paper (Algorithm 1); by default exact.")
  private Accountant accountant = Accountant.EXACT;

  @Option(names = "--order", description = "Fixed Rényi order for renyi and paper.")
  private double order = Double.NaN;

  @Option(
      names = {"-o", "--output"},
      description = "text or json.")
  private Format format = Format.TEXT;

  @Override
  public Integer call() throws RefusedException {
    PlanningModel model = model();
    Epsilon eps = checked("--epsilon", epsilon, Epsilon::new);
    Delta failure = checked("--delta", delta, Delta::new);
    if (failure.value().signum() == 0) {
      throw bad("--delta: found 0, allowed is above 0 and below 1");
    }
    if (!Double.isNaN(order) && !RenyiOrders.contains(order)) {
      checked("--order", order, RenyiOrders::placeOf);
    }
    SingleRelease found =
        SingleRelease.calibrate(
                eps,
                failure,
                model,
                accountant,
                Double.isNaN(order) ? OptionalDouble.empty() : OptionalDouble.of(order))
            .orElseThrow(
                () ->
                    new RefusedException(
                        ExitCode.REFUSED_FILE,
                        "no pair is private enough at epsilon %s and delta %s; raise one of them"
                            .formatted(epsilon, delta)));
    print(found);
    return 0;
  }

  private void print(SingleRelease found) {
    if (format == Format.TEXT) {
      spec.commandLine()
          .getOut()
          .printf(
              Locale.ROOT,
              "r %.6g, a %.6g: expected KL %.4g nats at epsilon %s, delta %s (%s%s)%n",
              found.parameters().r(),
              found.parameters().a(),
              found.expectedKl(),
              epsilon,
              delta,
              accountant.word(),
              found.order().isPresent() ? ", order " + found.order().getAsDouble() : "");
      spec.commandLine().getOut().flush();
      return;
    }
    ObjectNode json = new ObjectMapper().createObjectNode();
    json.put("r", found.parameters().r())
        .put("alpha", found.parameters().a())
        .put("expected_kl", found.expectedKl())
        .put("epsilon", epsilon)
        .put("delta", delta)
        .put("accountant", accountant.word());
    found.order().ifPresent(best -> json.put("order", best));
    spec.commandLine().getOut().println(json.toPrettyString());
  }

  private PlanningModel model() {
    if (categories < 2 || categories > 10_000) {
      throw bad("--categories: found " + categories + ", allowed is 2 to 10000");
    }
    double size = planSize;
    if (Double.isNaN(size)) {
      size = plan.length > 0 ? Arrays.stream(plan).sum() : 100;
    }
    if (plan.length == 0) {
      double wanted = size;
      return checked("--plan-size", size, s -> PlanningModel.zipf(categories, wanted));
    }
    if (plan.length != categories) {
      throw bad("--plan: found " + plan.length + " counts, allowed is " + categories);
    }
    double wanted = size;
    return checked("--plan", Arrays.toString(plan), p -> PlanningModel.ofWeights(plan, wanted));
  }

  private <V, T> T checked(String option, V value, Function<V, T> type) {
    try {
      return type.apply(value);
    } catch (IllegalArgumentException e) {
      throw bad(option + ": found " + value + "; " + e.getMessage());
    }
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
