// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.gate.TickKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TickKeys;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "tick-key",
    mixinStandardHelpOptions = true,
    description = {
      "Writes the key that signs ticks of a pipeline's budget to a file that only its "
          + "owner can read.",
      "For a producer that writes ticks and must not have the noise secret."
    },
    footer = {
      "",
      "Example: sfumato tick-key topology/diary.yaml tick.key --secret-file /etc/sfumato/noise.key"
    })
final class TickKeyCommand extends PipelineCommand {
  @Mixin private SecretOptions secrets;

  @Parameters(
      index = "1",
      paramLabel = "KEYFILE",
      description = "A new file; an existing one is never replaced.")
  private Path keyFile;

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Pipeline pipeline = pipeline();
    String budget = pipeline.budget().name();
    TickKey key = secrets.require().tickKey(budget);
    TickKeys.write(key, keyFile);
    output.print(
        JsonOrText.object()
            .put("budget", budget)
            .put("file", keyFile.toString())
            .put("tick_key", key.tag()),
        "wrote %s, tick key %s; anyone who reads it can close windows of budget '%s' and make records late"
            .formatted(keyFile, key.tag(), budget));
    return 0;
  }
}
