// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.FittedReport;
import io.sfumato.client.ModelQuery;
import io.sfumato.client.PosteriorReport;
import io.sfumato.client.PublishedRelease;
import io.sfumato.client.QueryReport;
import io.sfumato.client.ReleaseQuery;
import io.sfumato.console.Progress;
import io.sfumato.console.Terminal;
import io.sfumato.inference.PopulationMonteCarlo;
import io.sfumato.modeller.Prior;
import io.sfumato.modeller.Simulator;
import io.sfumato.modeller.Simulators;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.abc.AbcSpec;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "query",
    mixinStandardHelpOptions = true,
    description = {
      "Fits a model to data that nobody may see, and prints its posterior.",
      "Draws candidates from a prior, and lets the pipeline answer them privately.",
      "With --from it asks a release that was published already instead: candidates cost "
          + "nothing, and with --release-file no cluster is needed.",
      "Simulators: mixture-of-uniforms (one number a record, between 0 and 5: theta1 is "
          + "the share of those below 1, theta2 of those from 1 to 2, and so on), tuberculosis "
          + "(size of the cluster of each isolate; not with --from, since it decides itself how "
          + "many there are), event-rates (the categories' shares of a diary)."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all candidates are decided, and at least one was answered",
      "1:candidates are undecided, or none was answered"
    },
    footer = {
      "",
      "Examples:",
      "  sfumato query --pipeline diary.yaml --simulator event-rates --subject 17 --window"
          + " 1991-04-22",
      "  sfumato query --pipeline tb.yaml --simulator tuberculosis --prior 'R1=uniform(2,8)' \\",
      "      --subject bay-area --window 1991-01-01 --candidates 200 --plot posterior.png",
      "  sfumato query --pipeline diary.yaml --simulator event-rates --subject 17 --window"
          + " 1991-04-22 \\",
      "      --synthetic synthetic.csv --datasets 100",
      "  sfumato query --pipeline diary.yaml --from quarterly-mix --simulator event-rates --subject"
          + " 17 \\",
      "      --window 1991-04-22 --candidates 50000",
      "  sfumato consume quarterly-mix -o json > mine.json",
      "  sfumato query --pipeline diary.yaml --from quarterly-mix --release-file mine.json \\",
      "      --simulator event-rates --prior 'dirichlet(2,1,1)' --subject 17 --window 1991-04-22"
    })
final class QueryCommand implements Callable<Integer> {
  private static final int CANDIDATES = 20_000;
  private static final int MOST_CANDIDATES = 10_000_000;

  @Mixin private JsonOrText output;

  @Mixin private ClusterOptions cluster;

  @Mixin private FolderOptions nearby;

  @Mixin private SynthesisOptions drawn;

  @Option(
      names = "--pipeline",
      required = true,
      paramLabel = "FILE",
      description = "Pipeline file.")
  private Path file;

  @Option(
      names = "--simulator",
      required = true,
      paramLabel = "NAME",
      description = "Simulator of the model (above).")
  private String simulator;

  @Option(
      names = "--prior",
      paramLabel = "PRIOR",
      description = "May be repeated; by default the simulator's own. " + Prior.FORMS + ".")
  private List<String> priors = List.of();

  @Option(
      names = "--subject",
      paramLabel = "SUBJECT",
      required = true,
      converter = NameConverter.class,
      description = "Subject whose data are asked.")
  private String subject;

  @Option(
      names = "--window",
      required = true,
      paramLabel = "TIME",
      description =
          "A time in the window that is asked: a day such as 1991-04-22, or ISO-8601 with an "
              + "offset. "
              + GivenTime.DAY)
  private GivenTime window;

  @Option(
      names = "--from",
      paramLabel = "OUTPUT",
      description = "Ask this release, which is published, instead of the pipeline.")
  private Optional<String> from = Optional.empty();

  @Option(
      names = "--release-file",
      paramLabel = "JSON",
      description =
          "File with the release of --from, as 'sfumato consume TOPIC -o json' prints it; "
              + "by default it is read from its topic.")
  private Optional<Path> saved = Optional.empty();

  @Option(
      names = "--candidates",
      paramLabel = "T",
      description =
          "Number of candidates; by default as many as a query may have, and 20000 with --from.")
  private Optional<Integer> candidates = Optional.empty();

