// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.runtime.RefusedException;
import io.sfumato.scaffold.Choices;
import io.sfumato.scaffold.FieldRoles;
import io.sfumato.scaffold.SampleRecords;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A terminal asks first whom to protect, and names nobody whom nobody said to name. */
class FieldOptionsTest {
  private static final String PERSON =
      "field of the person to protect, whose names are never published (one of Member ID, Gym,"
          + " Visit, Class; - for none) [Member ID]";
  private static final String SUBJECT = "field of the subject";

  @TempDir private Path folder;

  private final List<String> asked = new ArrayList<>();

  private FieldRoles fields(Map<String, String> answers, String... options) throws Exception {
    return fields("Member ID,Gym,Visit,Class", answers, options);
  }

  /**
   * @param answers by how the question begins; others are answered by Enter
   */
  private FieldRoles fields(String header, Map<String, String> answers, String... options)
      throws Exception {
    Path csv = folder.resolve("visits.csv");
    Files.writeString(csv, header + "\nm1,north,2026-01-05T08:00:00Z,spin\n");
    SampleRecords sample = SampleRecords.ofCsv(csv);
    FieldOptions given = new FieldOptions();
    new CommandLine(CommandLine.Model.CommandSpec.create().addMixin("fields", mixin(given)))
        .parseArgs(options);
    Choices choices = new Choices(Optional.of(question -> answer(answers, question)));
    given.askUser(sample, List.of(), choices);
    return given.fields(sample, List.of(), true, choices);
  }

  private static CommandLine.Model.CommandSpec mixin(FieldOptions given) {
    return CommandLine.Model.CommandSpec.forAnnotatedObject(given);
  }

  private String answer(Map<String, String> answers, String question) {
    asked.add(question);
    return answers.entrySet().stream()
        .filter(entry -> question.startsWith(entry.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }

  @Test
  void shouldProtectThePersonWhenEveryAnswerIsTheDefault() throws Exception {
    FieldRoles fields = fields(Map.of());
    assertThat(fields.user()).contains("Member ID");
    assertThat(fields.subject()).isEqualTo("Gym");
    assertThat(asked)
        .startsWith(
            PERSON,
            "field of the subject (what 'Member ID' is counted in, such as a region; its names are"
                + " public) [Gym]")
        .noneMatch(question -> question.startsWith("WARNING"));
  }

  @Test
  void shouldNamePeopleOnlyAfterAYes() throws Exception {
    Map<String, String> named = new LinkedHashMap<>();
    named.put("field of the person", "-");
    named.put("WARNING: 'Member ID' looks like a person", "yes");
    FieldRoles fields = fields(named);
    assertThat(fields.user()).isEmpty();
    assertThat(fields.subject()).isEqualTo("Member ID");
    assertThat(asked.get(2)).contains("each one is NAMED in a public topic. Type yes");

    named.remove("WARNING: 'Member ID' looks like a person");
    assertThatThrownBy(() -> fields(named))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("give the person as --user");

    named.put("WARNING: 'Member ID' looks like a person", "Gym");
    assertThat(fields(named).subject()).isEqualTo("Gym");
  }

  @Test
  void shouldAskToNamePeopleWhomAnOptionNames() throws Exception {
    Map<String, String> answers = Map.of("WARNING", "YES");
    FieldRoles fields = fields(answers, "--subject", "Member ID");
    assertThat(fields.user()).as("is the subject already").isEmpty();
    assertThat(asked).anyMatch(question -> question.startsWith("WARNING: 'Member ID'"));
  }

  @Test
  void shouldNotAskForWhatAnOptionSays() throws Exception {
    FieldRoles fields =
        fields(Map.of(), "--user", "Member ID", "--subject", "Class", "--category", "Gym");
    assertThat(fields.user()).contains("Member ID");
    assertThat(asked).noneMatch(question -> question.contains(SUBJECT));
    assertThat(asked).noneMatch(question -> question.contains("person"));
  }

  @Test
  void shouldProtectNobodyByDefaultWhenNoFieldLooksLikeAPerson() throws Exception {
    FieldRoles fields = fields("Machine,Gym,Visit,Kind", Map.of(SUBJECT, "Machine"));
    assertThat(fields.user()).isEmpty();
    assertThat(fields.subject()).isEqualTo("Machine");
    assertThat(asked.get(0)).endsWith("; - for none) [-]");
  }
}
