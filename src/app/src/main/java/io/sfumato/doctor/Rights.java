// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import io.sfumato.ledger.Registry;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.TopicNames;
import io.sfumato.runtime.TransactionalIds;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * What a pipeline must be allowed, and nothing more: topics and group by their whole names,
 * transactions by a prefix that no other budget's name begins with.
 */
public final class Rights {
  /** Somebody's part in a pipeline. */
  public enum Part {
    /** {@code run}. */
    APPLICATION,
    /**
     * {@code ticks: here} or {@code run --auto-tick}, with the rights of the application besides.
     */
    AUTO_TICK,
    /** The same where producers set the records' timestamps, with the rights of it besides. */
    CLOCK_READER,
    /** The commands that look after it, with the rights of the application besides. */
    OPERATOR,
    /** {@code doctor}, with the rights of the application besides. */
    DOCTOR,
    /** {@code doctor} for somebody else, who sees no raw fact. */
    AUDITOR,
    /** {@code tick --at TIME --yes}, and nothing else. */
    TICKER,
    /**
     * {@code tick} that looks for the newest record itself, with the rights of a ticker besides.
     */
    LOOKING_TICKER,
    /** Whoever writes records. */
    PRODUCER,
    /** {@code consume} of releases. */
    READER,
    /** {@code query}: whoever asks, where something may be asked, and reads what is answered. */
    MODELLER
  }

  private static final Set<AclOperation> OF_CLUSTER =
      Set.of(AclOperation.DESCRIBE, AclOperation.DESCRIBE_CONFIGS);

  private final Pipeline pipeline;

  public Rights(Pipeline pipeline) {
    this.pipeline = pipeline;
  }

  /** A resource and what is done with it. */
  record Right(ResourcePattern pattern, Set<AclOperation> operations) {}

  /** What a part needs. */
  List<Right> needed(Part part) {
    return switch (part) {
      case APPLICATION -> ofApplication();
      case AUTO_TICK -> records(Set.of(AclOperation.WRITE));
      case CLOCK_READER -> List.of(cluster(Set.of(AclOperation.DESCRIBE)));
      case OPERATOR -> ofOperator();
      case DOCTOR -> List.of(cluster(OF_CLUSTER));
      case AUDITOR -> ofAuditor();
      case TICKER, PRODUCER -> records(Set.of(AclOperation.WRITE));
      case LOOKING_TICKER -> records(Set.of(AclOperation.READ));
      case READER -> ofReader();
      case MODELLER -> ofModeller();
    };
  }

  private List<Right> ofReader() {
    return pipeline.outputs().stream()
        .map(release -> topic(release.topic(), Set.of(AclOperation.READ)))
        .toList();
  }

  /** Nothing where nothing can be asked. */
  private List<Right> ofModeller() {
    if (pipeline.queries().isEmpty()) {
      return List.of();
    }
    List<Right> rights = new ArrayList<>(ofReader());
    rights.add(topic(pipeline.candidatesTopic(), Set.of(AclOperation.WRITE)));
    return rights;
  }

  private static Right cluster(Set<AclOperation> operations) {
    return new Right(
        new ResourcePattern(ResourceType.CLUSTER, Resource.CLUSTER_NAME, PatternType.LITERAL),
        operations);
  }

  /** What says nothing about anybody may be read. */
  private List<Right> ofAuditor() {
    List<Right> rights = new ArrayList<>();
    rights.add(cluster(OF_CLUSTER));
    TopicRole.of(pipeline)
        .forEach(
            (topic, role) -> {
              Set<AclOperation> operations =
                  EnumSet.of(AclOperation.DESCRIBE, AclOperation.DESCRIBE_CONFIGS);
              if (role.isPublic()) {
                operations.add(AclOperation.READ);
              }
              rights.add(topic(topic, operations));
            });
    return rights;
  }

