// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.supply;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What systemd would start for one pipeline: the command of the installed unit, with its user,
 * umask and variables. There is no systemd in the tests' systems.
 */
final class InstalledUnit {
  static final String FILE = "/usr/lib/systemd/system/sfumato@.service";

  private final CleanSystem system;
  private final String name;
  private final List<String> lines;

  InstalledUnit(CleanSystem system, String name) throws IOException {
    this.system = system;
    this.name = name;
    this.lines =
        Files.readAllLines(system.file(FILE)).stream()
            .map(line -> line.replace("%i", name))
            .toList();
  }

  /** Files that must exist before it starts. */
  List<String> needed() {
    return values("AssertPathExists");
  }

  /** Its process, in a folder that systemd makes for it. */
  ProcessBuilder start() throws Exception {
    String user = value("User");
    String state = "/var/lib/" + value("StateDirectory");
    system.run("install", "-d", "-o", user, "-g", user, "-m", value("StateDirectoryMode"), state);
    StringBuilder script = new StringBuilder("set -a -e\n");
    for (String file : values("EnvironmentFile")) {
      Path there = system.file(file.replaceFirst("^-", ""));
      if (Files.exists(there) || !file.startsWith("-")) {
        script.append(". ").append(file.replaceFirst("^-", "")).append('\n');
      }
    }
    values("Environment").forEach(variable -> script.append(variable).append('\n'));
    script.append("umask ").append(value("UMask")).append('\n');
    script.append("cd ").append(value("WorkingDirectory")).append('\n');
    script.append("exec ").append(value("ExecStart")).append('\n');
    List<String> command = new ArrayList<>(List.of("setpriv", "--reuid", user, "--regid"));
    command.addAll(List.of(value("Group"), "--init-groups", "--no-new-privs"));
    command.addAll(List.of("--bounding-set=-all", "sh", "-c", script.toString()));
    return system.process(command);
  }

  private String value(String key) {
    List<String> values = values(key);
    if (values.size() != 1) {
      throw new IllegalStateException(key + " of " + name + ": " + values);
    }
    return values.get(0);
  }

  private List<String> values(String key) {
    return lines.stream()
        .filter(line -> line.startsWith(key + "="))
        .map(line -> line.substring(key.length() + 1))
        .toList();
  }
}
