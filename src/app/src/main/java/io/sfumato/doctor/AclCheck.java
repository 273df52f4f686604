// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import static io.sfumato.doctor.Finding.Severity.OK;
import static io.sfumato.doctor.Finding.Severity.PROBLEM;
import static io.sfumato.doctor.Finding.Severity.WARNING;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.TransactionalIds;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Who else may do what with the topics that a pipeline reads or owns, with the cluster's own, with
 * its group, with its transactions, with its name and with the cluster as a whole; and whether its
 * own rights are enough ({@link MissingRights}), or reach other budgets ({@link
 * FarReachingRights}). Every finding has the command that takes the rule back. Rules alone are
 * looked at: superusers are in no rule.
 */
final class AclCheck {
  private static final String COUNTED =
      "its offsets reveal how many records there are, and this budget's unit protects that number";

  private static final String SIZED =
      "it shows the size of every partition, and this budget's unit protects the number of "
          + "records";

  /** A cluster's rules name it so. */
  private static final String CLUSTER = "kafka-cluster";

  private static final String UNSEEN =
      "superusers have no ACLs and are not visible here (super.users of the brokers, and "
          + "everybody where allow.everyone.if.no.acl.found is set)";

  private final Pipeline pipeline;
  private final AccessRules rules;
  private final Collection<AclBinding> all;
  private final AclCommand command;
  private final Optional<String> application;
  private final boolean guessed;
  private final Set<String> existing;

  /** Who may write a ledger by name; nobody where the application is known. */
  private final List<String> writers;

  /** What a remark is about, and the rules that allow it. */
  private record Reach(Set<String> resources, Set<AclBinding> rules) {}

  private final Map<AclRemark, Reach> remarks = new LinkedHashMap<>();

  private AclCheck(
      Pipeline pipeline,
      Collection<AclBinding> all,
      Optional<String> principal,
      Set<String> existing,
      String servers) {
    this.pipeline = pipeline;
    this.existing = existing;
    this.all = all;
    this.rules = new AccessRules(all);
    this.command = new AclCommand(servers);
    LedgerWriters found = new LedgerWriters(pipeline, rules);
    this.writers = principal.isPresent() ? List.of() : found.names();
    this.application = principal.or(found::onlyOne);
    this.guessed = principal.isEmpty() && application.isPresent();
  }

  /**
   * Looks at the cluster's rules.
   *
   * @param acls empty if the cluster has no authorizer
   * @param principal of the application; without one, whoever alone may write its ledgers is
   *     guessed to be it, and nothing is vouched for
   * @param existing topics that are there, and so need not be created
   * @param servers for the commands
   */
  static List<Finding> of(
      Pipeline pipeline,
      Optional<Collection<AclBinding>> acls,
      Optional<String> principal,
      Set<String> existing,
      String servers) {
    if (acls.isEmpty()) {
      return List.of(
          Finding.problem(
              "ACLs",
              "the cluster has no authorizer: everybody may read the records, the journal, the "
                  + "changelogs and uncommitted outputs, write commands and ledgers, and stop "
                  + "every pipeline",
              "set authorizer.class.name on the brokers, then grant what 'sfumato doctor FILE"
                  + " --rights PRINCIPAL' prints"));
    }
    return new AclCheck(pipeline, acls.get(), principal, existing, servers).findings();
  }

  private List<Finding> findings() {
    if (writers.size() > 1) {
      return List.of(
          Finding.problem(
              "ACLs",
              "several principals may write ledgers: %s; no other rights were checked, because it is unknown"
                      .formatted(writers)
                  + " which of them is the application",
              "name the pipeline's principal: --principal User:NAME"));
    }
    TopicRole.of(pipeline).forEach(this::topic);
    systemTopics();
    others(ResourceType.GROUP, pipeline.applicationId(), group());
    transactions();
    cluster();
    impersonation();
    List<Finding> findings = new ArrayList<>();
    remarks.forEach((remark, reach) -> findings.add(finding(remark, reach)));
    application.ifPresent(
        who -> {
          findings.addAll(new FarReachingRights(pipeline, who, all, command).findings());
          findings.addAll(
              new MissingRights(pipeline, rules, existing).findings(who, guessed, command));
        });
    if (guessed) {
      findings.add(guess());
    }
    if (findings.stream().allMatch(finding -> finding.severity() == OK)) {
      findings.add(
          Finding.ok(
              "ACLs",
              "no ACL lets anybody%s read raw data or write the pipeline's own topics; %s"
                  .formatted(application.map(who -> " but " + who).orElse(""), UNSEEN)));
    }
    return findings;
  }

  private Finding guess() {
    return Finding.warning(
        "ACLs",
        "%s is assumed to be the application, because only it has an ACL to write the ledgers, and none of"
                .formatted(application.orElseThrow())
            + " its rights is reported as foreign. If the application is a superuser, this is "
            + "another principal: "
            + UNSEEN,
        "name the pipeline's principal: --principal User:NAME");
  }

  private void topic(String topic, TopicRole role) {
    for (Risk harm : Risk.with(role)) {
      others(ResourceType.TOPIC, topic, harm);
    }
    boolean counts = role == TopicRole.RECORDS || role == TopicRole.JOURNAL;
    if (counts && protectsNumbers()) {
      others(ResourceType.TOPIC, topic, new Risk(AclOperation.DESCRIBE, COUNTED, PROBLEM, WARNING));
    }
  }