  @Option(
      names = "--records",
      paramLabel = "N",
      description = "Records of pseudo-data for each candidate; by default 1000.")
  private int records = 1000;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "Seconds to wait for answers; by default 60.")
  private long timeout = 60;

  @Option(
      names = "--plot",
      paramLabel = "PNG",
      description = "File for histograms of the posterior.")
  private Optional<Path> plot = Optional.empty();

  @Option(
      names = "--synthetic",
      paramLabel = "CSV",
      description =
          "File for synthetic data, simulated at parameters drawn from the posterior, with "
              + "as many records as the window. Costs no budget.")
  private Optional<Path> synthetic = Optional.empty();

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    drawn.require(output);
    Pipeline pipeline = PipelineFile.read(file);
    if (from.isPresent()) {
      return askRelease(pipeline, from.get());
    }
    if (saved.isPresent()) {
      throw output.bad("--release-file: goes with --from, which names its output");
    }
    return askPipeline(pipeline);
  }

  private int askRelease(Pipeline pipeline, String name)
      throws PipelineFileException, RefusedException {
    ReleaseQuery query =
        new ReleaseQuery(
            model(pipeline),
            output.within("--candidates", candidates.orElse(CANDIDATES), 1, MOST_CANDIDATES),
            drawn.seed());
    PublishedRelease.Wanted wanted =
        PublishedRelease.Wanted.of(file, pipeline, name, subject, window.in(pipeline.window()));
    PublishedRelease release =
        saved.isPresent()
            ? PublishedRelease.ofFile(wanted, saved.get())
            : PublishedRelease.ofTopic(wanted, cluster.reach(pipeline.kafka(), nearby.folder));
    PopulationMonteCarlo.Result result;
    try (Progress weighed =
        new Progress(Terminal.forProgress(), "candidates", query.candidates())) {
      result = query.ask(release, weighed::step);
    }
    report(new FittedReport(query, release, result));
    if (synthetic.isPresent()) {
      drawn
          .into(synthetic.get())
          .simulate(
              pipeline,
              result.posterior(),
              query.model().simulator(),
              release.likelihood().records());
    }
    return result.posterior().isEmpty() ? ExitCode.FAILED.number() : 0;
  }

  private int askPipeline(Pipeline pipeline) throws RefusedException {
    AbcSpec abc = drawn.abc(file, pipeline);
    ModelQuery query =
        new ModelQuery(
            pipeline,
            abc,
            subject,
            pipeline.window().startOf(window.in(pipeline.window()).toEpochMilli()),
            model(pipeline),
            size(abc),
            atLeastOne("--records", records),
            drawn.seed());
    KafkaSettings settings = cluster.reach(pipeline.kafka(), nearby.folder);
    ModelQuery.Outcome outcome;
    try (Progress answers = new Progress(Terminal.forProgress(), "answers", query.candidates())) {
      outcome = query.ask(settings, Duration.ofSeconds(timeout), () -> {}, answers::step);
    }
    report(new PosteriorReport(query, outcome));
    if (synthetic.isPresent() && outcome.facts().isPresent()) {
      drawn
          .into(synthetic.get())
          .simulate(
              pipeline,
              outcome.posterior(),
              query.model().simulator(),
              (int) Math.min(Integer.MAX_VALUE, outcome.facts().get().records()))
          .sentence()
          .ifPresent(output.aside()::println);
    }
    int decided = outcome.answered() + outcome.refusals().values().stream().mapToInt(n -> n).sum();
    if (decided < query.candidates()) {
      System.err.printf(
          "%,d candidates have no answer after %d seconds: check that the pipeline is running "
              + "and the window is closed. They stay queued; run the same command later to "
              + "collect their answers at no cost%n",
          query.candidates() - decided, timeout);
      return ExitCode.FAILED.number();
    }
    if (outcome.answered() == 0) {
      return ExitCode.FAILED.number();
    }
    return 0;
  }

  private ModelQuery.Model model(Pipeline pipeline) {
    try {
      Simulator chosen = Simulators.named(simulator, pipeline.input().allCategories());
      Prior.of(chosen, priors);
      return new ModelQuery.Model(simulator, chosen, priors);
    } catch (IllegalArgumentException e) {
      throw output.bad(e.getMessage());
    }
  }

  private int size(AbcSpec abc) {
    int wanted = atLeastOne("--candidates", candidates.orElse(abc.candidates()));
    if (wanted > abc.candidates()) {
      throw output.bad(
          "--candidates: found %d, the pipeline file allows %d"
              .formatted(wanted, abc.candidates()));
    }
    return wanted;
  }

  private int atLeastOne(String option, int value) {
    if (value < 1) {
      throw output.bad(option + ": found " + value + ", allowed is 1 or more");
    }
    return value;
  }

  private void report(QueryReport report) throws RefusedException {
    if (output.isJson()) {
      output.out().println(report.json());
    } else {
      report.print(output.out());
    }
    output.out().flush();
    if (plot.isPresent()) {
      try {
        report.plot(plot.get());
      } catch (IOException e) {
        throw new RefusedException(ExitCode.REFUSED_FILE, plot.get() + ": cannot be written");
      }
    }
  }
}
