// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.frozen.Golden;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Commands, options, defaults and words, as the help of every command names them. */
class FrozenHelpTest {
  @Test
  void shouldExplainEveryCommandAsItDid() {
    StringBuilder all = new StringBuilder();
    append(Main.commandLine(), all);
    Golden.check("help.txt", all.toString());
  }

  private static void append(CommandLine command, StringBuilder all) {
    command.setUsageHelpAutoWidth(false).setUsageHelpWidth(100);
    all.append(command.getUsageMessage(CommandLine.Help.Ansi.OFF)).append('\n');
    Map<String, CommandLine> byName = new TreeMap<>(command.getSubcommands());
    byName.values().forEach(each -> append(each, all));
  }
}
