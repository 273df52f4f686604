// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.doctor.Finding.Severity;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.PipelineFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MissingRightsTest {
  private static final String APP = "User:app";

  private final List<AclBinding> rules = new ArrayList<>();
  private Pipeline pipeline;

  @BeforeEach
  void readFile() throws Exception {
    pipeline =
        PipelineFile.parse(
            "p.yaml",
            """
            pipeline: p
            input: { topic: in, subject: who, time: at, category: what, categories: [a, b] }
            window: { size: 10s }
            budget: { name: b, unit: record, epsilon: 2, delta: 1e-6, period: window }
            releases:
              - histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 } }
            """);
    rules.addAll(new Rights(pipeline).rules(APP, Rights.Part.APPLICATION));
  }

  /** Whatever right is taken away, it is the one that is missed, with the command that gives it. */
  @Test
  void shouldMissEveryRightThatIsNotThere() {
    for (AclBinding rule : List.copyOf(rules)) {
      AclOperation operation = rule.entry().operation();
      rules.remove(rule);
      boolean implied = operation == AclOperation.DESCRIBE;
      List<Finding> missing = missing(Set.of());
      assertThat(missing).as(rule.toString()).hasSize(implied ? 0 : 1);
      if (!implied) {
        assertThat(missing.get(0).severity()).isEqualTo(Severity.PROBLEM);
        assertThat(missing.get(0).subject()).contains(rule.pattern().name());
        assertThat(missing.get(0).found()).isEqualTo(lacks(operation));
        assertThat(missing.get(0).fix())
            .isEqualTo(new AclCommand("k:9092").add(APP, rule.pattern(), Set.of(operation)));
      }
      rules.add(rule);
    }
    assertThat(missing(Set.of())).isEmpty();
  }

  private static String lacks(AclOperation operation) {
    return "User:app lacks %s, which 'sfumato run' needs".formatted(operation);
  }

  @Test
  void shouldNeedToCreateOnlyWhatIsNotThere() {
    rules.removeIf(rule -> rule.entry().operation() == AclOperation.CREATE);
    assertThat(missing(Set.of("mix"))).isNotEmpty().noneMatch(f -> f.subject().equals("topic mix"));
    assertThat(missing(Set.of())).anyMatch(f -> f.subject().equals("topic mix"));
    rules.add(
        rule(ResourceType.CLUSTER, "kafka-cluster", AclOperation.CREATE, AclPermissionType.ALLOW));
    assertThat(missing(Set.of())).as("who creates any topic creates these").isEmpty();
  }

  @Test
  void shouldMissWhatIsDeniedAndCountWhatEverybodyMay() {
    AclBinding denied = rule(ResourceType.TOPIC, "mix", AclOperation.WRITE, AclPermissionType.DENY);
    rules.add(denied);
    assertThat(missing(Set.of()))
        .singleElement()
        .matches(f -> f.subject().equals("topic mix") && f.found().contains("lacks WRITE"))
        .extracting(Finding::fix)
        .as("to allow it would change nothing")
        .isEqualTo(
            "kafka-acls.sh --bootstrap-server k:9092 --command-config admin.properties --remove --force"
                + " --deny-principal 'User:app' --deny-host '*' --operation Write --topic 'mix'");
    rules.remove(denied);
    rules.removeIf(rule -> rule.pattern().name().equals("in"));
    assertThat(missing(Set.of())).hasSize(1);
    for (AclOperation operation : List.of(AclOperation.READ, AclOperation.DESCRIBE_CONFIGS)) {
      rules.add(
          new AclBinding(
              new ResourcePattern(ResourceType.TOPIC, "in", PatternType.LITERAL),
              new AccessControlEntry("User:*", "*", operation, AclPermissionType.ALLOW)));
    }
    assertThat(missing(Set.of())).isEmpty();
  }

  /** It may be a superuser. */
  @Test
  void shouldSayInOneLineThatThereIsNoRightAtAll() {
    rules.clear();
    assertThat(missing(Set.of()))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.found()).contains("superuser");
              assertThat(finding.fix()).contains("--bootstrap-servers k:9092 --rights 'User:app'");
            });
  }

  private static AclBinding rule(
      ResourceType type, String name, AclOperation operation, AclPermissionType permission) {
    return new AclBinding(
        new ResourcePattern(type, name, PatternType.LITERAL),
        new AccessControlEntry(APP, "*", operation, permission));
  }

  private List<Finding> missing(Set<String> existing) {
    return AclCheck.of(pipeline, Optional.of(rules), Optional.of(APP), existing, "k:9092").stream()
        .filter(f -> f.found().contains("lacks") || f.subject().equals("rights of User:app"))
        .toList();
  }
}
