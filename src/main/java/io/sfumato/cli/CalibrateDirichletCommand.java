// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.accounting.Accountant;
import io.sfumato.mechanism.PlanningModel;
import io.sfumato.mechanism.ReleasePlan;
import io.sfumato.mechanism.ShareRequest;
import io.sfumato.mechanism.dirichlet.DirichletBound;
import io.sfumato.mechanism.dirichlet.DirichletPlanner;
import io.sfumato.runtime.RefusedException;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "dirichlet",
    mixinStandardHelpOptions = true,
    description =
        "The pair (r, a) of y ~ Dirichlet(r f + a) with the least expected KL on a public planning histogram.",
    footer = {
      "",
      "Examples:",
      "  sfumato calibrate dirichlet --categories 6 --plan 119,74,618,272,13,187 --epsilon 1 --delta 1e-5",
      "  sfumato calibrate dirichlet --categories 6 --epsilon 4 --delta 1e-6 --windows 52",
      "  sfumato calibrate dirichlet --categories 20 --plan-size 500 --epsilon 2 --delta 1e-6 --accountant paper -o json",
      "  sfumato calibrate dirichlet --categories 6 --epsilon 2 --delta 1e-6 --neighbours add-or-remove --records 3 --accountant renyi"
    })
final class CalibrateDirichletCommand implements Callable<Integer> {
  /** Which datasets count as neighbours. */
  enum Neighbours {
    REPLACE_ONE,
    ADD_OR_REMOVE;

    @Override
    public String toString() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
  }

  @Mixin private CalibrationOptions options;

  @Option(
      names = "--neighbours",
      converter = NeighboursConverter.class,
      description =
          "replace-one (Theorems A and B) or add-or-remove (Theorem C, accountant renyi only); by default replace-one.")
  private Neighbours neighbours = Neighbours.REPLACE_ONE;

  @Option(
      names = "--records",
      description = "Records that are added or removed together, 1 to 10000; by default 1.")
  private int records = 1;

  @Override
  public Integer call() throws RefusedException {
    ShareRequest request = options.request();
    PlanningModel model = options.model();
    options.print(plan(request, model));
    return 0;
  }

  private Optional<ReleasePlan> plan(ShareRequest request, PlanningModel model) {
    OptionalDouble order = options.order();
    if (neighbours == Neighbours.REPLACE_ONE && order.isEmpty()) {
      requireOneRecord();
      return DirichletPlanner.plan(request, options.accountant(), model);
    }
    DirichletBound bound = bound();
    return order.isPresent()
        ? DirichletPlanner.at(order.getAsDouble(), request, bound, model)
        : DirichletPlanner.renyi(request, bound, model);
  }

  private DirichletBound bound() {
    if (neighbours == Neighbours.ADD_OR_REMOVE) {
      if (options.accountant() != Accountant.RENYI) {
        throw options.bad(
            "--accountant: add-or-remove is proved for renyi only (Theorem C), found "
                + options.accountant().word());
      }
      if (records < 1 || records > 10_000) {
        throw options.bad("--records: found " + records + ", allowed is 1 to 10000");
      }
      return new DirichletBound.AddOrRemove(records);
    }
    requireOneRecord();
    return options.accountant() == Accountant.PAPER
        ? new DirichletBound.Paper()
        : new DirichletBound.ReplaceOne();
  }

  private void requireOneRecord() {
    if (records != 1) {
      throw options.bad("--records: found " + records + ", allowed with replace-one is 1");
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
