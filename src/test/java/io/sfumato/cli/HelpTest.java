// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class HelpTest {
  /** Help that teaches by example; those of picocli itself and groups of commands aside. */
  @Test
  void shouldShowAnExampleWithEachCommand() {
    check(Main.commandLine());
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
