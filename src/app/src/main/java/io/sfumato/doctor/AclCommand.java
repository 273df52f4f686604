// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import io.sfumato.pipeline.Shell;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** Commands for the tool that comes with Kafka, ready to run. */
final class AclCommand {
  private static final Map<ResourceType, String> OPTIONS =
      Map.of(
          ResourceType.TOPIC, "--topic",
          ResourceType.GROUP, "--group",
          ResourceType.TRANSACTIONAL_ID, "--transactional-id",
          ResourceType.DELEGATION_TOKEN, "--delegation-token",
          ResourceType.USER, "--user-principal");

  /** What the commands' file is. */
  static final String CONFIG =
      "admin.properties holds the client settings (security.protocol, sasl...) of a principal "
          + "with ALTER on the cluster (for kafka-configs.sh: ALTER_CONFIGS on the topic); leave "
          + "out --command-config if the listener needs none";

  private final String servers;

  AclCommand(String servers) {
    this.servers = servers;
  }

  String servers() {
    return servers;
  }

  /** Takes back one rule. */
  String remove(AclBinding rule) {
    String kind = rule.entry().permissionType() == AclPermissionType.DENY ? "deny" : "allow";
    return "%s --remove --force --%s-principal %s --%s-host %s --operation %s %s"
        .formatted(
            tool(),
            kind,
            Shell.quoted(rule.entry().principal()),
            kind,
            Shell.quoted(rule.entry().host()),
            word(rule.entry().operation()),
            resource(rule.pattern()));
  }

  /** Allows somebody something. */
  String add(String principal, ResourcePattern pattern, Collection<AclOperation> operations) {
    return "%s --add --force --allow-principal %s %s %s"
        .formatted(
            tool(),
            Shell.quoted(principal),
            operations.stream()
                .sorted()
                .map(operation -> "--operation " + word(operation))
                .collect(Collectors.joining(" ")),
            resource(pattern));
  }

  private String tool() {
    return "kafka-acls.sh --bootstrap-server %s --command-config admin.properties"
        .formatted(servers);
  }

  private static String resource(ResourcePattern pattern) {
    String option = OPTIONS.get(pattern.resourceType());
    String named = option == null ? "--cluster" : option + " " + Shell.quoted(pattern.name());
    return pattern.patternType() == PatternType.PREFIXED
        ? named + " --resource-pattern-type prefixed"
        : named;
  }

  /** As the tool spells it: DescribeConfigs. */
  private static String word(AclOperation operation) {
    StringBuilder word = new StringBuilder();
    for (String part : operation.name().split("_")) {
      word.append(part.charAt(0)).append(part.substring(1).toLowerCase(Locale.ROOT));
    }
    return word.toString();
  }
}
