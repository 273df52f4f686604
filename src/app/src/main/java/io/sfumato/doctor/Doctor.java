// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import io.sfumato.gate.NoiseKey;
import io.sfumato.ledger.AccountLog;
import io.sfumato.ledger.PatternTopics;
import io.sfumato.pipeline.InputTopics;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.HangingTransactions;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.OwnTopics;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.Secrets;
import io.sfumato.runtime.TopicCommand;
import io.sfumato.runtime.TopicSizes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.SecurityDisabledException;

/** Checks a cluster and this machine for one pipeline. Changes nothing. */
public final class Doctor {
  private final Plan plan;
  private final Pipeline pipeline;
  private final KafkaSettings settings;
  private final Optional<String> principal;

  public Doctor(Plan plan, KafkaSettings settings) {
    this(plan, settings, Optional.empty());
  }

  /**
   * @param principal that the pipeline runs as, such as {@code User:app}; without one, whoever
   *     alone may write its ledgers is guessed to be it, and nothing is vouched for
   */
  public Doctor(Plan plan, KafkaSettings settings, Optional<String> principal) {
    this.principal = principal;
    this.plan = plan;
    this.pipeline = plan.pipeline();
    this.settings = settings;
  }

  /**
   * What is looked at beside the cluster.
   *
   * @param secretFile of the noise secret
   * @param environment that may hold the secret
   * @param data folder for local state
   */
  public record Machine(Optional<Path> secretFile, Map<String, String> environment, Path data) {}

  /**
   * Looks at everything.
   *
   * @throws RefusedException if the cluster cannot be asked
   */
  public List<Finding> examine(Machine machine) throws RefusedException {
    List<Finding> findings = new ArrayList<>(examineCluster(key(machine)));
    for (String problem : TopicSizes.of(plan).producerProblems(settings)) {
      findings.add(
          Finding.problem(
              "producer", problem, "raise the client's limit to what the " + "file may need"));
    }
    findings.add(secret(machine));
    findings.addAll(MachineCheck.of(machine.data()));
    return findings;
  }

  /**
   * Looks at the cluster and the file, as an auditor does who has no noise secret, on another
   * machine.
   *
   * @throws RefusedException if the cluster cannot be asked
   */
  public List<Finding> examineCluster() throws RefusedException {
    return examineCluster(Optional.empty());
  }

  /** Topics that a pattern matches and this version does not read. */
  private List<Finding> later(Set<String> seen) {
    InputTopics inputs = pipeline.input().topics();
    return inputs.pattern().isEmpty()
        ? List.of()
        : seen.stream()
            .filter(inputs::include)
            .filter(topic -> !inputs.names().contains(topic))
            .map(
                topic ->
                    Finding.warning(
                        topic,
                        "matches the pattern of input.topic and is not read: topics join with a new"
                            + " version, or a new budget",
                        PatternTopics.howToJoin(pipeline)))
            .toList();
  }

  private List<Finding> examineCluster(Optional<NoiseKey> key) throws RefusedException {
    List<Finding> findings = new ArrayList<>();
    AdminQueries questions = new AdminQueries(settings.bootstrapServers());
    TopicCommand command = new TopicCommand(settings.bootstrapServers());
    try (Admin admin = Admin.create(settings.admin())) {
      Collection<Node> nodes =
          questions.ask("describe the cluster", admin.describeCluster().nodes());
      Map<Integer, Config> brokers = brokers(questions, admin, nodes);
      findings.addAll(BrokerCheck.of(nodes, brokers));
      TopicsSeen topics = TopicsSeen.of(pipeline, questions, admin);
      findings.addAll(
          new TopicCheck(
                  plan, topics.ofPipeline(pipeline), topics.configs(), topics.hidden(), command)
              .findings());
      findings.addAll(later(topics.described().keySet()));
      Optional<Optional<Collection<AclBinding>>> acls = acls(questions, admin);
      if (acls.isPresent()) {
        findings.addAll(
            AclCheck.of(
                pipeline,
                acls.get(),
                principal,
                topics.described().keySet(),
                settings.bootstrapServers()));
      }
      findings.addAll(logs(topics, command));
      Set<String> held = new TreeSet<>();
      Duration longest = HangingTransactionCheck.longest(brokers.values());
      findings.addAll(
          Check.at(
              "open transactions",
              () -> openTransactions(questions, admin, topics, longest, held)));
      findings.addAll(new LedgerCheck(pipeline, settings, key).findings(questions, topics, held));
    }
    findings.addAll(questions.gaps());
    sharedNames().ifPresent(findings::add);
    if (pipeline.window().lacksBegin()) {
      findings.add(
          Finding.warning(
              "window.begin",
              "is missing: only a pipeline that ran before this field existed can continue "
                  + "without it",
              "write the start of the first window that counts, such as begin: 2026-01-05"));
    }
    return findings;
  }