  private void systemTopics() {
    for (SystemTopic topic : SystemTopic.values()) {
      others(
          ResourceType.TOPIC,
          topic.topic(),
          protectsNumbers() ? topic.harmsWhereNumbersAreProtected() : topic.harms());
    }
  }

  private boolean protectsNumbers() {
    return pipeline.budget().unit() != PrivacyUnit.RECORD;
  }

  private List<Risk> group() {
    List<Risk> harms = new ArrayList<>();
    harms.add(
        new Risk(
            AclOperation.READ, "members can take partitions and set offsets", PROBLEM, PROBLEM));
    harms.add(
        new Risk(AclOperation.DELETE, "without its offsets the pipeline stops", PROBLEM, PROBLEM));
    if (protectsNumbers()) {
      harms.add(new Risk(AclOperation.DESCRIBE, COUNTED, PROBLEM, PROBLEM));
    }
    return harms;
  }

  private void others(ResourceType type, String name, List<Risk> harms) {
    harms.forEach(harm -> others(type, name, harm));
  }

  private void others(ResourceType type, String name, Risk harm) {
    String shown =
        switch (type) {
          case GROUP -> "group " + name;
          case CLUSTER ->
              harm.operation() == AclOperation.CREATE ? "topics of any name" : "cluster";
          case USER -> "principal " + name;
          default -> name;
        };
    remark(shown, harm, rules.allowed(type, name, harm.operation()));
  }

  private void transactions() {
    String prefix = TransactionalIds.prefix(pipeline.applicationId());
    Risk fence =
        new Risk(
            AclOperation.WRITE,
            "a transaction with this id fences the pipeline, which stops",
            PROBLEM,
            PROBLEM);
    remark(
        "transactional ids " + prefix + "...",
        fence,
        rules.allowedAnyOf(ResourceType.TRANSACTIONAL_ID, prefix, fence.operation()));
  }

  private void cluster() {
    others(ResourceType.CLUSTER, CLUSTER, Risk.withCluster());
    if (protectsNumbers()) {
      others(
          ResourceType.CLUSTER, CLUSTER, new Risk(AclOperation.DESCRIBE, SIZED, WARNING, WARNING));
    }
  }

  /** Who can log in as the application: by tokens, which a cluster may issue. */
  private void impersonation() {
    for (Risk harm : Risk.withPrincipal()) {
      application.ifPresentOrElse(
          who -> others(ResourceType.USER, who, harm),
          () ->
              remark(
                  "principals", harm, rules.allowedAnyOf(ResourceType.USER, "", harm.operation())));
    }
    Risk every =
        new Risk(
            AclOperation.DESCRIBE,
            "anyone who can read a token can log in with it",
            PROBLEM,
            PROBLEM);
    Map<String, List<AclBinding>> all =
        rules.allowed(
            ResourceType.DELEGATION_TOKEN, ResourcePattern.WILDCARD_RESOURCE, every.operation());
    remark("delegation tokens", every, all);
    Map<String, List<AclBinding>> some =
        rules.allowedAnyOf(ResourceType.DELEGATION_TOKEN, "", every.operation());
    some.keySet().removeAll(all.keySet());
    String words = "anyone who can read a token of the application can log in as the application";
    remark("some delegation tokens", new Risk(every.operation(), words, WARNING, WARNING), some);
  }

  private void remark(String resource, Risk harm, Map<String, List<AclBinding>> allowed) {
    allowed.forEach(
        (principal, by) -> {
          if (!application.map(principal::equals).orElse(false)) {
            AclRemark remark =
                new AclRemark(harm.of(principal), harm.may(), principal, harm.words());
            Reach reach =
                remarks.computeIfAbsent(
                    remark, r -> new Reach(new LinkedHashSet<>(), new LinkedHashSet<>()));
            reach.resources().add(resource);
            reach.rules().addAll(by);
          }
        });
  }

  private Finding finding(AclRemark remark, Reach reach) {
    return new Finding(
        remark.severity(),
        String.join(", ", reach.resources()),
        "%s [%s]: %s".formatted(remark.may(), remark.principal(), remark.words()),
        remark.severity() == OK ? "" : fix(remark, reach.rules()));
  }

  private String fix(AclRemark remark, Set<AclBinding> by) {
    boolean everybody = remark.principal().equals(AccessRules.EVERYBODY);
    if (application.isEmpty() && !everybody) {
      return "unless it is the application's: name the application with --principal to get the "
          + "command here";
    }
    List<String> fixes = new ArrayList<>();
    for (AclBinding rule : by) {
      AclOperation granted = rule.entry().operation();
      boolean implied = remark.isOf(AclOperation.DESCRIBE) && granted != AclOperation.DESCRIBE;
      fixes.add(
          implied
              ? "%s implies it, and revoking that revokes it: grant that only to principals that you trust with both"
                  .formatted(granted)
              : command.remove(rule));
    }
    if (by.stream().anyMatch(FarReachingRights::reachesFurther)) {
      fixes.add("then grant other principals what they need by name");
    }
    if (application.isEmpty()) {
      fixes.add(0, "first grant the application its rights by name (--rights PRINCIPAL)");
    }
    String all = String.join("; ", fixes);
    return remark.mayBeMeant() ? "if that is not intended: " + all : all;
  }
}
