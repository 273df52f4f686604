// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TickKeys;
import io.sfumato.serde.TickHeader;
import java.nio.file.Path;
import java.util.Map;
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

  /** Of an embedded cluster, if one was named. */
  Optional<Path> folder() {
    return secrets.data;
  }

  /**
   * How ticks of a pipeline are signed.
   *
   * @throws RefusedException if nobody would take them
   */
  TickHeader require(Pipeline pipeline, KafkaSettings settings) throws RefusedException {
    return find(pipeline, settings)
        .map(signer -> TickHeader.signedBy(signer.key()))
        .orElseGet(TickHeader::unsigned);
  }

  /**
   * What signs ticks for a cluster; nothing where a file takes them unsigned and no key is at hand.
   *
   * @throws RefusedException if nobody would take them
   */
  Optional<TickSigner> find(Pipeline pipeline, KafkaSettings settings) throws RefusedException {
    Optional<TickSigner> signer =
        keyFile.isPresent()
            ? ofItsOwn(pipeline)
            : secrets.findWithPlace(settings).map(found -> derived(found, pipeline));
    if (signer.isEmpty() && pipeline.window().ticks() != WindowSpec.Ticks.TRUSTED) {
      throw missing();
    }
    return signer;
  }

  /** What signs ticks for a cluster, without which there are none. */
  TickSigner requireKey(Pipeline pipeline, KafkaSettings settings) throws RefusedException {
    return find(pipeline, settings).orElseThrow(TickOptions::missing);
  }

  /** The same where no cluster is asked. */
  TickSigner requireKey(Pipeline pipeline) throws RefusedException {
    Optional<TickSigner> signer =
        keyFile.isPresent()
            ? ofItsOwn(pipeline)
            : secrets.findAlone().map(found -> derived(found, pipeline));
    return signer.orElseThrow(TickOptions::missing);
  }

  private Optional<TickSigner> ofItsOwn(Pipeline pipeline) throws RefusedException {
    return TickKeys.find(
            pipeline.budget().name(), keyFile, Optional.empty(), Map.of(), Optional.empty())
        .map(key -> new TickSigner(key, Optional.empty(), keyFile.orElseThrow().toString()));
  }

  private static TickSigner derived(LocalSecretOptions.Found found, Pipeline pipeline) {
    return new TickSigner(
        found.secret().tickKey(pipeline.budget().name()),
        Optional.of(found.secret().derive()),
        found.place());
  }

  private static RefusedException missing() {
    return new RefusedException(
        ExitCode.REFUSED_FILE,
        "no key to sign ticks with: give the noise secret with --secret-file FILE (or "
            + "SFUMATO_NOISE_SECRET), a tick key with --tick-key FILE, or the folder of an "
            + "embedded cluster with --data DIR (valid for that cluster only). A pipeline refuses "
            + "unsigned ticks unless its file says window: {..., ticks: trusted}");
  }
}
