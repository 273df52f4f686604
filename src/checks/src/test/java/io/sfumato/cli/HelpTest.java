// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import picocli.CommandLine;

class HelpTest {
  private static final CommandLine ALL = Main.commandLine();

  /** Help that teaches by example; those of picocli itself and groups of commands aside. */
  @Test
  void shouldShowAnExampleWithEachCommand() {
    check(Main.commandLine());
  }

  @ParameterizedTest
  @FieldSource("io.sfumato.cli.Commands#NAMES")
  void oneCommandAloneSaysWhatItSaysAmongAll(String name) {
    CommandLine alone = Main.commandLine(new String[] {name}).getSubcommands().get(name);
    CommandLine among = ALL.getSubcommands().get(name);
    assertThat(alone.getCommandSpec().name()).isEqualTo(name);
    assertThat(alone.getParent().getSubcommands()).hasSize(1);
    assertThat(alone.getUsageMessage()).isEqualTo(among.getUsageMessage());
  }

  @Test
  void whoAsksForNothingThatThereIsSeesAll() {
    assertThat(Main.commandLine(new String[] {"--help"}).getSubcommands())
        .hasSize(Commands.NAMES.size() + 2)
        .containsKeys("help", "generate-completion", "plan");
    assertThat(Main.commandLine(new String[] {"plam"}).getSubcommands())
        .hasSameSizeAs(ALL.getSubcommands());
  }

  private static void check(CommandLine command) {
    for (Map.Entry<String, CommandLine> each : command.getSubcommands().entrySet()) {
      CommandLine sub = each.getValue();
      if (sub.getSubcommands().isEmpty()
          && sub.getCommand().getClass().getName().startsWith("io.sfumato")) {
        String text = sub.setUsageHelpAutoWidth(false).setUsageHelpWidth(80).getUsageMessage();
        assertThat(text).as(each.getKey()).contains("Example");
        // Whole, so that they can be copied.
        for (String line : sub.getCommandSpec().usageMessage().footer()) {
          assertThat(text.lines()).as(each.getKey()).contains(line);
        }
      }
      check(sub);
    }
  }
}
