// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;

/**
 * The certificates and keys that a user's properties name for a schema registry. Kafka itself reads
 * them, so that a file which serves its clients serves here, too.
 */
final class RegistryTls {
  /** Kafka's own default would be JKS. */
  private static final String DEFAULT_TYPE = "PKCS12";

  private static final List<String> STORES = List.of("truststore", "keystore");

  private RegistryTls() {}

  static Optional<SSLContext> of(Map<String, String> all) throws RefusedException {
    Map<String, String> named = new HashMap<>();
    all.forEach(
        (name, value) -> {
          if (name.startsWith(SchemaRegistries.SSL)) {
            named.put("ssl." + name.substring(SchemaRegistries.SSL.length()), value);
          }
        });
    if (named.isEmpty()) {
      return Optional.empty();
    }
    for (String store : STORES) {
      requireStore(named, store);
      named.putIfAbsent("ssl." + store + ".type", DEFAULT_TYPE);
    }
    // One after the other, to name the one that cannot be read.
    context(only(named, "truststore"), SchemaRegistries.SSL + "truststore");
    return Optional.of(context(named, SchemaRegistries.SSL + "keystore"));
  }

  private static Map<String, String> only(Map<String, String> named, String store) {
    return named.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith("ssl." + store + "."))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static void requireStore(Map<String, String> named, String store)
      throws RefusedException {
    String location = named.get("ssl." + store + ".location");
    if (location == null) {
      return;
    }
    String property = SchemaRegistries.SSL + store;
    if (!isFile(location)) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE, "property '%s.location' names no file".formatted(property));
    }
    String type = named.getOrDefault("ssl." + store + ".type", DEFAULT_TYPE);
    if (!isKnown(type)) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "property '%s.type' is not known: PEM, PKCS12 and JKS are".formatted(property));
    }
  }

  private static boolean isFile(String location) {
    try {
      return Files.isRegularFile(Path.of(location));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static boolean isKnown(String type) {
    try {
      return type.equals(DefaultSslEngineFactory.PEM_TYPE) || KeyStore.getInstance(type) != null;
    } catch (KeyStoreException e) {
      return false;
    }
  }

  private static SSLContext context(Map<String, String> named, String property)
      throws RefusedException {
    ConfigDef known = new ConfigDef();
    SslConfigs.addClientSslSupport(known);
    try (DefaultSslEngineFactory factory = new DefaultSslEngineFactory()) {
      factory.configure(new AbstractConfig(known, named, false).values());
      return factory.sslContext();
    } catch (KafkaException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "what the properties '%s.*' name cannot be read: check location, type and password (%s)"
              .formatted(property, e.getClass().getSimpleName()));
    }
  }
}
