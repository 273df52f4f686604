// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Commands that change a topic's settings, for the tool that comes with Kafka, ready to run.
 *
 * @param servers bootstrap servers, "host:port,..."
 */
public record TopicCommand(String servers) {
  /** Sets one setting of a topic. */
  public String set(String topic, String name, Object value) {
    return set(topic, Map.of(name, value.toString()));
  }

  /** Sets some settings of a topic. */
  public String set(String topic, Map<String, String> settings) {
    return "kafka-configs.sh --bootstrap-server %s --command-config admin.properties --alter --topic %s --add-config %s"
        .formatted(
            servers,
            topic,
            new TreeMap<>(settings)
                .entrySet().stream()
                    .map(setting -> setting.getKey() + "=" + setting.getValue())
                    .collect(Collectors.joining(",")));
  }
}