  private List<Right> ofApplication() {
    List<Right> rights = new ArrayList<>();
    rights.addAll(records(TopicRole.RECORDS.needed()));
    TopicRole.of(pipeline)
        .forEach(
            (topic, role) -> {
              if (role != TopicRole.RECORDS) {
                rights.add(topic(topic, role.needed()));
              }
            });
    rights.add(group(Set.of(AclOperation.READ, AclOperation.DESCRIBE)));
    rights.add(
        new Right(
            new ResourcePattern(
                ResourceType.TRANSACTIONAL_ID,
                TransactionalIds.prefix(pipeline.applicationId()),
                PatternType.PREFIXED),
            Set.of(AclOperation.WRITE, AclOperation.DESCRIBE)));
    return rights;
  }

  private List<Right> ofOperator() {
    List<Right> rights = new ArrayList<>();
    rights.add(topic(pipeline.controlTopic(), Set.of(AclOperation.WRITE)));
    rights.addAll(records(Set.of(AclOperation.WRITE)));
    rights.add(topic(pipeline.deadLettersTopic(), Set.of(AclOperation.READ)));
    rights.add(group(Set.of(AclOperation.DELETE)));
    return rights;
  }

  /**
   * On every topic of records. Who reads those of a pattern may read all that begin as it does, as
   * long as no topic of a pipeline, budget or cluster does; nobody may write to what is not there
   * yet.
   */
  private List<Right> records(Set<AclOperation> operations) {
    Optional<String> prefix =
        pipeline.input().topics().prefix().filter(start -> !covers(start, operations));
    return prefix.isPresent()
        ? List.of(
            new Right(
                new ResourcePattern(ResourceType.TOPIC, prefix.get(), PatternType.PREFIXED),
                operations))
        : pipeline.input().topics().names().stream()
            .map(topic -> topic(topic, operations))
            .toList();
  }

  /** Whether a right on all topics that begin so would be more than one on topics of records. */
  private boolean covers(String prefix, Set<AclOperation> operations) {
    return operations.contains(AclOperation.WRITE)
        || TopicNames.mayBeReserved(prefix)
        || TopicRole.of(pipeline).entrySet().stream()
            .anyMatch(
                topic ->
                    topic.getValue() != TopicRole.RECORDS && topic.getKey().startsWith(prefix));
  }

  private static Right topic(String name, Set<AclOperation> operations) {
    return new Right(
        new ResourcePattern(ResourceType.TOPIC, name, PatternType.LITERAL), operations);
  }

  private Right group(Set<AclOperation> operations) {
    return new Right(
        new ResourcePattern(ResourceType.GROUP, pipeline.applicationId(), PatternType.LITERAL),
        operations);
  }

  /** The rules that give a principal its part. */
  public List<AclBinding> rules(String principal, Part part) {
    List<AclBinding> rules = new ArrayList<>();
    for (Right right : needed(part)) {
      for (AclOperation operation : right.operations()) {
        rules.add(
            new AclBinding(
                right.pattern(),
                new AccessControlEntry(principal, "*", operation, AclPermissionType.ALLOW)));
      }
    }
    return rules;
  }

  /** What the file that the commands name is. */
  public static String ofCommands() {
    return AclCommand.CONFIG;
  }

  /** The same as commands, one a resource; of several parts together. */
  public List<String> commands(String principal, String servers, Part... parts) {
    AclCommand command = new AclCommand(servers);
    Map<ResourcePattern, Set<AclOperation>> together = new LinkedHashMap<>();
    for (Part part : parts) {
      for (Right right : needed(part)) {
        together
            .computeIfAbsent(right.pattern(), p -> EnumSet.noneOf(AclOperation.class))
            .addAll(right.operations());
      }
    }
    return together.entrySet().stream()
        .map(entry -> command.add(principal, entry.getKey(), entry.getValue()))
        .toList();
  }

  /** The rights on the registry of a budget whose ledger is imported, as commands. */
  public static List<String> toImportFrom(String budget, String principal, String servers) {
    Right registry = topic(Registry.topicOf(budget), TopicRole.REGISTRY.needed());
    return List.of(
        new AclCommand(servers).add(principal, registry.pattern(), registry.operations()));
  }
}
