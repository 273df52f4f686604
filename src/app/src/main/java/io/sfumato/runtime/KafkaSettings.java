// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.files.PrivateFile;
import io.sfumato.files.SmallFile;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * Every Kafka property a user may give, from four places. Later ones win:
 *
 * <ol>
 *   <li>the {@code kafka:} section of the pipeline file,
 *   <li>a properties file ({@code --config}),
 *   <li>environment variables ({@code SFUMATO_KAFKA_SECURITY_PROTOCOL} for {@code
 *       security.protocol}),
 *   <li>the command line ({@code --bootstrap-servers}).
 * </ol>
 *
 * Those that would break a guarantee, and those that Kafka does not take, are refused by name,
 * never with their values.
 */
public final class KafkaSettings {
  /** Where a cluster is looked for if nobody says. */
  public static final String DEFAULT_SERVERS = "localhost:9092";

  private static final int SHORT_WAIT_MS = 50;

  private static final String ENVIRONMENT_PREFIX = "SFUMATO_KAFKA_";

  /** Certificates may stand in it. */
  private static final int MOST_BYTES = 1 << 20;

  private static final String LOOK = "a properties file has lines such as security.protocol=SSL";

  private final Map<String, String> properties;

  private KafkaSettings(Map<String, String> properties) {
    this.properties = Map.copyOf(properties);
  }

  /**
   * Gathers the settings.
   *
   * @throws RefusedException if one is locked or unfit, the file cannot be read, or it holds
   *     secrets and is open to others
   */
  public static KafkaSettings gather(
      Map<String, String> section,
      Optional<Path> file,
      Map<String, String> environment,
      Optional<String> bootstrapServers)
      throws RefusedException {
    return gather(section, file, environment, bootstrapServers, () -> DEFAULT_SERVERS);
  }

