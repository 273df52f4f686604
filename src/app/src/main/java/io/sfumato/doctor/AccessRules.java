// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import static org.apache.kafka.common.acl.AclOperation.ALL;
import static org.apache.kafka.common.acl.AclOperation.ALTER;
import static org.apache.kafka.common.acl.AclOperation.ALTER_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.DELETE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** A cluster's rules, read as its authorizer reads them: what is denied is denied. */
final class AccessRules {
  /** Everybody. */
  static final String EVERYBODY = "User:*";

  private static final String ANY_HOST = "*";

  /** What else allows an operation; to deny one denies no other. */
  private static final Map<AclOperation, Set<AclOperation>> IMPLIED_BY =
      Map.of(DESCRIBE, Set.of(READ, WRITE, DELETE, ALTER), DESCRIBE_CONFIGS, Set.of(ALTER_CONFIGS));

  private final Collection<AclBinding> rules;

  AccessRules(Collection<AclBinding> rules) {
    this.rules = rules;
  }

  /**
   * Who may do something with one resource.
   *
   * @return the rules that allow it, by principal
   */
  Map<String, List<AclBinding>> allowed(ResourceType type, String name, AclOperation operation) {
    return allowed(type, pattern -> covers(pattern, name), operation);
  }

  /** The same of any resource whose name begins so. */
  Map<String, List<AclBinding>> allowedAnyOf(
      ResourceType type, String prefix, AclOperation operation) {
    Map<String, List<AclBinding>> allowed = new TreeMap<>();
    for (AclBinding rule : rules) {
      boolean touches = covers(rule.pattern(), prefix) || rule.pattern().name().startsWith(prefix);
      if (touches && allows(rule, type, operation)) {
        allowed.computeIfAbsent(rule.entry().principal(), p -> new ArrayList<>()).add(rule);
      }
    }
    // What is denied as a whole is denied; a part of it leaves the rest.
    allowed
        .keySet()
        .removeIf(who -> isDenied(who, type, pattern -> covers(pattern, prefix, true), operation));
    return allowed;
  }

  /**
   * Whether rules let somebody do something, by his name or as one of everybody.
   *
   * @param resource one by name; or a prefix, and then all whose names begin so
   */
  boolean allows(String who, ResourcePattern resource, AclOperation operation) {
    return denials(who, resource, operation).isEmpty() && isGiven(who, resource, operation);
  }

  /** The same, where nothing were denied. */
  boolean isGiven(String who, ResourcePattern resource, AclOperation operation) {
    boolean whole = resource.patternType() == PatternType.PREFIXED;
    return rules.stream()
        .filter(rule -> List.of(who, EVERYBODY).contains(rule.entry().principal()))
        .filter(rule -> covers(rule.pattern(), resource.name(), whole))
        .anyMatch(rule -> allows(rule, resource.resourceType(), operation));
  }

  private Map<String, List<AclBinding>> allowed(
      ResourceType type, Predicate<ResourcePattern> covers, AclOperation operation) {
    Map<String, List<AclBinding>> allowed = new TreeMap<>();
    for (AclBinding rule : rules) {
      String who = rule.entry().principal();
      if (covers.test(rule.pattern())
          && allows(rule, type, operation)
          && !isDenied(who, type, covers, operation)) {
        allowed.computeIfAbsent(who, p -> new ArrayList<>()).add(rule);
      }
    }
    return allowed;
  }

  private static boolean allows(AclBinding rule, ResourceType type, AclOperation operation) {
    AclOperation granted = rule.entry().operation();
    return rule.pattern().resourceType() == type
        && rule.entry().permissionType() == AclPermissionType.ALLOW
        && (granted == operation
            || granted == ALL
            || IMPLIED_BY.getOrDefault(operation, Set.of()).contains(granted));
  }

  /** From wherever: a rule about some hosts leaves the others. */
  private boolean isDenied(
      String who, ResourceType type, Predicate<ResourcePattern> covers, AclOperation operation) {
    return !denials(who, type, covers, operation).isEmpty();
  }

  /**
   * What takes something from somebody, whatever else allows it.
   *
   * @param resource one by name; or a prefix, and then all whose names begin so
   */
  List<AclBinding> denials(String who, ResourcePattern resource, AclOperation operation) {
    boolean whole = resource.patternType() == PatternType.PREFIXED;
    return denials(who, resource.resourceType(), p -> covers(p, resource.name(), whole), operation);
  }

  private List<AclBinding> denials(
      String who, ResourceType type, Predicate<ResourcePattern> covers, AclOperation operation) {
    return rules.stream()
        .filter(rule -> rule.entry().permissionType() == AclPermissionType.DENY)
        .filter(rule -> rule.pattern().resourceType() == type && covers.test(rule.pattern()))
        .filter(rule -> rule.entry().host().equals(ANY_HOST))
        .filter(rule -> List.of(operation, ALL).contains(rule.entry().operation()))
        .filter(rule -> List.of(who, EVERYBODY).contains(rule.entry().principal()))
        .toList();
  }

  /** Whether a rule about a pattern is about a resource. */
  static boolean covers(ResourcePattern pattern, String name) {
    return covers(pattern, name, false);
  }

  private static boolean covers(ResourcePattern pattern, String name, boolean whole) {
    return switch (pattern.patternType()) {
      case LITERAL ->
          pattern.name().equals(ResourcePattern.WILDCARD_RESOURCE)
              || !whole && pattern.name().equals(name);
      case PREFIXED -> name.startsWith(pattern.name());
      default -> pattern.patternType() == PatternType.ANY;
    };
  }
}
