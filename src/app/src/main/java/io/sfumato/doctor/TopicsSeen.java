// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import io.sfumato.ledger.AccountLog;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.context.Names;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * A pipeline's topics, as far as whoever asks may see them.
 *
 * @param described those that are there, with what he may do with each
 * @param configs of those whose settings he may see
 * @param hidden that he may not even know to be there
 * @param hasInternal whether the pipeline has a journal or a changelog
 */
record TopicsSeen(
    Map<String, TopicDescription> described,
    Map<String, Config> configs,
    Set<String> hidden,
    boolean hasInternal) {
  private static final String SUBJECT = "topics";

  static TopicsSeen of(Pipeline pipeline, AdminQueries questions, Admin admin)
      throws RefusedException {
    Set<String> existing = questions.ask("list topics", admin.listTopics().names());
    Set<String> checked = TopicCheck.of(pipeline, existing);
    if (pipeline.budget().account().isPresent()) {
      checked.add(AccountLog.TOPIC);
    }
    Set<String> asked = new TreeSet<>(TopicRole.of(pipeline).keySet());
    asked.addAll(checked);
    if (pipeline.input().topics().pattern().isPresent()) {
      existing.stream().filter(pipeline.input().topics()::include).forEach(asked::add);
    }
    Map<String, TopicDescription> described = new TreeMap<>();
    Set<String> hidden = new TreeSet<>();
    Map<String, KafkaFuture<TopicDescription>> answers =
        admin
            .describeTopics(asked, new DescribeTopicsOptions().includeAuthorizedOperations(true))
            .topicNameValues();
    for (String topic : asked) {
      String what = "describe topic " + topic;
      boolean[] missing = {false};
      Optional<TopicDescription> found =
          questions.ask(
              what,
              SUBJECT,
              AclOperation.DESCRIBE,
              topic,
              answers.get(topic),
              cause -> {
                if (cause instanceof UnknownTopicOrPartitionException) {
                  missing[0] = true;
                  return Optional.empty();
                }
                throw questions.refused(what, cause);
              });
      found.ifPresent(description -> described.put(topic, description));
      if (found.isEmpty() && !missing[0]) {
        hidden.add(topic);
      }
    }
    boolean internal =
        existing.stream().anyMatch(topic -> Names.isInternalTo(pipeline.applicationId(), topic));
    checked.retainAll(described.keySet());
    return new TopicsSeen(described, configs(questions, admin, checked), hidden, internal);
  }

  private static Map<String, Config> configs(
      AdminQueries questions, Admin admin, Collection<String> topics) throws RefusedException {
    List<ConfigResource> resources =
        topics.stream().map(t -> new ConfigResource(ConfigResource.Type.TOPIC, t)).toList();
    Map<ConfigResource, KafkaFuture<Config>> answers = admin.describeConfigs(resources).values();
    Map<String, Config> configs = new TreeMap<>();
    for (ConfigResource resource : resources) {
      questions
          .ask(
              "read the settings of topic " + resource.name(),
              "topics' settings",
              AclOperation.DESCRIBE_CONFIGS,
              resource.name(),
              answers.get(resource))
          .ifPresent(config -> configs.put(resource.name(), config));
    }
    return configs;
  }

  /** Those that the pipeline reads or owns alone. */
  Map<String, TopicDescription> ofPipeline(Pipeline pipeline) {
    Map<String, TopicDescription> own = new TreeMap<>(described);
    own.keySet().retainAll(TopicCheck.of(pipeline, described.keySet()));
    return own;
  }

  /** All partitions of those that are there. */
  Set<TopicPartition> partitions() {
    return described.values().stream()
        .flatMap(
            topic ->
                topic.partitions().stream()
                    .map(info -> new TopicPartition(topic.name(), info.partition())))
        .collect(Collectors.toSet());
  }

  /** Whether topics, as far as they are there, may be read; what may not is noted. */
  boolean canRead(String subject, List<String> topics, AdminQueries questions) {
    List<String> denied = new ArrayList<>();
    for (String topic : topics) {
      TopicDescription found = described.get(topic);
      boolean readable =
          found == null
              || found.authorizedOperations() == null
              || found.authorizedOperations().contains(AclOperation.READ);
      if (hidden.contains(topic) || !readable) {
        denied.add(topic);
      }
    }
    denied.forEach(topic -> questions.lacks(subject, AclOperation.READ, topic));
    return denied.isEmpty();
  }
}
