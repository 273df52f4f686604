// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.JaasContext;
import org.apache.kafka.streams.StreamsConfig;

/**
 * What Kafka's clients take as properties. Their own errors quote values, and say nothing until a
 * client is made; here one is found when it is read, and named alone.
 */
public final class ClientProperties {
  private static final Pattern SECRET =
      Pattern.compile(
          "(?i).*(password|secret|user\\.?info|jaas|credential|token|private|keystore\\.key).*");

  /** Some of those whose names sound like secrets say how one is used, or where one lies. */
  private static final Pattern ABOUT_SECRETS =
      Pattern.compile(
          "(?i).*(\\.url|\\.source|\\.class|\\.handler|\\.location|\\.file|\\.type|\\.ms|\\.seconds|\\.claim\\.name)");

  private static final Pattern PREFIX =
      Pattern.compile("^(?:main\\.|restore\\.|global\\.)?(consumer|producer|admin)\\.");

  /** Filled in by a provider when a client is made. */
  private static final String PLACEHOLDER = "${";

  private static final Map<String, ConfigDef> CLIENTS = clients();

  private ClientProperties() {}

  private static Map<String, ConfigDef> clients() {
    Map<String, ConfigDef> clients = new LinkedHashMap<>();
    clients.put("consumer", ConsumerConfig.configDef());
    clients.put("producer", ProducerConfig.configDef());
    clients.put("admin", AdminClientConfig.configDef());
    clients.put("streams", StreamsConfig.configDef());
    return clients;
  }

  /** Whether a property's value is nobody's business. */
  public static boolean isSecret(String name) {
    return SECRET.matcher(name).matches();
  }

  /** Whether a file that sets a property is to be kept like a key. */
  static boolean holdsSecret(String name, String value) {
    return isSecret(name)
        && !ABOUT_SECRETS.matcher(name).matches()
        && !value.isBlank()
        && !value.strip().startsWith(PLACEHOLDER);
  }

  /**
   * Whether no part of Kafka knows a property, nor this program: a class of one's own may, which
   * logs in or encrypts. Kafka's clients hand them on, too.
   */
  static boolean isForeign(String name) {
    return !isKnown(name)
        && !PREFIX.matcher(name).find()
        && !name.startsWith("topic.")
        && !name.startsWith("schema.registry.");
  }

  static boolean isKnown(String name) {
    return CLIENTS.values().stream().anyMatch(client -> client.names().contains(name));
  }

  /** Why a client would not take a property, without its value. */
  static Optional<String> problem(String name, String value) {
    if (value.contains(PLACEHOLDER)) {
      return Optional.empty();
    }
    Matcher prefix = PREFIX.matcher(name);
    boolean prefixed = prefix.find();
    String plain = prefixed ? name.substring(prefix.end()) : name;
    if (plain.equals(SaslConfigs.SASL_JAAS_CONFIG)) {
      return jaas(value);
    }
    for (ConfigDef client :
        prefixed ? List.of(CLIENTS.get(prefix.group(1))) : List.copyOf(CLIENTS.values())) {
      ConfigDef.ConfigKey key = client.configKeys().get(plain);
      if (key != null && isRefused(client, plain, value)) {
        return Optional.of(
            key.type == ConfigDef.Type.CLASS
                ? "the class was not found. Check its spelling, and that its jar is on the class"
                    + " path (SFUMATO_CLASS_PATH)"
                : "Kafka does not take its value; allowed is " + allowed(key));
      }
    }
    return Optional.empty();
  }

  private static boolean isRefused(ConfigDef client, String name, String value) {
    ConfigValue checked = client.validateAll(Map.of(name, value)).get(name);
    return !checked.errorMessages().isEmpty();
  }

  private static String allowed(ConfigDef.ConfigKey key) {
    String type = "a value of type " + key.type;
    return key.validator == null ? type : type + ", " + key.validator;
  }

  private static Optional<String> jaas(String value) {
    try {
      JaasContext.loadClientContext(Map.of(SaslConfigs.SASL_JAAS_CONFIG, new Password(value)));
      return Optional.empty();
    } catch (RuntimeException e) {
      // Its message quotes what stands where it stumbled, a part of a password perhaps.
      return Optional.of(
          "it is no JAAS entry that Kafka takes; it looks like: CLASS required NAME=\"VALUE\""
              + " NAME=\"VALUE\"; with quotes round each value, and a semicolon at its end");
    }
  }
}
