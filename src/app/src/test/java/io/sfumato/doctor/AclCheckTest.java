// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import static org.apache.kafka.common.resource.PatternType.LITERAL;
import static org.apache.kafka.common.resource.PatternType.PREFIXED;
import static org.apache.kafka.common.resource.ResourceType.CLUSTER;
import static org.apache.kafka.common.resource.ResourceType.GROUP;
import static org.apache.kafka.common.resource.ResourceType.TOPIC;
import static org.apache.kafka.common.resource.ResourceType.TRANSACTIONAL_ID;
import static org.apache.kafka.common.resource.ResourceType.USER;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.doctor.Finding.Severity;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.PipelineFile;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.context.Names;
import java.nio.file.Path;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AclCheckTest {
  private static final String YAML =
      """
      pipeline: p
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b] }
      window: { size: 10s }
      budget: { name: b, unit: UNIT, epsilon: 2, delta: 1e-6, period: window }
      releases:
        - histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 } }
      """;
  private static final String EVERYBODY = "User:*";

  private final List<AclBinding> rules = new ArrayList<>();
  private Pipeline pipeline;

  @BeforeEach
  void readFile() throws Exception {
    pipeline = PipelineFile.parse("p.yaml", YAML.replace("UNIT", "record"));
    rules.addAll(new Rights(pipeline).rules("User:app", Rights.Part.APPLICATION));
  }

  @Test
  void shouldVouchOnlyForRulesThatGiveTheApplicationWhatItNeeds() {
    assertThat(findingsFor("User:app"))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.OK);
              assertThat(finding.found()).contains("User:app read raw data");
              assertThat(finding.found()).contains("superusers", "are not visible here");
            });
  }

  /** Where the application is a superuser, who alone may write its ledgers is a stranger. */
  @Test
  void shouldNeverVouchForAnApplicationThatItGuessed() {
    assertThat(findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.severity()).isEqualTo(Severity.WARNING);
              assertThat(finding.found())
                  .contains("User:app is assumed to be the application", "superuser");
              assertThat(finding.fix()).contains("--principal");
            });
    rules.clear();
    for (String changelog : Names.changelogTopics(pipeline)) {
      rules.add(allow("User:eve", TOPIC, changelog, LITERAL, AclOperation.ALL));
    }
    assertThat(findings())
        .anyMatch(f -> f.found().contains("User:eve is assumed to be the application"))
        .noneMatch(f -> f.subject().equals("ACLs") && f.severity() == Severity.OK);
    assertThat(findingsFor("User:boss"))
        .anyMatch(f -> f.severity() == Severity.PROBLEM && f.found().contains("[User:eve]"));
  }

  @ParameterizedTest
  @CsvSource({
    "ALTER, Alter, PROBLEM, granting any right",
    "CLUSTER_ACTION, ClusterAction, PROBLEM, reads every topic",
    "ALTER_CONFIGS, AlterConfigs, PROBLEM, decide who is trusted",
    "CREATE, Create, WARNING, chooses their settings",
    "ALL, All, PROBLEM, granting any right"
  })
  void shouldCallARightOnTheClusterOneOnEverythingInIt(
      AclOperation operation, String word, Severity severity, String harm) {
    for (String who : List.of(EVERYBODY, "User:eve")) {
      AclBinding rule = allow(who, CLUSTER, "kafka-cluster", LITERAL, operation);
      rules.add(rule);
      for (List<Finding> findings : List.of(findings(), findingsFor("User:app"))) {
        assertThat(findings)
            .anySatisfy(
                f -> {
                  assertThat(f.severity()).isEqualTo(severity);
                  assertThat(f.found()).contains("[" + who + "]", harm);
                  assertThat(f.fix())
                      .startsWith(
                          "kafka-acls.sh --bootstrap-server k:9092 --command-config"
                              + " admin.properties --remove --force")
                      .contains("--allow-principal '" + who + "'")
                      .endsWith(" --operation " + word + " --cluster");
                })
            .noneMatch(AclCheckTest::vouches);
      }
      rules.remove(rule);
    }
    rules.add(allow("User:app", CLUSTER, "kafka-cluster", LITERAL, operation));
    assertThat(findingsFor("User:app"))
        .as("its own rights reach others")
        .singleElement()
        .satisfies(
            f -> {
              assertThat(f.severity()).isEqualTo(Severity.WARNING);
              assertThat(f.found()).contains("User:app", "other budgets'");
            });
  }

  @Test
  void shouldKnowWhichRightsOnTheClusterAreHarmless() throws Exception {
    rules.add(allow(EVERYBODY, CLUSTER, "kafka-cluster", LITERAL, AclOperation.IDEMPOTENT_WRITE));
    rules.add(allow(EVERYBODY, CLUSTER, "kafka-cluster", LITERAL, AclOperation.DESCRIBE));
    rules.add(allow(EVERYBODY, CLUSTER, "kafka-cluster", LITERAL, AclOperation.DESCRIBE_CONFIGS));
    assertThat(findingsFor("User:app")).singleElement().matches(AclCheckTest::vouches);
    hideNumbers();
    assertThat(findingsFor("User:app"))
        .as("sizes of partitions are described, too")
        .anyMatch(f -> f.severity() == Severity.WARNING && f.found().contains("size of every"))
        .noneMatch(AclCheckTest::vouches);
  }

  @Test
  void shouldNotBeBlindToADenialOnTheCluster() {
    rules.add(allow("User:eve", CLUSTER, "kafka-cluster", LITERAL, AclOperation.ALTER));
    rules.add(deny("User:eve", CLUSTER, "kafka-cluster", LITERAL, AclOperation.ALTER, "*"));
    assertThat(findingsFor("User:app")).singleElement().matches(AclCheckTest::vouches);
  }

  @ParameterizedTest
  @CsvSource({
    "USER, User:app, LITERAL, CREATE_TOKENS, PROBLEM, --user-principal 'User:app'",
    "USER, User:app, LITERAL, DESCRIBE_TOKENS, PROBLEM, --user-principal 'User:app'",
    "USER, *, LITERAL, ALL, PROBLEM, --user-principal '*'",
    "USER, User:, PREFIXED, CREATE_TOKENS, PROBLEM, --user-principal 'User:'",
    "DELEGATION_TOKEN, *, LITERAL, DESCRIBE, PROBLEM, --delegation-token '*'",
    "DELEGATION_TOKEN, t1, LITERAL, DESCRIBE, WARNING, --delegation-token 't1'"
  })
  void shouldSeeWhoCanLogInAsTheApplication(
      ResourceType type,
      String name,
      PatternType pattern,
      AclOperation operation,
      Severity severity,
      String fix) {
    rules.add(allow("User:eve", type, name, pattern, operation));
    assertThat(findingsFor("User:app"))
        .anySatisfy(
            f -> {
              assertThat(f.severity()).isEqualTo(severity);
              assertThat(f.found()).contains("[User:eve]", "can log in");
              assertThat(f.fix()).contains("--remove", fix);
            })
        .noneMatch(AclCheckTest::vouches);
    rules.removeIf(rule -> rule.entry().principal().equals("User:app"));
    assertThat(findings())
        .as("nobody knows who the application is")
        .anyMatch(f -> f.severity() == severity && f.found().contains("[User:eve]"))
        .noneMatch(AclCheckTest::vouches);
  }

  @Test
  void shouldNotMindTokensOfOthers() {
    rules.add(allow("User:eve", USER, "User:mallory", LITERAL, AclOperation.CREATE_TOKENS));
    assertThat(findingsFor("User:app")).singleElement().matches(AclCheckTest::vouches);
  }

  @ParameterizedTest
  @CsvSource({
    "in, READ, it holds raw data",
    "in, WRITE, write records under any name",
    "in, DELETE, deleted before they are counted",
    "p-control, READ, name subjects",
    "p-control, WRITE, operator",
    "p-dead-letters, READ, single records",
    "p-refusals, WRITE, forged",
    "mix, WRITE, forged",
    "sfumato-b-journal-repartition, READ, it holds raw data",
    "sfumato-b-journal-repartition, WRITE, forged",
    "sfumato-b-journal-repartition, DELETE, deleted before they are processed",
    "sfumato-b-ledger-store-changelog, READ, it holds raw data",
    "sfumato-b-ledger-store-changelog, WRITE, ledgers can be forged",
    "sfumato-b-ledger-store-changelog, ALTER_CONFIGS, spent twice",
    "sfumato-b-dataset-store-changelog, READ, it holds raw data",
    "sfumato-b-source-store-changelog, WRITE, forged",
    "sfumato-b-registry, WRITE, unsigned entries",
    "sfumato-b-registry, ALTER_CONFIGS, seal",
    "p-registry, WRITE, unsigned entries"
  })
  void shouldCallARightOfEverybodyAProblemWithTheCommandThatTakesItBack(
      String topic, AclOperation operation, String harm) {
    rules.add(allow(EVERYBODY, TOPIC, topic, LITERAL, operation));
    assertThat(findings())
        .filteredOn(finding -> finding.severity() == Severity.PROBLEM)
        .anySatisfy(
            finding -> {
              assertThat(finding.subject()).isEqualTo(topic);
              assertThat(finding.found()).contains(EVERYBODY, harm);
              assertThat(finding.fix())
                  .startsWith(
                      "kafka-acls.sh --bootstrap-server k:9092 --command-config admin.properties"
                          + " --remove --force --allow-principal 'User:*' --allow-host '*'"
                          + " --operation ")
                  .contains("--topic '" + topic + "'");
            });
    assertThat(findings()).noneMatch(AclCheckTest::vouches);
  }

  @ParameterizedTest
  @CsvSource({
    "__consumer_offsets, WRITE, Write, set the offsets of every group",
    "__consumer_offsets, DELETE, Delete, offsets of every group can be deleted",
    "__consumer_offsets, ALTER, Alter, offsets of every group can be deleted",
    "__consumer_offsets, ALTER_CONFIGS, AlterConfigs, offsets of every group can be deleted",
    "__consumer_offsets, ALL, All, set the offsets of every group",
    "__transaction_state, WRITE, Write, break every transaction",
    "__transaction_state, DELETE, Delete, commits can be lost",
    "__transaction_state, ALTER, Alter, commits can be lost",
    "__transaction_state, ALTER_CONFIGS, AlterConfigs, commits can be lost",
    "__transaction_state, ALL, All, break every transaction"
  })
  void shouldCallARightOnTheClustersOwnTopicsAProblem(
      String topic, AclOperation operation, String word, String harm) {
    for (String who : List.of(EVERYBODY, "User:eve")) {
      AclBinding literal = allow(who, TOPIC, topic, LITERAL, operation);
      AclBinding prefix = allow(who, TOPIC, "__", PREFIXED, operation);
      for (AclBinding rule : List.of(literal, prefix)) {
        rules.add(rule);
        for (List<Finding> findings : List.of(findings(), findingsFor("User:app"))) {
          assertThat(findings)
              .anySatisfy(
                  f -> {
                    assertThat(f.severity()).isEqualTo(Severity.PROBLEM);
                    assertThat(f.subject()).isEqualTo(topic);
                    assertThat(f.found()).contains("[" + who + "]", harm);
                    assertThat(f.fix())
                        .contains(
                            "--remove --force --allow-principal '%s' --allow-host '*' --operation %s --topic '%s'"
                                .formatted(who, word, rule.pattern().name()));
                  })
              .noneMatch(AclCheckTest::vouches);
        }
        rules.add(deny(who, TOPIC, "__", PREFIXED, AclOperation.ALL, "*"));
        assertThat(findingsFor("User:app"))
            .as("denied")
            .singleElement()
            .matches(AclCheckTest::vouches);
        rules.remove(rules.size() - 1);
        rules.remove(rule);
      }
    }
  }

  @Test
  void shouldSeeThroughAWildcardToTheClustersOwnTopics() {
    rules.add(allow(EVERYBODY, TOPIC, "*", LITERAL, AclOperation.WRITE));
    assertThat(findingsFor("User:app"))
        .anyMatch(f -> isProblemOf("__consumer_offsets", f) && f.found().contains("written"))
        .anyMatch(f -> isProblemOf("__transaction_state", f) && f.found().contains("written"));
    rules.add(deny(EVERYBODY, TOPIC, "__consumer_offsets", LITERAL, AclOperation.WRITE, "*"));
    assertThat(findingsFor("User:app"))
        .noneMatch(f -> isProblemOf("__consumer_offsets", f))
        .anyMatch(f -> isProblemOf("__transaction_state", f));
  }

  /** It shows what describing the group shows. */
  @Test
  void shouldSayWhoReadsTheOffsetsOfEveryGroupWhereTheyCountWhatIsProtected() throws Exception {
    rules.add(allow("User:monitor", TOPIC, "__consumer_offsets", LITERAL, AclOperation.READ));
    rules.add(allow("User:monitor", TOPIC, "__transaction_state", LITERAL, AclOperation.READ));
    assertThat(findingsFor("User:app")).singleElement().matches(AclCheckTest::vouches);
    hideNumbers();
    assertThat(findingsFor("User:app"))
        .filteredOn(f -> f.severity() != Severity.OK)
        .singleElement()
        .satisfies(
            f -> {
              assertThat(f.severity()).isEqualTo(Severity.PROBLEM);
              assertThat(f.subject()).isEqualTo("__consumer_offsets");
              assertThat(f.found())
                  .startsWith("may be read by [User:monitor]")
                  .contains("reveal how many records there are");
              assertThat(f.fix()).contains("--operation Read --topic '__consumer_offsets'");
            });
  }

  @Test
  void shouldSayThatTheApplicationNeedsNoRightOnTheClustersOwnTopics() throws Exception {
    for (String file : List.of("diary-model", "wards", "demo")) {
      Rights rights = new Rights(PipelineFile.read(Path.of("topology", file + ".yaml")));
      for (Rights.Part part : Rights.Part.values()) {
        assertThat(rights.rules("User:app", part))
            .noneMatch(rule -> rule.pattern().name().startsWith("__"));
      }
    }
    rules.add(allow("User:app", TOPIC, "__consumer_offsets", LITERAL, AclOperation.WRITE));
    assertThat(findingsFor("User:app"))
        .singleElement()
        .satisfies(
            f -> {
              assertThat(f.severity()).isEqualTo(Severity.WARNING);
              assertThat(f.found()).contains("User:app may WRITE", "other budgets");
              assertThat(f.fix()).contains("--operation Write --topic '__consumer_offsets'");
            });
  }

  private static boolean isProblemOf(String topic, Finding finding) {
    return finding.severity() == Severity.PROBLEM && finding.subject().contains(topic);
  }

  @Test
  void shouldSeeThroughAWildcardToEveryTopicGroupAndTransaction() {
    for (ResourceType type : List.of(TOPIC, GROUP, TRANSACTIONAL_ID)) {
      rules.add(allow(EVERYBODY, type, "*", LITERAL, AclOperation.ALL));
    }
    List<Finding> problems =
        findings().stream().filter(f -> f.severity() == Severity.PROBLEM).toList();
    for (String topic : TopicRole.of(pipeline).keySet()) {
      assertThat(problems).as(topic).anyMatch(f -> f.subject().contains(topic));
    }
    assertThat(problems).anyMatch(f -> f.subject().equals("group sfumato-b"));
    assertThat(problems).anyMatch(f -> f.subject().equals("transactional ids sfumato-b/..."));
    assertThat(problems)
        .filteredOn(f -> f.subject().equals("group sfumato-b"))
        .allMatch(
            f ->
                f.fix()
                    .contains(
                        "--remove --force --allow-principal 'User:*' --allow-host '*' --operation"
                            + " All --group '*'"))
        .allMatch(f -> f.fix().contains("then grant other principals what they need by name"));
  }

  @Test
  void shouldSeeThroughAPrefix() {
    rules.add(allow("User:spy", TOPIC, "sfumato-", PREFIXED, AclOperation.READ));
    assertThat(findings())
        .filteredOn(f -> f.severity() == Severity.PROBLEM)
        .singleElement()
        .satisfies(
            f -> {
              assertThat(f.subject())
                  .contains("sfumato-b-journal-repartition", "sfumato-b-ledger-store-changelog");
              assertThat(f.fix())
                  .contains("--operation Read --topic 'sfumato-' --resource-pattern-type prefixed");
            });
  }

  @Test
  void shouldTakeOffWhatIsDenied() {
    rules.add(allow(EVERYBODY, TOPIC, "*", LITERAL, AclOperation.READ));
    assertThat(findings()).anyMatch(f -> f.subject().contains("journal"));
    rules.add(deny(EVERYBODY, TOPIC, "sfumato-b-", PREFIXED, AclOperation.READ, "*"));
    assertThat(findings())
        .filteredOn(f -> f.found().startsWith("may be"))
        .noneMatch(f -> f.subject().contains("journal"))
        .anyMatch(f -> f.subject().contains("p-dead-letters"));
  }

  @Test
  void shouldNotBelieveADenialOfOneHostOrOfAnotherOperation() {
    rules.add(allow("User:spy", TOPIC, "p-dead-letters", LITERAL, AclOperation.ALL));
    rules.add(deny("User:spy", TOPIC, "p-dead-letters", LITERAL, AclOperation.READ, "10.0.0.1"));
    rules.add(deny("User:spy", TOPIC, "p-dead-letters", LITERAL, AclOperation.DESCRIBE, "*"));
    assertThat(findings()).anyMatch(f -> f.found().startsWith("may be read by [User:spy]"));
    rules.add(deny("User:spy", TOPIC, "p-dead-letters", LITERAL, AclOperation.READ, "*"));
    assertThat(findings()).noneMatch(f -> f.found().startsWith("may be read by [User:spy]"));
  }

  @Test
  void shouldListProducersByNameWithoutCallingThemAProblem() {
    rules.add(allow("User:shop", TOPIC, "in", LITERAL, AclOperation.WRITE));
    assertThat(findings())
        .anySatisfy(
            f -> {
              assertThat(f.severity()).isEqualTo(Severity.OK);
              assertThat(f.found()).contains("may be written by [User:shop]");
            })
        .noneMatch(f -> f.severity() == Severity.PROBLEM);
  }

  @Test
  void shouldSayWhoLearnsTheNumberOfRecordsWhereItIsProtected() throws Exception {
    rules.add(allow("User:spy", GROUP, "sfumato-b", LITERAL, AclOperation.DESCRIBE));
    rules.add(allow(EVERYBODY, TOPIC, "in", LITERAL, AclOperation.DESCRIBE));
    assertThat(findings()).noneMatch(f -> f.found().contains("how many records there are"));
    hideNumbers();
    assertThat(findings())
        .anySatisfy(
            f -> {
              assertThat(f.subject()).isEqualTo("group sfumato-b");
              assertThat(f.found()).contains("User:spy", "how many records there are");
              assertThat(f.fix()).contains("--operation Describe --group 'sfumato-b'");
            })
        .anySatisfy(
            f -> {
              assertThat(f.subject()).isEqualTo("in");
              assertThat(f.found()).contains(EVERYBODY, "how many records there are");
            });
  }

  @ParameterizedTest
  @CsvSource({
    "sfumato-b/, PREFIXED, true",
    "sfumato-, PREFIXED, true",
    "*, LITERAL, true",
    "sfumato-b/registry, LITERAL, true",
    "sfumato-b-c/, PREFIXED, false",
    "sfumato-bc/, PREFIXED, false",
    "sfumato-b, LITERAL, false"
  })
  void shouldKnowWhoCanFence(String name, PatternType pattern, boolean fences) {
    rules.add(allow("User:b", TRANSACTIONAL_ID, name, pattern, AclOperation.WRITE));
    assertThat(findings().stream().anyMatch(f -> f.found().contains("fences the pipeline")))
        .isEqualTo(fences);
  }

  @Test
  void shouldSayThatTheApplicationsOwnRightsReachOthers() {
    rules.add(allow("User:app", TRANSACTIONAL_ID, "sfumato-c/", PREFIXED, AclOperation.WRITE));
    assertThat(findingsFor("User:app"))
        .as("another budget of its own")
        .allMatch(f -> f.fix().isEmpty());
    rules.add(allow("User:app", TRANSACTIONAL_ID, "sfumato-", PREFIXED, AclOperation.WRITE));
    assertThat(findings())
        .anySatisfy(
            f -> {
              assertThat(f.severity()).isEqualTo(Severity.WARNING);
              assertThat(f.found()).contains("other budgets' resources too");
              assertThat(f.fix()).contains("--rights User:app", "--transactional-id 'sfumato-'");
            });
  }

  @Test
  void shouldNotGuessWhoTheApplicationIs() {
    for (AclBinding rule : new Rights(pipeline).rules("User:two", Rights.Part.APPLICATION)) {
      rules.add(rule);
    }
    rules.add(allow("User:eve", TOPIC, "in", LITERAL, AclOperation.READ));
    assertThat(findings())
        .as("nothing is taken back that may be the application's")
        .singleElement()
        .satisfies(
            f -> {
              assertThat(f.severity()).isEqualTo(Severity.PROBLEM);
              assertThat(f.found()).contains("[User:app, User:two]");
              assertThat(f.fix()).contains("--principal").doesNotContain("--remove");
            });
    assertThat(
            AclCheck.of(pipeline, Optional.of(rules), Optional.of("User:app"), Set.of(), "k:9092"))
        .noneMatch(f -> f.found().contains("[User:app]"))
        .anyMatch(f -> f.found().contains("[User:two]"));
  }

  /** Before its first start an application may have no right on a ledger yet. */
  @Test
  void shouldNotTakeBackWhatMayBeTheApplicationsWhereNobodyWritesAllLedgers() {
    rules.clear();
    rules.add(allow("User:app", TOPIC, "in", LITERAL, AclOperation.READ));
    rules.add(allow("User:eve", TOPIC, ledger(), LITERAL, AclOperation.WRITE));
    rules.add(allow(EVERYBODY, TOPIC, "p-control", LITERAL, AclOperation.WRITE));
    assertThat(findings())
        .anyMatch(f -> f.severity() == Severity.PROBLEM && f.found().contains("[User:eve]"))
        .anyMatch(f -> f.found().contains("[User:app]"))
        .anyMatch(f -> f.fix().contains("--remove --force --allow-principal 'User:*'"))
        .noneMatch(f -> f.found().contains("is assumed to be"))
        .noneMatch(f -> f.fix().contains("--allow-principal 'User:app'"))
        .noneMatch(f -> f.fix().contains("--allow-principal 'User:eve'"));
    assertThat(findingsFor("User:app"))
        .anyMatch(f -> f.fix().contains("--remove --force --allow-principal 'User:eve'"));
  }

  private String ledger() {
    return Names.changelogTopic("sfumato-b", LedgerImage.LEDGERS);
  }

  @Test
  void shouldAskWhetherTheWritersOfControlAreTheOperators() {
    rules.add(allow("User:ops", TOPIC, "p-control", LITERAL, AclOperation.WRITE));
    rules.add(allow("User:ops", TOPIC, "p-dead-letters", LITERAL, AclOperation.READ));
    assertThat(findingsFor("User:app"))
        .filteredOn(f -> f.severity() == Severity.WARNING)
        .hasSize(2)
        .allMatch(f -> f.found().contains("[User:ops]") && f.found().contains("operators"))
        .allMatch(f -> f.fix().startsWith("if that is not intended: kafka-acls.sh"));
  }

  /** Whoever writes records may describe them: to take that back would stop him. */
  @Test
  void shouldNotTakeBackTheRightThatDescribingComesWith() throws Exception {
    hideNumbers();
    rules.add(allow("User:gate", TOPIC, "in", LITERAL, AclOperation.WRITE));
    assertThat(findingsFor("User:app"))
        .filteredOn(f -> f.found().startsWith("may be described by [User:gate]"))
        .singleElement()
        .satisfies(
            f -> assertThat(f.fix()).contains("WRITE implies it").doesNotContain("--remove"));
  }

  @Test
  void shouldNotVouchForAClusterWithoutRules() {
    assertThat(AclCheck.of(pipeline, Optional.empty(), Optional.empty(), Set.of(), "k:9092"))
        .singleElement()
        .satisfies(f -> assertThat(f.severity()).isEqualTo(Severity.PROBLEM));
  }

  @ParameterizedTest
  @CsvSource({"diary-model", "wards", "demo"})
  void shouldNeedNothingThatCoversAnotherBudget(String file) throws Exception {
    Pipeline described = PipelineFile.read(Path.of("topology", file + ".yaml"));
    for (AclBinding rule : new Rights(described).rules("User:app", Rights.Part.APPLICATION)) {
      ResourcePattern pattern = rule.pattern();
      assertThat(pattern.name()).isNotEqualTo("*");
      boolean prefixed = pattern.patternType() == PREFIXED;
      assertThat(prefixed).isEqualTo(pattern.resourceType() == TRANSACTIONAL_ID);
      assertThat(prefixed && !pattern.name().endsWith("/")).isFalse();
      assertThat(rule.entry().operation()).isNotEqualTo(AclOperation.ALL);
    }
    assertThat(new Rights(described).commands("User:app", "k:9092", Rights.Part.APPLICATION))
        .allMatch(
            line ->
                line.startsWith(
                    "kafka-acls.sh --bootstrap-server k:9092 --command-config admin.properties"
                        + " --add --force"))
        .anyMatch(line -> line.contains("--group 'sfumato-"))
        .anyMatch(line -> line.contains("--operation DescribeConfigs"));
  }

  /** A budget that protects how many records there are. */
  private void hideNumbers() throws Exception {
    String hidden =
        YAML.replace("UNIT", "dataset")
            .replace(
                "{ size: 10s }",
                "{ size: 10s, clock: ticks, begin: 2026-01-05 }\nsubjects: roster");
    pipeline = PipelineFile.parse("p.yaml", hidden);
  }

  private static boolean vouches(Finding finding) {
    return finding.subject().equals("ACLs") && finding.severity() == Severity.OK;
  }

  private List<Finding> findingsFor(String application) {
    return AclCheck.of(pipeline, Optional.of(rules), Optional.of(application), Set.of(), "k:9092");
  }

  private List<Finding> findings() {
    return AclCheck.of(pipeline, Optional.of(rules), Optional.empty(), Set.of(), "k:9092");
  }

  private static AclBinding allow(
      String who, ResourceType type, String name, PatternType pattern, AclOperation operation) {
    return new AclBinding(
        new ResourcePattern(type, name, pattern),
        new AccessControlEntry(who, "*", operation, AclPermissionType.ALLOW));
  }

  private static AclBinding deny(
      String who,
      ResourceType type,
      String name,
      PatternType pattern,
      AclOperation operation,
      String host) {
    return new AclBinding(
        new ResourcePattern(type, name, pattern),
        new AccessControlEntry(who, host, operation, AclPermissionType.DENY));
  }
}
