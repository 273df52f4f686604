// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rights as commands, without a cluster. */
class DoctorCommandTest {
  private static final String FILE = "topology/diary.yaml";

  private CommandResult result;

  private int run(String... arguments) {
    result = CommandResult.of(arguments);
    return result.code();
  }

  @Test
  void shouldSayWhatTheDoctorNeedsBesidesAndWhatTheCommandsFileIs() {
    assertThat(run("doctor", FILE, "--rights", "User:app")).as(result.err()).isZero();
    List<String> lines = result.out().lines().toList();
    assertThat(lines.get(0)).startsWith("# admin.properties holds");
    assertThat(lines)
        .filteredOn(line -> line.contains("kafka-acls.sh"))
        .allMatch(line -> line.contains(" --command-config admin.properties "));
    int block =
        lines.indexOf(
            "# doctor also needs (for an auditor who does not run the pipeline: "
                + "--role auditor):");
    assertThat(lines.get(block + 1))
        .contains("--allow-principal 'User:app' --operation Describe --operation DescribeConfigs")
        .endsWith("--cluster");
  }

  /** Nobody who pastes what is printed gives it away. */
  @Test
  void shouldNameTheRightOfAutomaticTicksAsAComment() {
    assertThat(run("doctor", FILE, "--rights", "User:app")).as(result.err()).isZero();
    List<String> lines = result.out().lines().toList();
    int block =
        lines.indexOf(
            "# to tick by itself ('ticks: here', or --auto-tick) it also needs, on the records' "
                + "topic:");
    assertThat(block).isPositive();
    String topic =
        lines.get(block + 1).replaceFirst("^# kafka-acls.*--operation Write --topic '(.*)'$", "$1");
    assertThat(lines.get(block + 2)).contains("CreateTime");
    assertThat(lines.get(block + 3))
        .as("to compare clocks")
        .startsWith("# kafka-acls")
        .endsWith("--operation Describe --cluster");
    assertThat(lines)
        .as("records are read, and written by nobody else")
        .anyMatch(line -> line.startsWith("kafka-acls") && line.endsWith("--topic '" + topic + "'"))
        .noneMatch(
            line ->
                line.startsWith("kafka-acls")
                    && line.contains("--operation Write")
                    && line.endsWith("--topic '" + topic + "'"));
  }

  @Test
  void shouldLetAnAuditorReadRegistriesAlone() {
    assertThat(run("doctor", FILE, "--rights", "User:eye", "--auditor")).as(result.err()).isZero();
    assertThat(result.out().lines().filter(line -> line.contains("--operation Read")))
        .isNotEmpty()
        .allMatch(line -> line.contains("-registry'"));
    assertThat(result.out()).doesNotContain("--operation Write", "--operation Alter");
  }

  /** The resources that a role gets, without comments: exactly these, one command each. */
  @ParameterizedTest
  @CsvSource({
    "ticker, --operation Write --topic 'diary'",
    "producer, --operation Write --topic 'diary'",
    "reader, --operation Read --topic 'weekly-mix'"
  })
  void shouldGiveSmallRolesWhatTheyNeedAlone(String role, String right) {
    assertThat(run("doctor", FILE, "--rights", "User:me", "--role", role))
        .as(result.err())
        .isZero();
    assertThat(result.out().lines().filter(line -> line.startsWith("kafka-acls.sh")))
        .isNotEmpty()
        .allMatch(line -> line.contains("--allow-principal 'User:me' --operation "))
        .allMatch(line -> line.split("--operation").length == 2)
        .anyMatch(line -> line.endsWith(right))
        .noneMatch(line -> line.contains("--group") || line.contains("--transactional-id"));
  }

  @Test
  void shouldLetAModellerAskWhereSomethingCanBeAsked() {
    assertThat(
            run("doctor", "topology/diary-model.yaml", "--rights", "User:m", "--role", "modeller"))
        .as(result.err())
        .isZero();
    assertThat(result.out().lines().filter(line -> line.startsWith("kafka-acls.sh")))
        .anyMatch(line -> line.contains("--operation Write --topic 'diary-model-candidates'"))
        .anyMatch(line -> line.contains("--operation Read"))
        .noneMatch(line -> line.contains("--operation Write --topic 'diary'"));
    assertThat(run("doctor", FILE, "--rights", "User:m", "--role", "modeller")).isZero();
    assertThat(result.out())
        .contains("# this pipeline answers no queries")
        .doesNotContain("kafka-acls.sh --b");
  }

  @Test
  void shouldGiveAnOperatorEachResourceOnce() {
    assertThat(run("doctor", FILE, "--rights", "User:op", "--role", "operator"))
        .as(result.err())
        .isZero();
    List<String> commands =
        result.out().lines().filter(line -> line.startsWith("kafka-acls.sh")).toList();
    assertThat(commands.stream().map(line -> line.replaceAll(".* --operation \\w+ ", "")))
        .doesNotHaveDuplicates();
    assertThat(commands)
        .anyMatch(line -> line.contains("Read") && line.contains("-dead-letters'"))
        .anyMatch(line -> line.contains("Delete") && line.contains("--group"));
  }

  @Test
  void shouldTakeARoleForPrintingAlone() {
    assertThat(run("doctor", FILE, "--role", "reader")).isEqualTo(2);
    assertThat(result.err()).contains("--role: only with --rights PRINCIPAL");
  }

  /** Of such a name Kafka's tool makes a rule for nobody. */
  @ParameterizedTest
  @ValueSource(strings = {"--rights", "--principal"})
  void shouldRefuseAPrincipalWithoutAType(String option) {
    assertThat(run("doctor", FILE, option, "app")).isNotZero();
    assertThat(result.err()).contains(option + " 'app'", "such as User:app");
    assertThat(result.out()).doesNotContain("kafka-acls.sh");
  }
}
