// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import io.sfumato.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;

/** Who may read what: raw facts are for the application alone. */
final class AclCheck {
  private static final Set<AclOperation> READING =
      Set.of(AclOperation.READ, AclOperation.ALL, AclOperation.ANY);

  private AclCheck() {}

  /**
   * Looks at the cluster's rules.
   *
   * @param acls empty if the cluster has no authorizer
   * @param topics of the pipeline
   */
  static List<Finding> of(
      Pipeline pipeline, Optional<Collection<AclBinding>> acls, Collection<String> topics) {
    if (acls.isEmpty()) {
      return List.of(
          Finding.problem(
              "ACLs",
              "the cluster has no authorizer: everybody may read the journal, the changelogs and"
                  + " outputs that are not committed, and write control commands",
              "set authorizer.class.name on the brokers and grant what docs/reliability.md lists"));
    }
    Map<String, Set<String>> readers = new TreeMap<>();
    Set<String> writers = new TreeSet<>();
    for (AclBinding acl : acls.get()) {
      if (acl.entry().permissionType() != AclPermissionType.ALLOW) {
        continue;
      }
      for (String topic : topics) {
        if (covers(acl.pattern(), topic)) {
          if (READING.contains(acl.entry().operation())) {
            readers.computeIfAbsent(topic, t -> new TreeSet<>()).add(acl.entry().principal());
          }
          boolean writes =
              acl.entry().operation() == AclOperation.WRITE
                  || acl.entry().operation() == AclOperation.ALL;
          if (writes && topic.equals(pipeline.controlTopic())) {
            writers.add(acl.entry().principal());
          }
        }
      }
    }
    List<Finding> findings = new ArrayList<>();
    readers.forEach((topic, principals) -> readers(pipeline, topic, principals, findings));
    if (writers.contains("User:*")) {
      findings.add(
          Finding.problem(
              pipeline.controlTopic(),
              "everybody may write operators' commands",
              "allow it to operators alone (kafka-acls --remove ...)"));
    }
    if (findings.isEmpty()) {
      findings.add(Finding.ok("ACLs", "nobody but the application reads raw facts"));
    }
    return findings;
  }

  private static boolean covers(ResourcePattern pattern, String topic) {
    return switch (pattern.patternType()) {
      case LITERAL -> pattern.name().equals("*") || pattern.name().equals(topic);
      case PREFIXED -> topic.startsWith(pattern.name());
      default -> pattern.patternType() == PatternType.ANY;
    };
  }

  private static void readers(
      Pipeline pipeline, String topic, Set<String> principals, List<Finding> findings) {
    boolean everybody = principals.contains("User:*");
    if (TopicCheck.isInternal(pipeline, topic) && (everybody || principals.size() > 1)) {
      findings.add(
          Finding.problem(
              topic,
              "holds raw facts, and may be read by " + principals,
              "leave READ to the application's principal alone (kafka-acls --remove ...)"));
    }
    boolean output =
        pipeline.releases().stream().anyMatch(release -> release.topic().equals(topic));
    if (output && (everybody || principals.size() > 1)) {
      findings.add(
          Finding.warning(
              topic,
              "may be read by "
                  + principals
                  + ": a consumer without isolation.level=read_committed sees draws that were aborted"
                  + " (the same bytes as those that follow, but perhaps never charged)",
              "have its readers set isolation.level=read_committed"));
    }
  }
}
