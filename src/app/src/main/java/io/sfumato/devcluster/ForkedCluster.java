// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.devcluster;

import java.io.IOException;
import java.io.Writer;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Uuid;

/**
 * Several brokers, each in a process of its own and a controller too, with everything replicated as
 * in production: to be killed, or to be measured without a program in the same process.
 */
public final class ForkedCluster implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration POLL = Duration.ofMillis(100);

  private final Path folder;
  private final int[] ports;
  private final int[] controllerPorts;
  private final List<String> options;
  private final List<Process> processes = new ArrayList<>();

  private ForkedCluster(Path folder, int brokers, List<String> options) {
    this.folder = folder;
    this.options = List.copyOf(options);
    this.ports = IntStream.range(0, brokers).map(i -> EmbeddedBroker.freePort()).toArray();
    this.controllerPorts =
        IntStream.range(0, brokers).map(i -> EmbeddedBroker.freePort()).toArray();
  }

  /**
   * Starts brokers and waits until all of them serve.
   *
   * @param brokers number of them, odd
   */
  public static ForkedCluster start(Path folder, int brokers) {
    return start(folder, brokers, List.of("-cp", System.getProperty("java.class.path")));
  }

  /**
   * The same with options for each broker's JVM.
   *
   * @param brokers number of them, odd
   * @param options its class path is among them
   */
  public static ForkedCluster start(Path folder, int brokers, List<String> options) {
    ForkedCluster cluster = new ForkedCluster(folder, brokers, options);
    String id = Uuid.randomUuid().toString();
    try {
      for (int broker = 0; broker < brokers; broker++) {
        Path log = Files.createDirectories(folder.resolve("broker-" + broker));
        EmbeddedBroker.format(log, broker, id);
        Properties config = new Properties();
        config.putAll(cluster.config(broker, log));
        try (Writer out = Files.newBufferedWriter(cluster.file(broker))) {
          config.store(out, null);
        }
        cluster.processes.add(cluster.fork(broker));
      }
      cluster.awaitAll();
      return cluster;
    } catch (Exception e) {
      cluster.close();
      throw new IllegalStateException("cannot start brokers in " + folder, e);
    }
  }

  /** Addresses for clients. */
  public String bootstrapServers() {
    return IntStream.of(ports).mapToObj(port -> HOST + ":" + port).collect(Collectors.joining(","));
  }

  /** Kills a broker as the operating system would: at once, with nothing written that was not. */
  public void kill(int broker) throws InterruptedException {
    processes.get(broker).destroyForcibly().waitFor();
  }

  /** A broker's process, to be stopped and resumed by signals. */
  public Process process(int broker) {
    return processes.get(broker);
  }

  /** Starts a killed broker again on its log. */
  public void restart(int broker) throws IOException {
    processes.set(broker, fork(broker));
  }

  /** Waits until all brokers serve and every replica is in sync. */
  public void awaitAll() throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      while (!isWhole(admin)) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException("the brokers did not come back; see " + folder);
        }
        LockSupport.parkNanos(POLL.toNanos());
      }
    }
  }

  private boolean isWhole(Admin admin) throws InterruptedException {
    for (int port : ports) {
      // A broker that was killed a moment ago may still look alive to the others.
      if (!accepts(port)) {
        return false;
      }
    }
    try {
      if (admin.describeCluster().nodes().get(5, TimeUnit.SECONDS).size() < ports.length) {
        return false;
      }
      for (TopicDescription topic :
          admin
              .describeTopics(admin.listTopics().names().get(5, TimeUnit.SECONDS))
              .allTopicNames()
              .get(5, TimeUnit.SECONDS)
              .values()) {
        if (topic.partitions().stream().anyMatch(p -> p.isr().size() < p.replicas().size())) {
          return false;
        }
      }
      return true;
    } catch (ExecutionException | TimeoutException e) {
      return false;
    }
  }

  private static boolean accepts(int port) {
    try (Socket socket = new Socket(HOST, port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** Kills all brokers, and returns when none writes any more: their folder may be deleted then. */
  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
    processes.forEach(process -> process.onExit().join());
  }

  private Process fork(int broker) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx320m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(options);
    command.addAll(List.of(BrokerProcess.class.getName(), file(broker).toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(
            ProcessBuilder.Redirect.appendTo(folder.resolve("broker-" + broker + ".log").toFile()))
        .start();
  }

  private Path file(int broker) {
    return folder.resolve("broker-" + broker + ".properties");
  }

  private Map<String, String> config(int broker, Path log) {
    Map<String, String> config =
        EmbeddedBroker.config(log, broker, ports[broker], controllerPorts[broker]);
    config.put(
        "controller.quorum.voters",
        IntStream.range(0, ports.length)
            .mapToObj(i -> i + "@" + HOST + ":" + controllerPorts[i])
            .collect(Collectors.joining(",")));
    String replicas = Integer.toString(Math.min(3, ports.length));
    String inSync = ports.length >= 3 ? "2" : "1";
    config.put("default.replication.factor", replicas);
    config.put("min.insync.replicas", inSync);
    config.put("offsets.topic.replication.factor", replicas);
    config.put("transaction.state.log.replication.factor", replicas);
    config.put("transaction.state.log.min.isr", inSync);
    config.put("share.coordinator.state.topic.replication.factor", replicas);
    config.put("share.coordinator.state.topic.min.isr", inSync);
    // A killed broker is missed soon, and may come back soon.
    config.put("broker.session.timeout.ms", "3000");
    config.put("broker.heartbeat.interval.ms", "500");
    return config;
  }
}
