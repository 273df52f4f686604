// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.noise.TickKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TickKeys;
import io.sfumato.serde.TickHeader;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What signs ticks: a key of its own, or the noise secret. */
final class TickOptions {
  @Option(
      names = "--tick-key",
      paramLabel = "FILE",
      description = "File with the budget's tick key, made by 'sfumato tick-key'.")
  private Optional<Path> keyFile = Optional.empty();

  @Mixin private LocalSecretOptions secrets;

  /**
   * How ticks of a pipeline are signed.
   *
   * @throws RefusedException if nobody would take them
   */
  TickHeader require(Pipeline pipeline, KafkaSettings settings) throws RefusedException {
    Optional<TickKey> key = find(pipeline, settings.bootstrapServers());
    if (key.isEmpty() && pipeline.window().ticks() == WindowSpec.Ticks.TRUSTED) {
      return TickHeader.unsigned();
    }
    return TickHeader.signedBy(key.orElseThrow(TickOptions::missing));
  }

  /**
   * The key of a pipeline's ticks.
   *
   * @param servers of the cluster that they are for; empty where none is at hand
   */
  TickKey requireKey(Pipeline pipeline, String servers) throws RefusedException {
    return find(pipeline, servers).orElseThrow(TickOptions::missing);
  }

  private Optional<TickKey> find(Pipeline pipeline, String servers) throws RefusedException {
    return TickKeys.find(
        pipeline.budget().name(), keyFile, secrets.file, System.getenv(), secrets.folder(servers));
  }

  private static RefusedException missing() {
    return new RefusedException(
        ExitCode.REFUSED_FILE,
        "nothing to sign ticks with: give the noise secret with --secret-file FILE (or"
            + " SFUMATO_NOISE_SECRET), a tick key with --tick-key FILE, or the folder of an embedded"
            + " cluster with --data DIR. Pipelines take no unsigned ticks unless their file says"
            + " window: {..., ticks: trusted}");
  }
}
