// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.CsvFile;
import io.sfumato.client.ExampleNumbers;
import io.sfumato.client.ModelOutlook;
import io.sfumato.client.PseudoDataFile;
import io.sfumato.estimate.abc.MedianHeuristic;
import io.sfumato.gate.Gate;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.pipeline.ExampleUsers;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plurals;
import io.sfumato.pipeline.RecordFilter;
import io.sfumato.pipeline.Selections;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.Plan;
import io.sfumato.release.PlanReport;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.WindowTime;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description =
        "Shows what a pipeline costs, how long its budget lasts and what error to expect. "
            + "Needs no broker.",
    footer = {
      "",
      "Examples:",
      "  sfumato plan topology/diary.yaml",
      "  sfumato plan topology/wards.yaml --plan-records 1,1,2,3,12",
      "  sfumato plan topology/orders.yaml --example public-orders.csv",
      "  sfumato plan trips.yaml --pseudo-data simulated-trips.csv",
      "  sfumato plan scores.yaml --simulator mixture-of-uniforms"
    })
final class PlanCommand extends PipelineCommand {
  @Option(
      names = "--pseudo-data",
      paramLabel = "CSV",
      description =
          "PUBLIC pseudo-data with a column for each of 'input.values'. The bandwidth of "
              + "the features is derived from them (median heuristic), if the file names none.")
  private Optional<Path> pseudoData = Optional.empty();

  @Option(
      names = "--example",
      paramLabel = "CSV",
      description =
          "PUBLIC example numbers with a column for each of 'input.values'. Shows how much "
              + "the bounds of means cut off, beside the noise that they cost.")
  private Optional<Path> example = Optional.empty();

  @Option(
      names = "--plan-records",
      paramLabel = "N[,N...]",
      converter = ExampleConverter.class,
      description =
          "PUBLIC guess for files with 'input.user': how many records each of some example "
              + "users has in a window. Shows how much 'contributions.per-window' leaves out, "
              + "beside the noise.")
  private Optional<ExampleUsers> planRecords = Optional.empty();

  @Option(
      names = "--simulator",
      paramLabel = "NAME",
      description =
          "Shows how far a posterior's mean would be from the truth, for each output that "
              + "answers queries: mixture-of-uniforms, tuberculosis or event-rates (see 'sfumato "
              + "query --help'); by default event-rates, if a file answers queries about "
              + "categories.")
  private Optional<String> simulator = Optional.empty();

  static final class ExampleConverter implements ITypeConverter<ExampleUsers> {
    @Override
    public ExampleUsers convert(String value) {
      try {
        return ExampleUsers.parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("'" + value + "' is not " + e.getMessage());
      }
    }
  }

  @Override
  public Integer call() throws PipelineFileException {
    Plan read = pseudoData.isPresent() ? derived(pseudoData.get()) : plan();
    Plan plan = planRecords.isPresent() ? with(read, planRecords.get()) : read;
    Optional<ModelOutlook> outlook = output.checked(() -> ModelOutlook.of(plan, simulator));
    List<Facts> examples = example.isPresent() ? onExample(plan, example.get()) : List.of();
    Facts facts = PlanReport.facts(plan);
    WindowTime.of(plan, new Gate(NoiseSecret.random().derive()))
        .text()
        .ifPresent(time -> facts.row("time").say("%s", time));
    new NextWindow(plan.pipeline())
        .sparse(System.currentTimeMillis())
        .ifPresent(next -> facts.row("next").say("from today on: %s", next));
    if (!examples.isEmpty()) {
      facts.row("examples").table("examples", examples);
    }
    outlook.ifPresent(found -> facts.row("model").group("", "model", found.facts()));
    output.print(facts);
    return 0;
  }

  private List<Facts> onExample(Plan plan, Path csv) {
    List<String> values = plan.pipeline().input().values();
    if (values.isEmpty()) {
      throw output.bad("--example needs a file with 'input.values'");
    }
    ExampleNumbers found = output.checked(() -> exampleNumbers(csv, values));
    output
        .checked(() -> unfiltered(csv, plan.pipeline()))
        .ifPresent(
            columns ->
                System.err.printf(
                    "warning: %s has no column %s, which 'where' tests: records without it may not count%n",
                    csv, columns));
    if (found.rows().length == 0) {
      throw output.bad(
          "--example: not one of %s of %s holds usable numbers, from -1e12 to 1e12"
              .formatted(Plurals.of(found.leftOut(), "row"), csv));
    }
    List<Facts> reports =
        plan.releases().stream()
            .flatMap(release -> release.onExample(found.rows()).stream())
            .toList();
    if (reports.isEmpty()) {
      throw output.bad("--example needs a release 'mean': it evaluates that release's bounds");
    }
    if (found.leftOut() > 0) {
      System.err.printf(
          Locale.ROOT,
          "%,d of %s of %s hold no usable number and are left out; as records they would be "
              + "dead letters%n",
          found.leftOut(),
          Plurals.of(found.all(), "row"),
          csv);
    }
    return reports;
  }

  private Plan with(Plan plan, ExampleUsers example) {
    return new Plan(
        plan.pipeline()
            .with(
                plan.pipeline()
                    .population()
                    .orElseThrow(
                        () ->
                            output.bad(
                                "--plan-records needs a file with 'input.user': without users "
                                    + "all records count"))
                    .with(example)),
        plan.releases());
  }

  private Plan derived(Path csv) throws PipelineFileException {
    Pipeline pipeline =
        PipelineFile.read(
            file, Optional.of(values -> MedianHeuristic.bandwidth(rows(csv, values))));
    pipeline
        .features()
        .ifPresent(
            features ->
                System.err.printf(
                    Locale.ROOT,
                    "write this into %s:%nfeatures: { count: %d, bandwidth: %s }%n",
                    file,
                    features.count(),
                    features.bandwidth()));
    return Plan.of(file.toString(), pipeline);
  }

  /** Fields that filters test and an example of whole records lacks; nothing of numbers alone. */
  private static Optional<String> unfiltered(Path csv, Pipeline pipeline) {
    try {
      List<String> header = List.of(CsvFile.head(csv, 1).get(0));
      InputSpec input = pipeline.input();
      boolean isOfRecords =
          header.contains(input.time())
              || header.contains(input.subject())
              || input.categoryFields().stream().anyMatch(header::contains);
      List<String> lacking =
          Selections.of(pipeline).inputs().stream()
              .flatMap(selection -> selection.where().onFields().stream())
              .filter(condition -> !condition.exists().equals(Optional.of(false)))
              .map(RecordFilter.Condition::part)
              .distinct()
              .filter(part -> !header.contains(part))
              .toList();
      return isOfRecords && !lacking.isEmpty()
          ? Optional.of("'" + String.join("', '", lacking) + "'")
          : Optional.empty();
    } catch (RefusedException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static ExampleNumbers exampleNumbers(Path csv, List<String> values) {
    try {
      return ExampleNumbers.read(csv, values);
    } catch (RefusedException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static double[][] rows(Path csv, List<String> values) {
    try {
      return PseudoDataFile.read(csv, values);
    } catch (RefusedException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }
}
