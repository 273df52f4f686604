// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import static io.sfumato.doctor.Finding.Severity.OK;
import static io.sfumato.doctor.Finding.Severity.PROBLEM;
import static io.sfumato.doctor.Finding.Severity.WARNING;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.doctor.Finding.Severity;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.TransactionalIds;
import io.sfumato.topology.Names;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Who else may do what with the topics that a pipeline reads or owns, with the cluster's own, with
 * its group, with its transactions, with its name and with the cluster as a whole; and whether its
 * own rights reach other budgets. Every finding has the command that takes the rule back. Rules
 * alone are looked at: superusers are in no rule.
 */
final class AclCheck {
  private static final String COUNTED =
      "its offsets count records, and the unit of this budget protects their number";

  private static final String SIZED =
      "it shows the size of every partition, and the unit of this budget protects how many records"
          + " there are";

  /** A cluster's rules name it so. */
  private static final String CLUSTER = "kafka-cluster";

  private static final String UNSEEN =
      "superusers are in no rule and cannot be seen here (super.users of the brokers, and everybody"
          + " where they set allow.everyone.if.no.acl.found)";

  private final Pipeline pipeline;
  private final AccessRules rules;
  private final Collection<AclBinding> all;
  private final AclCommand command;
  private final Optional<String> application;
  private final boolean guessed;

  /** Who may write a ledger by name; nobody where the application is known. */
  private final List<String> writers;

  /** What is said of all resources that it is true of, together. */
  private record Remark(Severity severity, String may, String principal, String words) {
    boolean isOf(AclOperation operation) {
      return may.equals(Harm.may(operation));
    }

    /** Somebody has to read outputs and dead letters, and to command. */
    boolean mayBeMeant() {
      return severity == WARNING
          && !principal.equals(AccessRules.EVERYBODY)
          && (isOf(AclOperation.READ) || isOf(AclOperation.WRITE));
    }
  }

  /** What a remark is about, and the rules that allow it. */
  private record Reach(Set<String> resources, Set<AclBinding> rules) {}

  private final Map<Remark, Reach> remarks = new LinkedHashMap<>();

  private AclCheck(
      Pipeline pipeline, Collection<AclBinding> all, Optional<String> principal, String servers) {
    this.pipeline = pipeline;
    this.all = all;
    this.rules = new AccessRules(all);
    this.command = new AclCommand(servers);
    this.writers = principal.isPresent() ? List.of() : writers();
    this.application = principal.or(this::onlyOne);
    this.guessed = principal.isEmpty() && application.isPresent();
  }

  /**
   * Looks at the cluster's rules.
   *
   * @param acls empty if the cluster has no authorizer
   * @param principal of the application; without one, whoever alone may write its ledgers is
   *     guessed to be it, and nothing is vouched for
   * @param servers for the commands
   */
  static List<Finding> of(
      Pipeline pipeline,
      Optional<Collection<AclBinding>> acls,
      Optional<String> principal,
      String servers) {
    if (acls.isEmpty()) {
      return List.of(
          Finding.problem(
              "ACLs",
              "the cluster has no authorizer: everybody may read the records, the journal, the"
                  + " changelogs and outputs that are not committed, write control commands and ledgers,"
                  + " and stop every pipeline",
              "set authorizer.class.name on the brokers, then grant what 'sfumato doctor FILE --rights"
                  + " PRINCIPAL' prints"));
    }
    return new AclCheck(pipeline, acls.get(), principal, servers).findings();
  }

  private List<Finding> findings() {
    if (writers.size() > 1) {
      return List.of(
          Finding.problem(
              "ACLs",
              "several may write ledgers: %s; nothing else about rights was looked at, for nobody knows"
                      .formatted(writers)
                  + " which of them is the application",
              "say who the pipeline runs as: --principal User:NAME"));
    }
    Belonging.of(pipeline).forEach(this::topic);
    systemTopics();
    others(ResourceType.GROUP, pipeline.applicationId(), group());
    transactions();
    cluster();
    impersonation();
    List<Finding> findings = new ArrayList<>();
    remarks.forEach((remark, reach) -> findings.add(finding(remark, reach)));
    findings.addAll(farReaching());
    if (guessed) {
      findings.add(guess());
    }
    if (findings.stream().allMatch(finding -> finding.severity() == OK)) {
      findings.add(
          Finding.ok(
              "ACLs",
              "no rule lets anybody%s read raw facts or write what the pipeline owns; %s"
                  .formatted(application.map(who -> " but " + who).orElse(""), UNSEEN)));
    }
    return findings;
  }

