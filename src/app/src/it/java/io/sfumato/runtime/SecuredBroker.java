// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.devcluster.EmbeddedBroker;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A broker that asks who somebody is, and lets do what rules allow. Everybody's password is his
 * name; {@value ADMIN} may do everything.
 */
final class SecuredBroker implements AutoCloseable {
  static final String ADMIN = "admin";

  /** The authorizer of Kafka itself. */
  static final String STANDARD = "org.apache.kafka.metadata.authorizer.StandardAuthorizer";

  private static final String LOGIN =
      "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"%s\" password=\"%s\"";

  private final EmbeddedBroker broker;

  private SecuredBroker(EmbeddedBroker broker) {
    this.broker = broker;
  }

  /**
   * Starts it.
   *
   * @param authorizer a class
   * @param users who may log in besides {@value ADMIN}
   */
  static SecuredBroker start(Path folder, String authorizer, String... users) throws Exception {
    String known =
        Stream.concat(Stream.of(ADMIN), List.of(users).stream())
            .map(user -> " user_%s=\"%s\"".formatted(user, user))
            .collect(Collectors.joining());
    Map<String, String> config = new HashMap<>();
    config.put("listener.security.protocol.map", "CLIENTS:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT");
    config.put("sasl.mechanism.inter.broker.protocol", "PLAIN");
    config.put("sasl.enabled.mechanisms", "PLAIN");
    config.put("listener.name.clients.plain.sasl.jaas.config", login(ADMIN) + known + ";");
    config.put("authorizer.class.name", authorizer);
    config.put("super.users", "User:" + ADMIN + ";User:ANONYMOUS");
    return new SecuredBroker(EmbeddedBroker.start(folder, EmbeddedBroker.freePort(), config));
  }

  String bootstrapServers() {
    return broker.bootstrapServers();
  }

  /** How this user reaches it. */
  KafkaSettings settings(String user) throws RefusedException {
    return settings(user, Map.of());
  }

  /**
   * How this user reaches it.
   *
   * @param more settings besides
   */
  KafkaSettings settings(String user, Map<String, String> more) throws RefusedException {
    Map<String, String> settings = new HashMap<>(more);
    settings.putAll(properties(user));
    return TestCluster.settings(bootstrapServers(), settings);
  }

  /** The lines of a file for {@code --config}. */
  Map<String, String> properties(String user) {
    return Map.of(
        "security.protocol",
        "SASL_PLAINTEXT",
        "sasl.mechanism",
        "PLAIN",
        "sasl.jaas.config",
        login(user) + ";");
  }

  private static String login(String user) {
    return LOGIN.formatted(user, user);
  }

  @Override
  public void close() {
    broker.close();
  }
}
