// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The manual page of the Debian package names every command, and no other. */
class ManualPageTest {
  private static final Pattern COMMANDS = Pattern.compile("(?s)\\.SH COMMANDS\n(.*?)\\.SH ");
  private static final Pattern HEADING = Pattern.compile("(?m)^\\..*$");

  @Test
  void shouldListEveryCommand() throws Exception {
    var section = COMMANDS.matcher(Files.readString(Path.of("src/release/debian/sfumato.1")));
    assertThat(section.find()).isTrue();
    String names = HEADING.matcher(section.group(1)).replaceAll(",").replace("\\-", "-");
    Set<String> listed = new TreeSet<>();
    for (String name : names.split("[,\\s]+")) {
      if (!name.isEmpty()) {
        listed.add(name);
      }
    }
    Set<String> commands = new TreeSet<>(CommandModel.all().getSubcommands().keySet());
    commands.remove("help");
    commands.remove("generate-completion");
    assertThat(listed).isEqualTo(commands);
  }
}
