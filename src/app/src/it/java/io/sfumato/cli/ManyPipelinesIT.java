// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.runtime.Patiently;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many small pipelines of users in one process, and what they need beside one that runs alone. At
 * full size: {@code mvn verify -Dit.test=ManyPipelinesIT -Dsfumato.pipelines=20}.
 */
@ExtendWith(SharedBroker.class)
@Tag("cluster")
class ManyPipelinesIT {
  private static final int PIPELINES = Integer.getInteger("sfumato.pipelines", 3);
  private static final int PARTITIONS = 2;
  private static final int USERS = 100;
  private static final long BASE = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  @TempDir Path folder;

  /** What a process needs; sizes in MiB. */
  private record Need(double heap, double resident, long threads) {
    /** Of a process whose garbage was collected just now. */
    static Need of(Process process, RunningPage page) throws Exception {
      collectGarbage(process);
      return new Need(
          sum(page.get("/metrics").body(), "jvm_memory_used_bytes{area=\"heap\"") / (1 << 20),
          status(process, "VmRSS") / 1024.0,
          status(process, "Threads"));
    }

    private static void collectGarbage(Process process) throws Exception {
      Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
      Process collection =
          new ProcessBuilder(jcmd.toString(), Long.toString(process.pid()), "GC.run")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      assertThat(collection.waitFor()).isZero();
    }

    private static double sum(String metrics, String series) {
      return metrics
          .lines()
          .filter(line -> line.startsWith(series))
          .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
          .sum();
    }

    private static long status(Process process, String field) throws IOException {
      return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
          .filter(line -> line.startsWith(field + ":"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElseThrow();
    }
  }

  /** What a run needed, and how many topics and partitions it made. */
  private record Measured(double seconds, Need started, Need released, int topics, int partitions) {
    void print(int pipelines) {
      System.out.printf(
          Locale.ROOT,
          "| %d | %.0f s | %.0f MiB | %.0f MiB | %.0f MiB | %.0f MiB | %d | %d | %d |%n",
          pipelines,
          seconds,
          started.heap(),
          started.resident(),
          released.heap(),
          released.resident(),
          released.threads(),
          topics,
          partitions);
    }
  }

  private static String yaml(String name) {
    return """
        pipeline: %1$s
        kafka: { num.stream.threads: "1" }
        input: { topic: %1$s-in, subject: { constant: all }, user: who, time: at, category: what, categories: [a, b] }
        contributions: { per-window: 2, subjects: 1 }
        subjects: [all]
        window: { size: 10s, clock: ticks, begin: 2026-01-05 }
        budget: { name: %1$s, unit: user, epsilon: 1, delta: 1e-6 }
        releases:
          - count: { name: %1$s-visits, share: { epsilon: 1, delta: 1e-6 }, windows: 5 }
        """
        .formatted(name);
  }

  @Test
  void shouldRunManyPipelinesOfUsersInOneProcess(TestCluster cluster) throws Exception {
    System.out.println(
        "| pipelines | start | heap | RSS | heap after a window | RSS after a window | threads | topics | partitions |");
    Measured one = measured(cluster, List.of("alone"));
    one.print(1);
    List<String> names = IntStream.range(0, PIPELINES).mapToObj(i -> "many-" + i).toList();
    Measured all = measured(cluster, names);
    all.print(PIPELINES);
    assertThat(all.topics()).isEqualTo(PIPELINES * one.topics());
    assertThat(all.partitions()).isEqualTo(PIPELINES * one.partitions());
    assertThat(all.released().resident())
        .as("memory beside that of as many processes")
        .isLessThan(PIPELINES * one.released().resident());
  }

  private Measured measured(TestCluster cluster, List<String> names) throws Exception {
    Path files = Files.createDirectories(folder.resolve(names.get(0)));
    Path keys = Files.createDirectories(folder.resolve("keys"));
    for (String name : names) {
      cluster.createTopic(name + "-in", PARTITIONS);
      Files.writeString(files.resolve(name + ".yaml"), yaml(name));
      NoiseSecret.parse(TestCluster.KEY).write(keys.resolve(name + ".key"));
    }
    Path log = folder.resolve(names.get(0) + ".log");
    long began = System.nanoTime();
    Process process = start(cluster, files, keys, log);
    try {
      Patiently.await()
          .atMost(TestCluster.PATIENCE)
          .until(() -> !process.isAlive() || RunningPage.isIn(Files.readString(log)));
      RunningPage page = RunningPage.of(Files.readString(log));
      page.awaitStatus("/readyz", 200);
      double seconds = (System.nanoTime() - began) / 1e9;
      Need started = Need.of(process, page);
      for (String name : names) {
        send(cluster, name);
      }
      for (String name : names) {
        cluster.awaitCount(name + "-visits", 1);
      }
      Need released = Need.of(process, page);
      Collection<TopicDescription> topics = topics(cluster, names);
      return new Measured(
          seconds,
          started,
          released,
          topics.size(),
          topics.stream().mapToInt(topic -> topic.partitions().size()).sum());
    } finally {
      process.destroy();
      assertThat(process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS))
          .as(Files.readString(log))
          .isTrue();
    }
  }

  private Process start(TestCluster cluster, Path files, Path keys, Path log) throws IOException {
    ProcessBuilder builder =
        CommandProcess.of(
            folder,
            log,
            "run",
            files.toString(),
            "--bootstrap-servers",
            cluster.servers(),
            "--secret-file",
            keys.toString(),
            "--data",
            folder.resolve("data").toString(),
            "--accept-risk",
            "--standbys",
            "0",
            "--port",
            "0",
            "--probe-port",
            "0");
    builder.command().add(1, "-Xmx1g");
    return builder.start();
  }

  /** One window, which closes. */
  private static void send(TestCluster cluster, String name) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer()) {
      for (int user = 0; user < USERS; user++) {
        producer.send(
            TestCluster.event(
                name + "-in", user % PARTITIONS, BASE, "user" + user, BASE + user, "a"));
      }
      for (int partition = 0; partition < PARTITIONS; partition++) {
        producer.send(TestCluster.tick(name, name + "-in", partition, BASE, BASE + 10_000));
      }
    }
  }

  /** All topics that pipelines have, but for those of records. */
  private static Collection<TopicDescription> topics(TestCluster cluster, List<String> names)
      throws Exception {
    try (Admin admin = cluster.client()) {
      List<String> theirs =
          admin.listTopics().names().get().stream()
              .filter(
                  topic ->
                      names.stream()
                          .anyMatch(
                              name ->
                                  topic.startsWith(name + "-")
                                      || topic.startsWith("sfumato-" + name + "-")))
              .filter(topic -> !topic.endsWith("-in"))
              .toList();
      return admin.describeTopics(theirs).allTopicNames().get().values();
    }
  }
}
