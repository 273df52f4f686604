// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.console.Terminal;
import io.sfumato.release.PipelineSchema;
import io.sfumato.runtime.RefusedException;
import io.sfumato.scaffold.ReplacedFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The JSON Schema of pipeline files, for editors. */
@Command(
    name = "schema",
    mixinStandardHelpOptions = true,
    description = {
      "Prints the JSON Schema of pipeline files, for editors.",
      "Editors use it to complete and check a pipeline file whose first line names it:",
      "  # yaml-language-server: $$schema=pipeline.schema.json"
    },
    footer = {
      "",
      "Examples:",
      "  sfumato schema --out pipeline.schema.json",
      "  sfumato schema | jq '.properties.window.properties | keys'"
    })
final class SchemaCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Where to write it; an existing file is replaced. By default it is printed.")
  private Path out;

  @Override
  public Integer call() throws RefusedException {
    PrintWriter terminal = Terminal.over(spec.commandLine().getOut());
    if (out == null) {
      terminal.print(PipelineSchema.text());
    } else {
      new ReplacedFile(out).write(PipelineSchema.text());
      terminal.printf("wrote %s%n", out);
    }
    terminal.flush();
    return 0;
  }
}