  /** Kafka Streams makes one name of a budget's and a store's. */
  private Optional<Finding> sharedNames() {
    String budget = pipeline.budget().name();
    return Stream.of("-users", "-subjects")
        .filter(budget::endsWith)
        .map(end -> budget.substring(0, budget.length() - end.length()))
        .map(
            other ->
                Finding.warning(
                    "budget " + budget,
                    "a user pipeline with budget '%s' would have topics of the same names"
                        .formatted(other),
                    "do not run one on this cluster"))
        .findFirst();
  }

  private static Map<Integer, Config> brokers(
      AdminQueries questions, Admin admin, Collection<Node> nodes) throws RefusedException {
    List<ConfigResource> resources =
        nodes.stream()
            .map(node -> new ConfigResource(ConfigResource.Type.BROKER, node.idString()))
            .toList();
    Map<Integer, Config> configs = new TreeMap<>();
    questions
        .ask(
            "read the brokers' settings",
            "brokers' settings",
            AclOperation.DESCRIBE_CONFIGS,
            "the cluster",
            admin.describeConfigs(resources).all())
        .orElse(Map.of())
        .forEach((resource, config) -> configs.put(Integer.valueOf(resource.name()), config));
    return configs;
  }

  /**
   * Where claims are deleted, an account could be granted twice; where entries of a registry are, a
   * seal or a skipped record is forgotten.
   */
  private List<Finding> logs(TopicsSeen topics, TopicCommand command) {
    Set<String> logs = new TreeSet<>(TopicRole.registries(pipeline));
    if (pipeline.budget().account().isPresent()) {
      logs.add(AccountLog.TOPIC);
    }
    logs.retainAll(topics.configs().keySet());
    return logs.stream()
        .filter(topic -> !OwnTopics.keepsAll(topics.configs().get(topic)))
        .map(
            topic ->
                Finding.problem(
                    topic,
                    "does not keep all entries: retention deletes old ones, and compaction lets "
                        + "anyone who may write to it delete those of others",
                    OwnTopics.keepingCommand(topic, command)))
        .toList();
  }

  /** Nothing if they may not be seen; in it, nothing if the cluster has no authorizer. */
  private static Optional<Optional<Collection<AclBinding>>> acls(
      AdminQueries questions, Admin admin) throws RefusedException {
    String what = "read the ACLs";
    return questions.ask(
        what,
        "ACLs",
        AclOperation.DESCRIBE,
        "the cluster",
        admin.describeAcls(AclBindingFilter.ANY).values().thenApply(Optional::of),
        cause -> {
          if (cause instanceof SecurityDisabledException) {
            return Optional.of(Optional.empty());
          }
          throw questions.refused(what, cause);
        });
  }

  /**
   * Whatever was written after one is not seen.
   *
   * @param longest that brokers let one live
   * @param held is given the topics that one stays open in
   */
  private List<Finding> openTransactions(
      AdminQueries questions, Admin admin, TopicsSeen topics, Duration longest, Set<String> held)
      throws RefusedException {
    AskedEnds ends = new AskedEnds(questions, admin);
    OpenTransactions open =
        new OpenTransactions(pipeline, ends, () -> Cluster.pause(OpenTransactions.BETWEEN));
    Map<String, List<Integer>> found = open.held(topics.partitions());
    held.addAll(found.keySet());
    HangingTransactions cluster =
        new HangingTransactions(admin, settings.bootstrapServers(), pipeline.applicationId());
    HangingTransactionCheck check =
        new HangingTransactionCheck(pipeline, cluster::among, settings.bootstrapServers());
    Set<TopicPartition> hanging = new HashSet<>();
    List<Finding> findings =
        new ArrayList<>(
            Check.at("hanging transactions", () -> check.findings(found, longest, hanging)));
    findings.addAll(
        open.findings(OpenTransactions.without(hanging, found), settings.bootstrapServers()));
    findings.addAll(ends.silence());
    return findings;
  }

  /** The key that the budget's entries can be told genuine with, if there is one. */
  private static Optional<NoiseKey> key(Machine machine) {
    try {
      return Optional.of(Secrets.require(machine.secretFile(), machine.environment()).derive());
    } catch (RefusedException e) {
      return Optional.empty(); // said below
    }
  }

  private static Finding secret(Machine machine) {
    try {
      String tag = Secrets.require(machine.secretFile(), machine.environment()).derive().tag();
      return Secrets.exposure(machine.secretFile(), machine.environment()).isPresent()
          ? Finding.warning(
              "noise secret",
              "32 bytes, tag %s, in the environment, where other processes and container engines show it"
                  .formatted(tag),
              "give --secret-file FILE")
          : Finding.ok("noise secret", "32 bytes, for this user alone; tag " + tag);
    } catch (RefusedException e) {
      return Finding.problem("noise secret", "cannot be used", e.getMessage());
    }
  }
}
