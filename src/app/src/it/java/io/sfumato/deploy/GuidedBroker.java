// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TestCluster;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A broker with an authorizer and two listeners: one for clients, who log in as a guide says, and
 * one for its administrator, who need not.
 */
final class GuidedBroker implements AutoCloseable {
  private final EmbeddedBroker broker;
  private final int clients;
  private final int internal;

  /**
   * Starts it.
   *
   * @param protocol of the clients' listener
   * @param more settings besides
   */
  GuidedBroker(Path folder, String protocol, Map<String, String> more) {
    clients = EmbeddedBroker.freePort();
    internal = EmbeddedBroker.freePort();
    int controller = EmbeddedBroker.freePort();
    Map<String, String> config = new HashMap<>();
    config.put(
        "listeners",
        "CLIENTS://127.0.0.1:%d,INTERNAL://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d"
            .formatted(clients, internal, controller));
    config.put(
        "advertised.listeners",
        "CLIENTS://localhost:%d,INTERNAL://127.0.0.1:%d".formatted(clients, internal));
    config.put("controller.quorum.voters", "1@127.0.0.1:" + controller);
    config.put(
        "listener.security.protocol.map",
        "CLIENTS:%s,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT".formatted(protocol));
    config.put("inter.broker.listener.name", "INTERNAL");
    config.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
    config.put("super.users", "User:ANONYMOUS");
    config.putAll(more);
    broker = EmbeddedBroker.start(folder, clients, config);
  }

  /** Where clients log in. */
  String servers() {
    return "localhost:" + clients;
  }

  /** Where its administrator comes in. */
  String internal() {
    return "127.0.0.1:" + internal;
  }

  KafkaSettings administrator() throws RefusedException {
    return TestCluster.settings(internal(), Map.of());
  }

  @Override
  public void close() {
    broker.close();
  }
}
