// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import static io.sfumato.doctor.Finding.Severity.PROBLEM;
import static io.sfumato.doctor.Finding.Severity.WARNING;

import io.sfumato.doctor.Rights.Right;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Shell;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.Resource;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** What an application needs and no rule gives it: it would start, and be refused. */
final class MissingRights {
  private static final ResourcePattern CLUSTER =
      new ResourcePattern(ResourceType.CLUSTER, Resource.CLUSTER_NAME, PatternType.LITERAL);

  private final Pipeline pipeline;
  private final AccessRules rules;
  private final Set<String> existing;

  /**
   * @param existing topics that are there, and so need not be created
   */
  MissingRights(Pipeline pipeline, AccessRules rules, Set<String> existing) {
    this.pipeline = pipeline;
    this.rules = rules;
    this.existing = existing;
  }

  /**
   * One finding a resource, each with the command that grants what is missing there; one alone if
   * everything is, for that may be a superuser.
   *
   * @param guessed whether the application may be somebody else
   */
  List<Finding> findings(String application, boolean guessed, AclCommand command) {
    List<Right> needed = new Rights(pipeline).needed(Rights.Part.APPLICATION);
    List<Right> missing =
        needed.stream()
            .map(right -> new Right(right.pattern(), missing(application, right)))
            .filter(right -> !right.operations().isEmpty())
            .toList();
    if (missing.size() == needed.size() && needed.stream().noneMatch(r -> some(application, r))) {
      return List.of(
          Finding.warning(
              "rights of " + application,
              "no ACL grants it any right that the pipeline needs: unless it is a superuser, "
                  + "'sfumato run' is denied",
              "run what this prints: sfumato doctor FILE --bootstrap-servers %s --rights %s"
                  .formatted(command.servers(), Shell.quoted(application))));
    }
    return missing.stream()
        .map(
            right ->
                new Finding(
                    guessed ? WARNING : PROBLEM,
                    shown(right.pattern()),
                    "%s lacks %s, which 'sfumato run' needs"
                        .formatted(application, names(right.operations())),
                    fix(application, right, command)))
        .toList();
  }

  /** What is denied is denied, whatever else is allowed: that goes first. */
  private String fix(String who, Right missing, AclCommand command) {
    Set<String> commands = new LinkedHashSet<>();
    Set<AclOperation> granted = EnumSet.copyOf(missing.operations());
    for (AclOperation operation : missing.operations()) {
      List<AclBinding> denials = rules.denials(who, missing.pattern(), operation);
      denials.forEach(denial -> commands.add(command.remove(denial)));
      if (!denials.isEmpty() && rules.isGiven(who, missing.pattern(), operation)) {
        granted.remove(operation);
      }
    }
    if (!granted.isEmpty()) {
      commands.add(command.add(who, missing.pattern(), granted));
    }
    return String.join("; ", commands);
  }

  private boolean some(String who, Right right) {
    return right.operations().stream().anyMatch(op -> rules.allows(who, right.pattern(), op));
  }

  private Set<AclOperation> missing(String who, Right right) {
    Set<AclOperation> missing = EnumSet.copyOf(right.operations());
    missing.removeIf(operation -> rules.allows(who, right.pattern(), operation));
    boolean made =
        right.pattern().resourceType() == ResourceType.TOPIC
            && (existing.contains(right.pattern().name())
                || rules.allows(who, CLUSTER, AclOperation.CREATE));
    if (made) {
      missing.remove(AclOperation.CREATE);
    }
    return missing;
  }

  private static String shown(ResourcePattern pattern) {
    String type = pattern.resourceType().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return pattern.patternType() == PatternType.PREFIXED
        ? "%ss %s...".formatted(type, pattern.name())
        : "%s %s".formatted(type, pattern.name());
  }

  private static String names(Set<AclOperation> operations) {
    return operations.stream().map(AclOperation::name).collect(Collectors.joining(", "));
  }
}
