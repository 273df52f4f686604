// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.ops.http.HttpSettings;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.readers.ReadersPage;
import io.sfumato.release.PipelineFile;
import io.sfumato.runtime.EnvironmentSecretWarning;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    description = {
      "Serves a page for readers of a pipeline's releases: every output over time with its "
          + "intervals, a table, and a CSV download.",
      "The page shows published records only. It reads the output topics like any other "
          + "consumer, needs no secret, and costs no budget. It runs until it is stopped."
    },
    footer = {
      "",
      "Examples:",
      "  sfumato serve topology/wards.yaml",
      "      at http://127.0.0.1:8087/, for this machine alone",
      "  sfumato serve wards.yaml --bootstrap-servers kafka:9092 --host 0.0.0.0 --token-file readers.token"
    })
final class ServeCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "Pipeline file.")
  private Path file;

  @Mixin private ClusterOptions cluster;

  @Mixin private FolderOptions nearby;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Port of the page; 0 for any; by default 8087, or any if that is in use.")
  private Optional<Integer> port = Optional.empty();

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Address to bind to; by default 127.0.0.1, which only this machine reaches.")
  private String host = HttpSettings.LOOPBACK;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "File with an access token for readers, shown as a bearer token or, in browsers, as the"
              + " password. Or in the environment: "
              + ReaderOptions.TOKEN
              + ".")
  private Optional<Path> tokenFile = Optional.empty();

  private final CountDownLatch stop = new CountDownLatch(1);

  @Override
  public Integer call() throws PipelineFileException, RefusedException, InterruptedException {
    Pipeline pipeline = PipelineFile.read(file);
    HttpSettings http =
        new HttpSettings(
            host,
            HttpOptions.port("--port", port, ReadersPage.DEFAULT_PORT),
            new HttpSettings.Port(0, true),
            TokenFile.read(tokenFile, ReaderOptions.TOKEN, "--token-file"),
            HttpSettings.KafkaMetrics.OF_CLIENTS);
    EnvironmentSecretWarning.ofKafka(System.getenv()).ifPresent(System.err::println);
    KafkaSettings settings = cluster.reach(pipeline.kafka(), nearby.folder);
    Runtime.getRuntime().addShutdownHook(new Thread(stop::countDown, "shutdown"));
    try (ReadersPage page = ReadersPage.open(pipeline, settings, http, "--port and --host")) {
      ReaderOptions.tell(page, http, "--token-file");
      stop.await();
    }
    return 0;
  }
}
