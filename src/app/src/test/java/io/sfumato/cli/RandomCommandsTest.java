// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.audit.RandomFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Whatever a file or a number says, commands answer or refuse it in words. Seeds are fixed. */
@Tag("deep")
class RandomCommandsTest {
  private static final int FILES = Integer.getInteger("sfumato.files", 12);
  private static final int EACH = 6;

  /** What mutated numbers become. */
  private static final List<String> NUMBERS =
      List.of("0", "1", "2", "3", "16", "1000", "1000000", "-1", "0.001", "0.5", "1e-12", "40");

  private static final List<String> FORMS =
      List.of(
          "plan FILE",
          "plan FILE -o json",
          "plan FILE --plan-records 1,2,30",
          "report FILE",
          "report FILE -o json",
          "report FILE -o html",
          "describe FILE",
          "describe FILE -o json",
          "describe FILE -o mermaid");

  @TempDir Path folder;

  private static CommandResult run(String... words) {
    CommandResult result = CommandResult.of(words);
    String what = String.join(" ", words) + ": " + result.text();
    assertThat(result.text()).as(what).doesNotContain("Exception", "\tat ", "internal error");
    assertThat(result.code()).as(what).isNotEqualTo(1).isGreaterThanOrEqualTo(0);
    if (result.code() != 0) {
      assertThat(result.err()).as(what).isNotBlank();
    }
    return result;
  }

  @Test
  void shouldPlanReportAndDescribeFilesOfEveryKind() throws Exception {
    Random random = new Random(7);
    Path file = folder.resolve("random.yaml");
    int planned = 0;
    for (int i = 0; i < FILES; i++) {
      String text = RandomFiles.of(random);
      Files.writeString(
          file,
          random.nextInt(3) == 0 ? text.replaceAll("epsilon: (\\d)", "epsilon: 0.0$1") : text);
      int first = -1;
      for (String form : FORMS) {
        CommandResult result = run(form.replace("FILE", file.toString()).split(" "));
        // An example of users means something for populations alone.
        if (!form.contains("plan-records")) {
          first = first < 0 ? result.code() : first;
          assertThat(result.code()).as(form).isEqualTo(first);
        }
        if (result.code() == 0 && form.endsWith("json")) {
          assertThat(new ObjectMapper().readTree(result.out()).isObject()).isTrue();
        }
      }
      planned += first == 0 ? 1 : 0;
    }
    assertThat(planned).isGreaterThan(FILES / 3);
  }

  /** The examples of their own help, with other numbers here and there. */
  @Test
  void shouldCalibrateWhateverIsAskedFor() throws Exception {
    Random random = new Random(11);
    int answered = 0;
    int asked = 0;
    for (String example : examples()) {
      for (int i = 0; i <= EACH; i++) {
        List<String> words = new ArrayList<>(Arrays.asList(example.split(" ")));
        if (i > 0) {
          words.replaceAll(word -> isNumber(word) && random.nextBoolean() ? any(random) : word);
        }
        if (random.nextBoolean() && !words.contains("-o")) {
          words.addAll(List.of("-o", "json"));
        }
        CommandResult result = run(words.toArray(String[]::new));
        asked++;
        if (result.code() == 0) {
          answered++;
          if (words.contains("json")) {
            assertThat(new ObjectMapper().readTree(result.out()).isObject()).isTrue();
          }
        }
        if (i == 0) {
          assertThat(result.code()).as(example + ": " + result.err()).isZero();
        }
      }
    }
    assertThat(asked).isGreaterThan(100);
    assertThat(answered).isGreaterThan(asked / 4);
  }

  private static List<String> examples() {
    CommandLine calibrate =
        Main.commandLine(new String[] {"calibrate"}).getSubcommands().get("calibrate");
    List<String> examples = new ArrayList<>();
    for (CommandLine command : calibrate.getSubcommands().values()) {
      for (String line : command.getCommandSpec().usageMessage().footer()) {
        String words = line.replaceFirst("^Example: ", "").trim();
        if (words.startsWith("sfumato calibrate ")) {
          examples.add(words.substring("sfumato ".length()));
        }
      }
    }
    return examples;
  }

  private static boolean isNumber(String word) {
    return word.matches("[0-9][0-9.,e-]*");
  }

  private static String any(Random random) {
    return NUMBERS.get(random.nextInt(NUMBERS.size()));
  }
}
