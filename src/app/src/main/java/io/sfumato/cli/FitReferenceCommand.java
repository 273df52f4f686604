// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.PseudoDataFile;
import io.sfumato.console.Terminal;
import io.sfumato.estimate.mollifier.ReferenceFit;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians.Component;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "fit-reference",
    mixinStandardHelpOptions = true,
    description = {
      "Fits the reference of a mollifier release, a mixture of Gaussians, to PUBLIC data. "
          + "Prints what to put into the pipeline file.",
      "Never give it the private records: the reference is published."
    },
    footer = {
      "",
      "Example: sfumato fit-reference --data public-trips.csv --columns x,y --components 3"
    })
final class FitReferenceCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      required = true,
      paramLabel = "CSV",
      description = "CSV file of PUBLIC data.")
  private Path data;

  @Option(
      names = "--columns",
      paramLabel = "COLUMN",
      required = true,
      split = ",",
      description = "Columns of numbers, in the order of 'input.values'.")
  private List<String> columns = List.of();

  @Option(
      names = "--components",
      paramLabel = "N",
      description = "Components of the mixture; by default 1.")
  private int components = 1;

  @Override
  public Integer call() throws RefusedException {
    Gaussians fitted;
    try {
      fitted = ReferenceFit.gaussians(PseudoDataFile.read(data, columns), components);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(ExitCode.REFUSED_FILE, data + ": " + e.getMessage());
    }
    PrintWriter out = Terminal.over(spec.commandLine().getOut());
    out.println("reference:");
    out.println("  gaussians:");
    for (Component component : fitted.components()) {
      out.printf(
          Locale.ROOT,
          "    - { weight: %.6g, mean: [%s], deviation: [%s] }%n",
          component.weight(),
          list(component.mean()),
          list(component.deviation()));
    }
    out.flush();
    return 0;
  }

  private static String list(double[] numbers) {
    return Arrays.stream(numbers)
        .mapToObj(x -> String.format(Locale.ROOT, "%.6g", x))
        .collect(Collectors.joining(", "));
  }
}
