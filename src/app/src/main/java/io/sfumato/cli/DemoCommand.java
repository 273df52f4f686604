// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.demo.Demo;
import io.sfumato.demo.DemoSummary;
import io.sfumato.ops.http.HttpSettings;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Shows private releases beside the true numbers, on made-up events of twelve radio "
          + "listeners.",
      "Starts a Kafka broker in this process and runs topology/demo.yaml. The operators' "
          + "page is at the address that is printed."
    },
    footer = {"", "Example: sfumato demo --seconds 300 --port 8085"})
final class DemoCommand implements Callable<Integer> {
  private static final String NEXT =
      """

      Next, with a file of your own:
        sfumato new mine.yaml --csv events.csv    drafts a pipeline file from the columns
        sfumato plan mine.yaml                    shows its privacy cost and expected errors
        sfumato run mine.yaml --embedded          runs it, with a broker in the same process
      The demo again, with time to look at its page: sfumato demo --seconds 300
      """;

  @Option(
      names = "--seconds",
      paramLabel = "SECONDS",
      description =
          "How long the demo runs; longer only if no window has been released by then; by "
              + "default until every budget is spent, at most 60.")
  private Optional<Integer> length = Optional.empty();

  @Mixin private HttpOptions http;

  @Mixin private JsonOrText output;

  @Option(
      names = "--pipeline",
      paramLabel = "FILE",
      hidden = true,
      description = "Pipeline file; by default topology/demo.yaml of the installation.")
  private Path file = Path.of(System.getProperty("sfumato.home", "."), "topology", "demo.yaml");

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    int seconds = length.orElse(60);
    output.within("--seconds", seconds, 1, 86_400);
    BrokerPart.require();
    Optional<HttpSettings> where = http.settings();
    Demo demo = new Demo(PipelineCommand.planOf(file), where, output.drawing());
    DemoSummary summary = demo.run(Duration.ofSeconds(seconds), length.isPresent());
    output.print(
        JsonOrText.object()
            .put("events", summary.events())
            .put("windows", summary.windows())
            .put("releases", summary.releases())
            .put("refusals", summary.refusals())
            .put("dead_letters", summary.deadLetters()),
        summary.toString());
    output.drawing().println(NEXT);
    return 0;
  }
}
