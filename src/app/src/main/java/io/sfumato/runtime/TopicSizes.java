// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.pipeline.MessageLimit;
import io.sfumato.pipeline.OutputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.SizeBound;
import io.sfumato.release.Plan;
import io.sfumato.release.WorstCase;
import io.sfumato.topology.context.Names;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.producer.ProducerConfig;

/** The largest record that a pipeline may ever write to each of its topics. */
public final class TopicSizes {
  /** The topics' setting that bounds it, in bytes of a batch. */
  public static final String SETTING = "max.message.bytes";

  /** What Kafka's producer sends and holds at most unless told. */
  private static final Map<String, Long> PRODUCER =
      Map.of(
          ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 1L << 20,
          ProducerConfig.BUFFER_MEMORY_CONFIG, 32L << 20);

  private final Map<String, Long> needed;

  private TopicSizes(Map<String, Long> needed) {
    this.needed = needed;
  }

  /** Of a plan: journals, changelogs, outputs, refusals, dead letters. */
  public static TopicSizes of(Plan plan) {
    Pipeline pipeline = plan.pipeline();
    Map<String, Long> needed = new HashMap<>();
    for (SizeBound one : WorstCase.of(plan).all()) {
      for (String topic : topics(pipeline, one)) {
        needed.merge(topic, one.bytes() + MessageLimit.AROUND, Math::max);
      }
    }
    return new TopicSizes(needed);
  }

  private static List<String> topics(Pipeline pipeline, SizeBound one) {
    return switch (one.kind()) {
      case ENTRY -> Names.journalTopics(pipeline);
      case ROW -> List.of(Names.changelogTopic(pipeline.applicationId(), one.name()));
      case OUTPUT ->
          List.of(
              pipeline.outputs().stream()
                  .filter(release -> release.name().equals(one.name()))
                  .map(OutputSpec::topic)
                  .findFirst()
                  .orElse(one.name()));
    };
  }

  /** Bytes of a batch with the largest record of a topic; none where nothing is written to it. */
  public OptionalLong needed(String topic) {
    return needed.containsKey(topic) ? OptionalLong.of(needed.get(topic)) : OptionalLong.empty();
  }

  /**
   * A topic that takes too little.
   *
   * @param topic by name
   * @param found what it takes
   * @param needed what it must take
   */
  public record Lack(String topic, long found, long needed) {
    /** What mends it. */
    public String fix(TopicCommand command) {
      return command.set(topic, SETTING, Math.max(needed, MessageLimit.TOPIC_DEFAULT));
    }

    String sentence(TopicCommand command) {
      return "%s has %s=%d, it needs %d: %s".formatted(topic, SETTING, found, needed, fix(command));
    }
  }

  /** Whether a topic takes too little. */
  public Optional<Lack> lack(String topic, Config config) {
    long found = Long.parseLong(config.get(SETTING).value());
    return needed(topic).stream()
        .filter(bytes -> found < bytes)
        .mapToObj(bytes -> new Lack(topic, found, bytes))
        .findFirst();
  }

  /**
   * Checks what the producer may send.
   *
   * @throws RefusedException if a setting is too small for what the plan may need
   */
  public void requireProducer(KafkaSettings settings) throws RefusedException {
    List<String> problems = producerProblems(settings);
    if (!problems.isEmpty()) {
      throw new RefusedException(ExitCode.REFUSED_FILE, String.join("\n", problems));
    }
  }

  /** Settings of the producer that are too small for what the plan may need. */
  public List<String> producerProblems(KafkaSettings settings) {
    long most = Collections.max(needed.values());
    Map<String, Object> given = settings.producer();
    List<String> problems = new ArrayList<>();
    PRODUCER.forEach(
        (name, standard) -> {
          String value = given.getOrDefault(name, standard).toString().trim();
          // What is no number Kafka refuses by itself.
          if (value.matches("\\d{1,18}") && Long.parseLong(value) < most) {
            problems.add(
                "property '%s' is %s, but this file may need records of %d bytes ('sfumato plan' says which); remove it or raise it"
                    .formatted(name, value, most));
          }
        });
    return problems;
  }
}
