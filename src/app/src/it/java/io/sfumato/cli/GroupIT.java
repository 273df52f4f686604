// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.runtime.HistogramFile;
import io.sfumato.runtime.Patiently;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Several pipelines in one process: what happens to one of them does not happen to the others. */
@Tag("cluster")
@ExtendWith(SharedBroker.class)
class GroupIT {
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final Pattern PORT = Pattern.compile("status page: http://127.0.0.1:(\\d+)/");

  @TempDir static Path folder;
  private static TestCluster cluster;

  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeAll
  static void connect(TestCluster shared) {
    cluster = shared;
  }

  private static void write(String name) throws Exception {
    Path files = Files.createDirectories(folder.resolve("files"));
    Files.writeString(files.resolve(name + ".yaml"), HistogramFile.lifetime(name, 4));
    Path keys = Files.createDirectories(folder.resolve("keys"));
    NoiseSecret.random().write(keys.resolve(name + ".key"));
    cluster.createTopic(name + "-in", 1);
  }

  private static void publish(String name, int window) throws Exception {
    try (var producer = cluster.producer()) {
      long time = BASE + window * 10_000L;
      producer.send(TestCluster.event(name + "-in", 0, BASE, "ann", time, "a"));
    }
  }

  private static BackgroundCommand runAll() {
    return BackgroundCommand.start(
        "run",
        folder.resolve("files").toString(),
        "--bootstrap-servers",
        cluster.servers(),
        "--secret-file",
        folder.resolve("keys").toString(),
        "--data",
        folder.resolve("data").toString(),
        "--accept-risk",
        "--standbys",
        "0",
        "--port",
        "0",
        "--probe-port",
        "0");
  }

  private HttpResponse<String> get(int port, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
  }

  private void awaitStatus(int port, String path, int status) {
    Patiently.await()
        .atMost(TestCluster.PATIENCE)
        .until(() -> get(port, path).statusCode() == status);
  }

  @Test
  void shouldKeepTheOthersRunningWhenOneEnds() throws Exception {
    write("left");
    write("right");
    Files.writeString(
        folder.resolve("files").resolve("wrong.yaml"), "pipeline: wrong\nbudgit: 1\n");
    for (String name : List.of("left", "right")) {
      publish(name, 0);
      publish(name, 1);
    }
    try (BackgroundCommand all = runAll()) {
      cluster.awaitCount("left-mix", 1);
      cluster.awaitCount("right-mix", 1);
      all.awaitText("[wrong] ");
      Matcher found = PORT.matcher(all.text());
      assertThat(found.find()).as(all.text()).isTrue();
      int port = Integer.parseInt(found.group(1));
      awaitStatus(port, "/left/readyz", 200);
      awaitStatus(port, "/right/readyz", 200);
      assertThat(get(port, "/readyz").statusCode()).as("one file is wrong").isEqualTo(503);
      assertThat(get(port, "/livez").statusCode()).isEqualTo(200);
      assertThat(get(port, "/").body()).contains("href=\"left/\"", "wrong.yaml", "exit code 3");
      assertThat(get(port, "/left/snapshot.json").body()).contains("left");
      assertThat(get(port, "/metrics").body())
          .contains("sfumato_ready{pipeline=\"left\"} 1.0")
          .contains("sfumato_ready{pipeline=\"right\"} 1.0")
          .containsOnlyOnce("# HELP sfumato_ready ");

      cluster.deleteTopics(List.of("sfumato-left-ledger-store-changelog"));
      awaitStatus(port, "/left/livez", 503);
      publish("right", 2);
      cluster.awaitCount("right-mix", 2);
      assertThat(get(port, "/right/readyz").statusCode()).isEqualTo(200);
      assertThat(all.isAlive()).isTrue();
      CommandResult ended = all.stop();
      assertThat(ended.code()).as(ended.text()).isEqualTo(5);
    }
  }
}
