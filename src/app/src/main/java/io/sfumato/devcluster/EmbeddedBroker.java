// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.devcluster;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;
import org.slf4j.LoggerFactory;

/**
 * One broker and controller with its log in a folder; starting again on the same folder brings the
 * same cluster back. One replica of everything: for development only.
 */
public final class EmbeddedBroker implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final int NODE = 1;

  /** Below what Linux, macOS and Windows use for outgoing connections. */
  private static final int FIRST_PORT = 20_000;

  private static final int PORTS = 12_000;

  private static final AtomicInteger NEXT_PORT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(PORTS));

  private final KafkaRaftServer server;
  private final int port;

  private EmbeddedBroker(KafkaRaftServer server, int port) {
    this.server = server;
    this.port = port;
  }

  /** Starts on a free port. */
  public static EmbeddedBroker start(Path folder) {
    return start(folder, freePort());
  }

  /**
   * Starts and waits until the broker serves requests.
   *
   * @param folder of the log; formatted if it is new
   * @param port to listen on, on the loopback address only
   * @throws IllegalStateException if the port is taken or the folder cannot be used
   */
  public static EmbeddedBroker start(Path folder, int port) {
    return start(folder, port, Map.of());
  }

  /**
   * Starts with broker properties of one's own, which win over the defaults.
   *
   * @throws IllegalStateException if the port is taken or the folder cannot be used
   */
  public static EmbeddedBroker start(Path folder, int port, Map<String, String> properties) {
    return start(folder, port, properties, Time.SYSTEM);
  }

  /**
   * The same with a clock of its own.
   *
   * @throws IllegalStateException if the port is taken or the folder cannot be used
   */
  public static EmbeddedBroker start(
      Path folder, int port, Map<String, String> properties, Time clock) {
    requireFree(port);
    // The broker's own client warns on every orderly stop.
    ((Logger) LoggerFactory.getLogger(NetworkClient.class)).setLevel(Level.ERROR);
    int controllerPort = freePort();
    try {
      Files.createDirectories(folder);
      format(folder, NODE, Uuid.randomUuid().toString());
    } catch (Exception e) {
      throw new IllegalStateException("cannot prepare the broker's folder " + folder, e);
    }
    Map<String, String> config = config(folder, NODE, port, controllerPort);
    config.putAll(properties);
    KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(config, false), clock);
    server.startup();
    return new EmbeddedBroker(server, port);
  }

  /** Address for clients. */
  public String bootstrapServers() {
    return HOST + ":" + port;
  }

  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }

  /**
   * A port that is free now, and another one each time. It is none of those that systems give to
   * outgoing connections, one of which could take it before it is listened at.
   */
  public static int freePort() {
    for (int tried = 0; tried < PORTS; tried++) {
      int port = FIRST_PORT + Math.floorMod(NEXT_PORT.getAndIncrement(), PORTS);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no port from " + FIRST_PORT + " on is free");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName(HOST))) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  private static void requireFree(int port) {
    if (!isFree(port)) {
      throw new IllegalStateException(
          "port "
              + port
              + " is in use. If another 'sfumato run --embedded' uses it, stop that one "
              + "(Ctrl-C), or leave out --embedded to use its broker (give its folder with "
              + "--data). Otherwise choose another port with --broker-port");
    }
  }

  static void format(Path folder, int node, String clusterId) throws Exception {
    if (Files.exists(folder.resolve("meta.properties"))) {
      return;
    }
    new Formatter()
        .setNodeId(node)
        .setClusterId(clusterId)
        .setDirectories(List.of(folder.toString()))
        .setMetadataLogDirectory(folder.toString())
        .setControllerListenerName("CONTROLLER")
        .setReleaseVersion(MetadataVersion.latestProduction())
        .setPrintStream(
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
        .run();
  }

  static Map<String, String> config(Path folder, int node, int port, int controllerPort) {
    Map<String, String> config = new HashMap<>();
    config.put("process.roles", "broker,controller");
    config.put("node.id", Integer.toString(node));
    config.put("controller.quorum.voters", node + "@" + HOST + ":" + controllerPort);
    config.put(
        "listeners",
        "CLIENTS://" + HOST + ":" + port + ",CONTROLLER://" + HOST + ":" + controllerPort);
    config.put("advertised.listeners", "CLIENTS://" + HOST + ":" + port);
    config.put("listener.security.protocol.map", "CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT");
    config.put("controller.listener.names", "CONTROLLER");
    config.put("inter.broker.listener.name", "CLIENTS");
    config.put("log.dirs", folder.toString());
    config.put("default.replication.factor", "1");
    config.put("offsets.topic.replication.factor", "1");
    config.put("offsets.topic.num.partitions", "4");
    config.put("transaction.state.log.replication.factor", "1");
    config.put("transaction.state.log.min.isr", "1");
    config.put("transaction.state.log.num.partitions", "4");
    config.put("share.coordinator.state.topic.replication.factor", "1");
    config.put("share.coordinator.state.topic.min.isr", "1");
    config.put("group.initial.rebalance.delay.ms", "0");
    config.put("auto.create.topics.enable", "false");
    // Whatever is tried out here may be stamped long ago: the default of 7 days would delete it.
    config.put("log.retention.ms", "-1");
    config.put("log.segment.bytes", "67108864");
    return config;
  }
}
