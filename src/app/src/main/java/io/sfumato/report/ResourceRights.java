// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.doctor.Rights;
import io.sfumato.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.resource.PatternType;

/**
 * What one role needs of one resource, and nothing more: what {@code sfumato doctor --rights}
 * prints as commands.
 *
 * @param role application, operator (with the application's rights besides), producer, ticker,
 *     reader, modeller where something may be asked, auditor
 * @param resource its type and name
 * @param operations as Kafka calls them
 */
public record ResourceRights(String role, String resource, List<String> operations) {
  /** Roles, in the order of what they may. */
  private static final Map<String, Rights.Part> ROLES = roles();

  private static Map<String, Rights.Part> roles() {
    Map<String, Rights.Part> roles = new LinkedHashMap<>();
    roles.put("application", Rights.Part.APPLICATION);
    roles.put("operator", Rights.Part.OPERATOR);
    roles.put("producer", Rights.Part.PRODUCER);
    roles.put("ticker", Rights.Part.TICKER);
    roles.put("reader", Rights.Part.READER);
    roles.put("modeller", Rights.Part.MODELLER);
    roles.put("auditor", Rights.Part.AUDITOR);
    return roles;
  }

  /** Roles that need something of a pipeline: nobody asks what cannot be asked. */
  static List<String> roles(List<ResourceRights> all) {
    return all.stream().map(ResourceRights::role).distinct().toList();
  }

  static List<ResourceRights> of(Pipeline pipeline) {
    Rights rights = new Rights(pipeline);
    List<ResourceRights> all = new ArrayList<>();
    ROLES.forEach(
        (role, part) ->
            rights.rules("User:" + role, part).stream()
                .collect(
                    Collectors.groupingBy(
                        ResourceRights::resource,
                        LinkedHashMap::new,
                        Collectors.mapping(
                            rule -> rule.entry().operation().name(),
                            Collectors.toCollection(TreeSet::new))))
                .forEach(
                    (resource, operations) ->
                        all.add(new ResourceRights(role, resource, List.copyOf(operations)))));
    return all;
  }

  private static String resource(AclBinding rule) {
    String type = rule.pattern().resourceType().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    String prefix = rule.pattern().patternType() == PatternType.PREFIXED ? "s with the prefix" : "";
    return type + prefix + " " + rule.pattern().name();
  }
}
