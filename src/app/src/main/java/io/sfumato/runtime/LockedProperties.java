// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.CommonClientConfigs;

/** Kafka properties that nobody may set, with the reason why. */
final class LockedProperties {
  /** Prefixes with which Kafka Streams passes a property to one of its clients. */
  private static final Pattern CLIENT_PREFIX =
      Pattern.compile("^(main\\.|restore\\.|global\\.)?(consumer|producer|admin)\\.");

  private static final Map<String, String> LOCKED =
      Map.ofEntries(
          Map.entry(
              "processing.guarantee",
              "it is always exactly_once_v2, so that a retry neither charges nor draws twice"),
          Map.entry(
              "isolation.level",
              "it is always read_committed: aborted entries were never accepted"),
          Map.entry(
              "auto.offset.reset",
              "it is always none after the first start: a reset would count records twice"),
          Map.entry("enable.auto.commit", "offsets are committed with the releases"),
          Map.entry("enable.idempotence", "transactions need it"),
          Map.entry("acks", "it is always all: an acknowledged charge must not be lost"),
          Map.entry("transactional.id", "Kafka Streams sets it"),
          Map.entry(
              "application.id", "it follows the budget's name, so that no second ledger can start"),
          Map.entry("group.id", "it follows the budget's name"),
          Map.entry(
              "group.protocol",
              "start offsets and cluster checks are written for the classic protocol"),
          Map.entry(
              "group.instance.id",
              "instances are identified by group membership only; for fast restarts use "
                  + "--standbys"),
          Map.entry("default.timestamp.extractor", "event time never becomes a Kafka timestamp"),
          Map.entry("message.timestamp.extractor", "event time never becomes a Kafka timestamp"),
          Map.entry("cleanup.policy", "a ledger must never expire"),
          Map.entry("retention.ms", "a ledger must never expire"),
          Map.entry("state.dir", "the folder is given by --data"),
          Map.entry(
              "replication.factor", "it is 3, or the number of brokers where the risk is accepted"),
          Map.entry("retention.bytes", "a ledger must never expire"));

  private static final Set<String> LOCKED_SUFFIXES =
      Set.of(
          "exception.handler", "exception.handler.class", ".serde", ".serializer", ".deserializer");

  private LockedProperties() {}

  /** Why a property cannot be set; nothing if it can. */
  static Optional<String> reasonAgainst(String name) {
    if (!name.equals(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)
        && CLIENT_PREFIX
            .matcher(name)
            .replaceFirst("")
            .equals(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)) {
      return Optional.of("all clients use one cluster: set bootstrap.servers");
    }
    String plain = CLIENT_PREFIX.matcher(name).replaceFirst("").replaceFirst("^topic\\.", "");
    if (LOCKED.containsKey(plain)) {
      return Optional.of(LOCKED.get(plain));
    }
    return LOCKED_SUFFIXES.stream().anyMatch(plain::endsWith)
        ? Optional.of("records and errors are handled so that nothing leaks")
        : Optional.empty();
  }
}
