// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.topology.context.Names;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;

/** Who may write a pipeline's ledgers by name: one of them is the application. */
final class LedgerWriters {
  private final Pipeline pipeline;
  private final AccessRules rules;

  LedgerWriters(Pipeline pipeline, AccessRules rules) {
    this.pipeline = pipeline;
    this.rules = rules;
  }

  /** Whoever may write one of them; never everybody. */
  List<String> names() {
    Set<String> found = new TreeSet<>();
    Names.changelogTopics(pipeline).forEach(changelog -> found.addAll(mayWrite(changelog)));
    found.remove(AccessRules.EVERYBODY);
    return List.copyOf(found);
  }

  /** Whoever alone was allowed by name to write ledgers, and may write all, may be it. */
  Optional<String> onlyOne() {
    List<String> writers = names();
    return writers.stream()
        .filter(who -> writers.size() == 1)
        .filter(
            who ->
                Names.changelogTopics(pipeline).stream()
                    .allMatch(changelog -> mayWrite(changelog).contains(who)))
        .findFirst();
  }

  private Set<String> mayWrite(String topic) {
    return rules.allowed(ResourceType.TOPIC, topic, AclOperation.WRITE).keySet();
  }
}