  private Finding guess() {
    return Finding.warning(
        "ACLs",
        "%s is guessed to be the application, for it alone may write its ledgers by rule, and what it"
                .formatted(application.orElseThrow())
            + " may do is not looked at; where the application is a superuser, that is somebody else: "
            + UNSEEN,
        "say who the pipeline runs as: --principal User:NAME");
  }

  private void topic(String topic, Belonging belonging) {
    for (Harm harm : Harm.with(belonging)) {
      others(ResourceType.TOPIC, topic, harm);
    }
    boolean counts = belonging == Belonging.RECORDS || belonging == Belonging.JOURNAL;
    if (counts && protectsNumbers()) {
      others(ResourceType.TOPIC, topic, new Harm(AclOperation.DESCRIBE, COUNTED, PROBLEM, WARNING));
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

  private List<Harm> group() {
    List<Harm> harms = new ArrayList<>();
    harms.add(
        new Harm(AclOperation.READ, "members take partitions, and set offsets", PROBLEM, PROBLEM));
    harms.add(
        new Harm(AclOperation.DELETE, "the pipeline stops without its offsets", PROBLEM, PROBLEM));
    if (protectsNumbers()) {
      harms.add(new Harm(AclOperation.DESCRIBE, COUNTED, PROBLEM, PROBLEM));
    }
    return harms;
  }

  private void others(ResourceType type, String name, List<Harm> harms) {
    harms.forEach(harm -> others(type, name, harm));
  }

  private void others(ResourceType type, String name, Harm harm) {
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
    Harm fence =
        new Harm(
            AclOperation.WRITE, "who begins a transaction of its name stops it", PROBLEM, PROBLEM);
    remark(
        "transactional ids " + prefix + "...",
        fence,
        rules.allowedAnyOf(ResourceType.TRANSACTIONAL_ID, prefix, fence.operation()));
  }

  private void cluster() {
    others(ResourceType.CLUSTER, CLUSTER, Harm.withCluster());
    if (protectsNumbers()) {
      others(
          ResourceType.CLUSTER, CLUSTER, new Harm(AclOperation.DESCRIBE, SIZED, WARNING, WARNING));
    }
  }

  /** Who can log in as the application: by tokens, which a cluster may issue. */
  private void impersonation() {
    for (Harm harm : Harm.withPrincipal()) {
      application.ifPresentOrElse(
          who -> others(ResourceType.USER, who, harm),
          () ->
              remark(
                  "principals", harm, rules.allowedAnyOf(ResourceType.USER, "", harm.operation())));
    }
    Harm every =
        new Harm(AclOperation.DESCRIBE, "who is shown a token logs in with it", PROBLEM, PROBLEM);
    Map<String, List<AclBinding>> all =
        rules.allowed(
            ResourceType.DELEGATION_TOKEN, ResourcePattern.WILDCARD_RESOURCE, every.operation());
    remark("delegation tokens", every, all);
    Map<String, List<AclBinding>> some =
        rules.allowedAnyOf(ResourceType.DELEGATION_TOKEN, "", every.operation());
    some.keySet().removeAll(all.keySet());
    String words = "who is shown a token of the application logs in as it";
    remark("some delegation tokens", new Harm(every.operation(), words, WARNING, WARNING), some);
  }

  private void remark(String resource, Harm harm, Map<String, List<AclBinding>> allowed) {
    allowed.forEach(
        (principal, by) -> {
          if (!application.map(principal::equals).orElse(false)) {
            Remark remark = new Remark(harm.of(principal), harm.may(), principal, harm.words());
            Reach reach =
                remarks.computeIfAbsent(
                    remark, r -> new Reach(new LinkedHashSet<>(), new LinkedHashSet<>()));
            reach.resources().add(resource);
            reach.rules().addAll(by);
          }
        });
  }

  private Finding finding(Remark remark, Reach reach) {
    return new Finding(
        remark.severity(),
        String.join(", ", reach.resources()),
        "%s [%s]: %s".formatted(remark.may(), remark.principal(), remark.words()),
        remark.severity() == OK ? "" : fix(remark, reach.rules()));
  }

  private String fix(Remark remark, Set<AclBinding> by) {
    boolean everybody = remark.principal().equals(AccessRules.EVERYBODY);
    if (application.isEmpty() && !everybody) {
      return "unless it is the application's: say who that is with --principal, and this line has the"
          + " command";
    }
    List<String> fixes = new ArrayList<>();
    for (AclBinding rule : by) {
      AclOperation granted = rule.entry().operation();
      boolean implied = remark.isOf(AclOperation.DESCRIBE) && granted != AclOperation.DESCRIBE;
      fixes.add(
          implied
              ? "it comes with %s, and goes when that is taken back: let none have that but whom you trust with it"
                  .formatted(granted)
              : command.remove(rule));
    }
    if (by.stream().anyMatch(AclCheck::reachesFurther)) {
      fixes.add("then allow by name what others need");
    }
    if (application.isEmpty()) {
      fixes.add(0, "first allow the application by name (--rights PRINCIPAL)");
    }
    String all = String.join("; ", fixes);
    return remark.mayBeMeant() ? "if that is not meant: " + all : all;
  }

  /** Whether a rule is about more than one resource: to take it back takes that away, too. */
  private static boolean reachesFurther(AclBinding rule) {
    return rule.pattern().patternType() != PatternType.LITERAL || rule.pattern().name().equals("*");
  }

  /** Rights of the application that cover other budgets' names. */
  private List<Finding> farReaching() {
    List<Finding> findings = new ArrayList<>();
    if (application.isEmpty()) {
      return findings;
    }
    List<AclBinding> needed =
        new Rights(pipeline).rules(application.get(), Rights.Part.APPLICATION);
    for (AclBinding rule : all) {
      boolean its =
          rule.entry().permissionType() == AclPermissionType.ALLOW
              && rule.entry().principal().equals(application.get());
      boolean coversOwn =
          needed.stream()
              .map(AclBinding::pattern)
              .filter(own -> own.resourceType() == rule.pattern().resourceType())
              .filter(own -> !own.equals(rule.pattern()))
              .anyMatch(own -> AccessRules.covers(rule.pattern(), own.name()));
      if (its && isOfCluster(rule)) {
        findings.add(
            Finding.warning(
                "cluster",
                "%s may %s it, and so reach all that is other budgets'"
                    .formatted(application.get(), rule.entry().operation()),
                command.remove(rule)));
      }
      if (its && !coversOwn && isOfSystemTopic(rule)) {
        findings.add(
            Finding.warning(
                "TOPIC " + rule.pattern().name(),
                "%s may %s what is the cluster's own, and so reach other budgets"
                    .formatted(application.get(), rule.entry().operation()),
                command.remove(rule)));
      }
      if (its && reachesFurther(rule) && coversOwn) {
        findings.add(
            Finding.warning(
                "%s %s".formatted(rule.pattern().resourceType(), rule.pattern().name()),
                "%s may %s all that is named so, other budgets' too"
                    .formatted(application.get(), rule.entry().operation()),
                "grant what 'sfumato doctor FILE --rights %s' prints; then %s"
                    .formatted(application.get(), command.remove(rule))));
      }
    }
    return findings;
  }

  private static boolean isOfCluster(AclBinding rule) {
    AclOperation operation = rule.entry().operation();
    return rule.pattern().resourceType() == ResourceType.CLUSTER
        && (operation == AclOperation.ALL
            || Harm.withCluster().stream().anyMatch(harm -> harm.operation() == operation));
  }

  private static boolean isOfSystemTopic(AclBinding rule) {
    AclOperation operation = rule.entry().operation();
    return rule.pattern().resourceType() == ResourceType.TOPIC
        && Stream.of(SystemTopic.values())
            .filter(topic -> AccessRules.covers(rule.pattern(), topic.topic()))
            .flatMap(topic -> topic.harms().stream())
            .anyMatch(harm -> operation == AclOperation.ALL || harm.operation() == operation);
  }

  /** Whoever alone was allowed by name to write ledgers, and may write all, may be it. */
  private Optional<String> onlyOne() {
    return writers.stream()
        .filter(who -> writers.size() == 1)
        .filter(
            who ->
                Names.changelogTopics(pipeline).stream()
                    .allMatch(changelog -> mayWrite(changelog).contains(who)))
        .findFirst();
  }

  private List<String> writers() {
    Set<String> found = new TreeSet<>();
    Names.changelogTopics(pipeline).forEach(changelog -> found.addAll(mayWrite(changelog)));
    found.remove(AccessRules.EVERYBODY);
    return List.copyOf(found);
  }

  private Set<String> mayWrite(String topic) {
    return rules.allowed(ResourceType.TOPIC, topic, AclOperation.WRITE).keySet();
  }
}
