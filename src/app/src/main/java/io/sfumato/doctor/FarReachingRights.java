// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import io.sfumato.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourceType;

/** Rights of an application that reach other budgets. */
final class FarReachingRights {
  private final Pipeline pipeline;
  private final String application;
  private final Collection<AclBinding> all;
  private final AclCommand command;

  FarReachingRights(
      Pipeline pipeline, String application, Collection<AclBinding> all, AclCommand command) {
    this.pipeline = pipeline;
    this.application = application;
    this.all = all;
    this.command = command;
  }

  /** Whether a rule is about more than one resource: to take it back takes that away, too. */
  static boolean reachesFurther(AclBinding rule) {
    return rule.pattern().patternType() != PatternType.LITERAL || rule.pattern().name().equals("*");
  }

  /** Rights of the application that cover other budgets' names. */
  List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    List<AclBinding> needed = new Rights(pipeline).rules(application, Rights.Part.APPLICATION);
    for (AclBinding rule : all) {
      boolean its =
          rule.entry().permissionType() == AclPermissionType.ALLOW
              && rule.entry().principal().equals(application);
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
                "%s may %s it, and thereby other budgets' resources too"
                    .formatted(application, rule.entry().operation()),
                command.remove(rule)));
      }
      if (its && !coversOwn && isOfSystemTopic(rule)) {
        findings.add(
            Finding.warning(
                "TOPIC " + rule.pattern().name(),
                "%s may %s the cluster's own resources, and thereby other budgets too"
                    .formatted(application, rule.entry().operation()),
                command.remove(rule)));
      }
      if (its && reachesFurther(rule) && coversOwn) {
        findings.add(
            Finding.warning(
                "%s %s".formatted(rule.pattern().resourceType(), rule.pattern().name()),
                "%s may %s everything with this prefix, other budgets' resources too"
                    .formatted(application, rule.entry().operation()),
                "grant what 'sfumato doctor FILE --rights %s' prints; then %s"
                    .formatted(application, command.remove(rule))));
      }
    }
    return findings;
  }

  private static boolean isOfCluster(AclBinding rule) {
    AclOperation operation = rule.entry().operation();
    return rule.pattern().resourceType() == ResourceType.CLUSTER
        && (operation == AclOperation.ALL
            || Risk.withCluster().stream().anyMatch(harm -> harm.operation() == operation));
  }

  private static boolean isOfSystemTopic(AclBinding rule) {
    AclOperation operation = rule.entry().operation();
    return rule.pattern().resourceType() == ResourceType.TOPIC
        && Stream.of(SystemTopic.values())
            .filter(topic -> AccessRules.covers(rule.pattern(), topic.topic()))
            .flatMap(topic -> topic.harms().stream())
            .anyMatch(harm -> operation == AclOperation.ALL || harm.operation() == operation);
  }
}
