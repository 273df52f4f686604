// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import io.sfumato.ledger.AccountLog;
import io.sfumato.ledger.Continuity;
import io.sfumato.ledger.WholeLedger;
import io.sfumato.noise.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ClusterCalls;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.OwnTopics;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.Secrets;
import io.sfumato.runtime.TopicSizes;
import io.sfumato.topology.Names;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.SecurityDisabledException;

/** Checks a cluster and this machine for one pipeline. Changes nothing. */
public final class Doctor {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

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
    List<Finding> findings = new ArrayList<>();
    try (Admin admin = Admin.create(settings.admin())) {
      Collection<Node> nodes = ask("describe the cluster", admin.describeCluster().nodes());
      findings.addAll(BrokerCheck.of(nodes, brokers(admin, nodes)));
      Set<String> existing = ask("list topics", admin.listTopics().names());
      Set<String> mine = TopicCheck.of(pipeline, existing);
      Map<String, TopicDescription> described =
          new TreeMap<>(ask("describe topics", admin.describeTopics(mine).allTopicNames()));
      findings.addAll(new TopicCheck(plan, described, configs(admin, mine)).findings());
      findings.addAll(AclCheck.of(pipeline, acls(admin), principal, settings.bootstrapServers()));
      findings.addAll(logs(admin, existing));
      findings.addAll(ledger(existing, key(machine)));
    }
    sharedNames().ifPresent(findings::add);
    if (pipeline.window().lacksBegin()) {
      findings.add(
          Finding.warning(
              "window.begin",
              "is missing: only a pipeline that ran before there was such a field goes on without it",
              "write the start of the first window that shall count, such as begin: 2026-01-05"));
    }
    for (String problem : TopicSizes.of(plan).producerProblems(settings)) {
      findings.add(Finding.problem("producer", problem, "let it send what the file may need"));
    }
    findings.add(secret(machine));
    findings.addAll(MachineCheck.of(machine.data()));
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
                    "a population pipeline on budget '%s' would have topics of the same names"
                        .formatted(other),
                    "never run one on this cluster"))
        .findFirst();
  }

  private Map<Integer, Config> brokers(Admin admin, Collection<Node> nodes)
      throws RefusedException {
    List<ConfigResource> resources =
        nodes.stream()
            .map(node -> new ConfigResource(ConfigResource.Type.BROKER, node.idString()))
            .toList();
    Map<Integer, Config> configs = new TreeMap<>();
    ask("read the brokers' settings", admin.describeConfigs(resources).all())
        .forEach((resource, config) -> configs.put(Integer.valueOf(resource.name()), config));
    return configs;
  }

  private Map<String, Config> configs(Admin admin, Set<String> topics) throws RefusedException {
    List<ConfigResource> resources =
        topics.stream().map(t -> new ConfigResource(ConfigResource.Type.TOPIC, t)).toList();
    Map<String, Config> configs = new HashMap<>();
    ask("read the topics' settings", admin.describeConfigs(resources).all())
        .forEach((resource, config) -> configs.put(resource.name(), config));
    return configs;
  }

  /**
   * Where claims are deleted, an account could be granted twice; where entries of a registry are, a
   * seal or a skipped record is forgotten.
   */
  private List<Finding> logs(Admin admin, Set<String> existing) throws RefusedException {
    Set<String> logs = new TreeSet<>(Belonging.registries(pipeline));
    if (pipeline.budget().account().isPresent()) {
      logs.add(AccountLog.TOPIC);
    }
    logs.retainAll(existing);
    List<Finding> findings = new ArrayList<>();
    new TreeMap<>(configs(admin, logs))
        .forEach(
            (topic, config) -> {
              if (!OwnTopics.keepsAll(config)) {
                findings.add(
                    Finding.problem(
                        topic,
                        "forgets entries: whoever may write to it can delete what others said",
                        OwnTopics.keepingCommand(topic)));
              }
            });
    return findings;
  }

  /** Empty if the cluster has no authorizer. */
  private Optional<Collection<AclBinding>> acls(Admin admin) throws RefusedException {
    KafkaFuture<Collection<AclBinding>> acls = admin.describeAcls(AclBindingFilter.ANY).values();
    try {
      return Optional.of(acls.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SecurityDisabledException) {
        return Optional.empty();
      }
    } catch (TimeoutException e) {
      // Asked once more below, for the message.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Optional.of(ask("read the ACLs", acls));
  }

  private List<Finding> ledger(Set<String> existing, Optional<NoiseKey> key)
      throws RefusedException {
    String budget = pipeline.budget().name();
    boolean begun =
        existing.stream().anyMatch(t -> Names.isInternalTo(pipeline.applicationId(), t));
    try (Cluster cluster = new Cluster(settings)) {
      if (Continuity.sealed(budget, settings, cluster, key).isPresent()) {
        return List.of(
            Finding.problem(
                "budget " + budget,
                "its ledger is sealed: it was exported",
                "run the pipeline that it goes on in, or import it: sfumato ledger import"));
      }
      return List.of(
          WholeLedger.cutShort(pipeline, settings, cluster)
              .map(
                  cut ->
                      Finding.problem(
                          "budget " + budget, cut, "finish the import: sfumato ledger import"))
              .orElseGet(
                  () ->
                      Finding.ok(
                          "budget " + budget,
                          begun ? "has a ledger here" : "begins with the first run")));
    }
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

  private <T> T ask(String what, KafkaFuture<T> future) throws RefusedException {
    return ClusterCalls.call(what, settings.bootstrapServers(), future);
  }
}
