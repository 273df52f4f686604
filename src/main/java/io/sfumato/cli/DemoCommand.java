// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.demo.Demo;
import io.sfumato.demo.Summary;
import io.sfumato.ops.http.HttpSettings;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description =
        "Starts a Kafka broker in this process, plays events of twelve radio listeners through"
            + " topology/demo.yaml and shows the private releases beside the truth. What operators would see"
            + " is a page in the browser.",
    footer = {"", "Example: sfumato demo --seconds 300 --port 8085"})
final class DemoCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--seconds", description = "How long events are played; by default 60.")
  private int seconds = 60;

  @Mixin private HttpOptions http;

  @Mixin private JsonOrText output;

  @Option(
      names = "--pipeline",
      hidden = true,
      description = "Pipeline file; by default topology/demo.yaml of the installation.")
  private Path file = Path.of(System.getProperty("sfumato.home", "."), "topology", "demo.yaml");

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    if (seconds < 1 || seconds > 86_400) {
      throw new ParameterException(
          spec.commandLine(), "--seconds: found " + seconds + ", allowed is 1 to 86400");
    }
    BrokerPart.require();
    Optional<HttpSettings> where = http.settings();
    Demo demo = new Demo(PlanCommand.load(file), where, output.drawing());
    Summary summary = demo.run(Duration.ofSeconds(seconds));
    output.print(
        JsonOrText.object()
            .put("events", summary.events())
            .put("windows", summary.windows())
            .put("releases", summary.releases())
            .put("refusals", summary.refusals())
            .put("dead_letters", summary.deadLetters()),
        summary.toString());
    return 0;
  }
}
