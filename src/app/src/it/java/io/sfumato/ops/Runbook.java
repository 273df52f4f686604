// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.cli.CommandResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs commands of docs/operate/runbook.md as an operator types them, with the names of a test's
 * pipeline in place of the page's.
 *
 * @param servers of the cluster
 * @param words of the page, and what to type instead
 */
record Runbook(String servers, Map<String, String> words) {
  private static final Path PAGE = Path.of("docs/operate/runbook.md");

  /** The first block below an alert's point about commands. */
  private static final String BLOCK = "(?s)\n### %s\n.*?- \\*\\*Commands\\*\\*: .*?```sh\n(.*?)```";

  /** Commands of an alert's section, in their order. */
  static List<String> commands(String alert) throws IOException {
    Matcher block = Pattern.compile(BLOCK.formatted(alert)).matcher(Files.readString(PAGE));
    assertThat(block.find()).as(alert).isTrue();
    List<String> commands = new ArrayList<>();
    for (String line : block.group(1).split("\n")) {
      commands.add(line.replaceFirst("\\s+#.*", ""));
    }
    assertThat(commands).as(alert).isNotEmpty();
    return commands;
  }

  /**
   * Runs one.
   *
   * @return what it writes
   */
  String run(String command) throws Exception {
    List<String> typed = new ArrayList<>();
    for (String word : command.split(" ")) {
      String mine = word;
      for (Map.Entry<String, String> each : words.entrySet()) {
        mine = mine.replace(each.getKey(), each.getValue());
      }
      typed.add(mine.replace("kafka:9092", servers));
    }
    List<String> arguments = typed.subList(1, typed.size());
    return switch (typed.get(0)) {
      case "bin/sfumato" -> sfumato(arguments);
      case "kafka-configs.sh" -> kafka("kafka.admin.ConfigCommand", arguments);
      case "kafka-topics.sh" -> kafka("org.apache.kafka.tools.TopicCommand", arguments);
      default -> process(typed);
    };
  }

  /** Kafka's scripts start these classes. */
  private static String kafka(String main, List<String> arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
    command.add(main);
    command.addAll(arguments);
    return process(command);
  }

  /** Whether findings are there or not, it is the pipeline's cluster that is asked. */
  private String sfumato(List<String> arguments) {
    List<String> all = new ArrayList<>(arguments);
    if (!all.get(0).equals("plan") && !all.get(0).equals("tick-key")) {
      all.addAll(List.of("--bootstrap-servers", servers));
    }
    CommandResult result = CommandResult.of(all.toArray(String[]::new));
    if (!all.get(0).equals("doctor")) {
      assertThat(result.code()).as("%s: %s", all, result.text()).isZero();
    }
    return result.text();
  }

  private static String process(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s: %s", command, out).isZero();
    return out;
  }
}
