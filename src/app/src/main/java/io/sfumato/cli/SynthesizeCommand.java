// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.client.Synthesis;
import io.sfumato.modeller.Posterior;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.release.abc.AbcSpec;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "synthesize",
    mixinStandardHelpOptions = true,
    description = {
      "Writes synthetic data from a query's posterior. Costs no budget.",
      "Reads the answers that were given, draws candidates by their weights, and writes "
          + "their pseudo-data.",
      "For a simulator of your own, whose candidates came with values or counts. With a "
          + "built-in one, 'sfumato query --synthetic' simulates again."
    },
    footer = {
      "",
      "Examples:",
      "  sfumato synthesize diary.yaml --query my-query --subject 17 --out synthetic.csv",
      "  sfumato synthesize diary.yaml --query my-query --subject 17 --candidates asked.jsonl \\",
      "      --datasets 100 --seed 7 --out synthetic.csv"
    })
final class SynthesizeCommand extends PipelineCommand.OnNearbyCluster {
  /** The interval that is shown. */
  private static final double SHARE = 0.95;

  @Mixin private SynthesisOptions drawn;

  @Option(names = "--query", required = true, paramLabel = "ID", description = "Id of the query.")
  private String query;

  @Option(
      names = "--subject",
      paramLabel = "SUBJECT",
      required = true,
      converter = NameConverter.class,
      description = "Subject whose data were asked.")
  private String subject;

  @Option(
      names = "--window",
      paramLabel = "TIME",
      description = "A time in the window that was asked, if the query was asked of several.")
  private Optional<GivenTime> window = Optional.empty();

  @Option(
      names = "--candidates",
      paramLabel = "FILE",
      description =
          "File of the query's candidates as they were sent, one JSON object a line; by "
              + "default they are read from their topic.")
  private Optional<Path> candidates = Optional.empty();

  @Option(
      names = "--out",
      required = true,
      paramLabel = "CSV",
      description =
          "File to write: a row a record, the dataset's number first. With a category and "
              + "numbers, each row has one of the two, because pseudo-data do not pair them.")
  private Path out;

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    drawn.require(output);
    Pipeline pipeline = pipeline();
    AbcSpec spec = drawn.abc(file, pipeline);
    Synthesis.Resampled found =
        drawn
            .into(out)
            .resample(
                pipeline,
                spec,
                subject,
                query,
                window.map(
                    time ->
                        Instant.ofEpochMilli(
                            pipeline.window().startOf(time.in(pipeline.window()).toEpochMilli()))),
                candidates,
                reach(pipeline));
    output.print(() -> json(found), () -> text(found));
    return 0;
  }

  private String text(Synthesis.Resampled found) {
    Posterior posterior = found.posterior();
    StringBuilder text = new StringBuilder();
    for (int k = 0; k < posterior.parameters(); k++) {
      double[] interval = posterior.interval(k, SHARE);
      text.append(
          String.format(
              Locale.ROOT,
              "parameter %-3d mean %10.4g, 95%%: %.4g to %.4g%n",
              k + 1,
              posterior.mean(k),
              interval[0],
              interval[1]));
    }
    text.append(
        String.format(
            Locale.ROOT,
            "%,d synthetic datasets of %,d answers, as much as %.0f equally weighted draws: %s",
            drawn.datasets(),
            found.answered(),
            posterior.effectiveSize(),
            out));
    found.leftOut().sentence().ifPresent(line -> text.append(System.lineSeparator()).append(line));
    return text.toString();
  }

  private String json(Synthesis.Resampled found) {
    Posterior posterior = found.posterior();
    ObjectNode root = JsonOrText.object();
    root.put("answered", found.answered())
        .put("effective_draws", posterior.effectiveSize())
        .put("datasets", drawn.datasets())
        .put("seed", drawn.seed())
        .put("out", out.toString());
    ArrayNode lacking = root.putArray("left_out");
    found.leftOut().fields().forEach(lacking::add);
    ArrayNode parameters = root.putArray("posterior");
    for (int k = 0; k < posterior.parameters(); k++) {
      double[] interval = posterior.interval(k, SHARE);
      parameters
          .addObject()
          .put("mean", posterior.mean(k))
          .put("sd", posterior.deviation(k))
          .put("low_95", interval[0])
          .put("high_95", interval[1]);
    }
    return root.toPrettyString();
  }
}