  /**
   * The same with another cluster where nobody names one.
   *
   * @param otherwise its address
   */
  public static KafkaSettings gather(
      Map<String, String> section,
      Optional<Path> file,
      Map<String, String> environment,
      Optional<String> bootstrapServers,
      Supplier<String> otherwise)
      throws RefusedException {
    Map<String, String> all = new TreeMap<>();
    List<String> problems = new ArrayList<>();
    add(all, section, "the pipeline file's section 'kafka'", problems);
    if (file.isPresent()) {
      add(all, load(file.get()), file.get().toString(), problems);
    }
    add(all, fromEnvironment(environment), "the environment", problems);
    bootstrapServers.ifPresent(s -> all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, s));
    withoutPort(all)
        .ifPresent(
            server ->
                problems.add(
                    "'%s' has no port: write HOST:PORT, such as %s:9092"
                        .formatted(server, server.isEmpty() ? "localhost" : server)));
    try {
      Timeouts.of(all);
    } catch (IllegalArgumentException e) {
      problems.add(e.getMessage());
    }
    if (!problems.isEmpty()) {
      throw new RefusedException(ExitCode.REFUSED_FILE, String.join("\n", problems));
    }
    all.computeIfAbsent(
        CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, nobodySaid -> otherwise.get());
    return new KafkaSettings(all);
  }

  /** The first server that is given without a port. */
  private static Optional<String> withoutPort(Map<String, String> all) {
    String servers = all.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG);
    return servers == null
        ? Optional.empty()
        : Stream.of(servers.split(",", -1))
            .map(String::strip)
            .filter(server -> !server.matches(".*:\\d+"))
            .findFirst();
  }

  /** Where the cluster is, "host:port,...". */
  public String bootstrapServers() {
    return properties.get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG);
  }

  /** All of them, for Kafka Streams, which passes each to the clients that know it. */
  public Map<String, String> all() {
    return properties;
  }

  /** For administration. */
  public Map<String, Object> admin() {
    Map<String, Object> config = client("admin.", AdminClientConfig.configNames());
    // Nobody waits longer for an answer; closing would wait for calls that are still out.
    config.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 30_000);
    return config;
  }

  /** For writing beside Kafka Streams: idempotent, acknowledged by all. */
  public Map<String, Object> producer() {
    Map<String, Object> config = client("producer.", ProducerConfig.configNames());
    config.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, 20_000);
    // A partition that knows nothing of a producer takes any batch as its first. Where a topic is
    // new, a second one in flight can be taken while the first is refused, which is lost then
    // (KAFKA-15591).
    config.putIfAbsent(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    return config;
  }

  /** For reading outputs: committed ones only. */
  public Map<String, Object> consumer() {
    Map<String, Object> config = client("consumer.", ConsumerConfig.configNames());
    config.putIfAbsent(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 20_000);
    // To close waits for the fetch that is under way, hence for half a second after the last
    // record of a topic; a start reads a dozen of them.
    config.putIfAbsent(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, SHORT_WAIT_MS);
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    // Whoever reads makes no topics.
    config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    return config;
  }

  private Map<String, Object> client(String prefix, Set<String> known) {
    Map<String, Object> config = new HashMap<>();
    properties.forEach(
        (name, value) -> {
          if (known.contains(name) || ClientProperties.isForeign(name)) {
            config.put(name, value);
          }
        });
    properties.forEach(
        (name, value) -> {
          if (name.startsWith(prefix)) {
            config.put(name.substring(prefix.length()), value);
          }
        });
    // Most of these clients live for a moment, and a start makes a dozen of them: nobody looks at
    // their metrics, which each registers one by one else, and offers to the brokers.
    config.putIfAbsent(CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG, "");
    config.putIfAbsent(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
    return config;
  }

  private static void add(
      Map<String, String> all, Map<String, String> more, String place, List<String> problems) {
    more.forEach(
        (name, value) -> {
          LockedProperties.reasonAgainst(name)
              .ifPresentOrElse(
                  reason ->
                      problems.add(
                          place
                              + ": property '"
                              + name
                              + "' cannot be set: "
                              + reason
                              + "; remove it"),
                  () -> {
                    all.put(name, value);
                    ClientProperties.problem(name, value)
                        .ifPresent(
                            problem ->
                                problems.add(place + ": property '" + name + "': " + problem));
                  });
        });
  }

  private static Map<String, String> load(Path file) throws RefusedException {
    Properties loaded = new Properties();
    String text;
    try {
      text = SmallFile.read(file, MOST_BYTES, LOOK);
    } catch (IllegalArgumentException e) {
      throw new RefusedException(ExitCode.REFUSED_FILE, e.getMessage());
    } catch (IOException e) {
      throw unreadable(file, e);
    }
    try {
      loaded.load(new StringReader(text));
    } catch (IOException | IllegalArgumentException e) {
      throw unreadable(file, e);
    }
    Map<String, String> map = new TreeMap<>();
    loaded.stringPropertyNames().forEach(name -> map.put(name, loaded.getProperty(name)));
    requirePrivate(file, map);
    return map;
  }

  private static RefusedException unreadable(Path file, Exception e) {
    return new RefusedException(
        ExitCode.REFUSED_FILE,
        file + ": cannot be read as a properties file (" + e.getClass().getSimpleName() + ")");
  }

  /** Passwords are kept like keys. */
  private static void requirePrivate(Path file, Map<String, String> properties)
      throws RefusedException {
    List<String> secrets =
        properties.entrySet().stream()
            .filter(entry -> ClientProperties.holdsSecret(entry.getKey(), entry.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    if (secrets.isEmpty()) {
      return;
    }
    try {
      PrivateFile.require(file);
    } catch (IOException | IllegalArgumentException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "the file holds secrets (%s): %s".formatted(String.join(", ", secrets), e.getMessage()));
    }
  }

  /** Variables of an environment that hold a password, or another secret, in their order. */
  static List<String> secretsIn(Map<String, String> environment) {
    return environment.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(ENVIRONMENT_PREFIX))
        .filter(entry -> ClientProperties.holdsSecret(property(entry.getKey()), entry.getValue()))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  private static String property(String variable) {
    return variable
        .substring(ENVIRONMENT_PREFIX.length())
        .toLowerCase(Locale.ROOT)
        .replace('_', '.');
  }

  private static Map<String, String> fromEnvironment(Map<String, String> environment) {
    Map<String, String> map = new TreeMap<>();
    environment.forEach(
        (name, value) -> {
          if (name.startsWith(ENVIRONMENT_PREFIX)) {
            map.put(property(name), value);
          }
        });
    return map;
  }
}
