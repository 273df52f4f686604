// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.docs.DeclaredField;
import io.sfumato.testkit.Places;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Whatever a message tells somebody to write exists: fields, commands and their options. */
class MessagesTest {
  /** A text of the program, of one line or of several. */
  private static final Pattern TEXT =
      Pattern.compile("\"\"\"\n.*?\"\"\"|\"(?:[^\"\\\\\n]|\\\\.)*\"", Pattern.DOTALL);

  private static final Pattern COMMAND = Pattern.compile("\\bsfumato ([a-z]+(?:-[a-z]+)*)\\b");

  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--([a-z]+(?:-[a-z]+)*)");

  private static final Pattern FIELD =
      Pattern.compile(
          "(?<![.\\w-])(?:input|window|budget|contributions|subjects|features)\\.[a-z]+(?:-[a-z]+)*(?:\\.[a-z]+(?:-[a-z]+)*)*");

  /** Of Kafka's and other tools, and of javac's switches. */
  private static final Set<String> FOREIGN =
      Set.of(
          "add",
          "add-config",
          "allow-principal",
          "alter",
          "bootstrap-server",
          "consumer",
          "create",
          "delete-config",
          "deny-principal",
          "entity-name",
          "entity-type",
          "force",
          "group",
          "operation",
          "principal",
          "remove",
          "resource-pattern-type",
          "topic",
          "transactional-id",
          "cluster",
          "command-config",
          "delegation-token",
          "describe",
          "list",
          "partition",
          "partitions",
          "replication-factor",
          "unavailable-partitions",
          "user-principal");

  /** Words that stand behind the program's name in a sentence. */
  private static final Set<String> PROSE = Set.of("entry", "noise");

  private static Map<String, Set<String>> found(Pattern pattern) {
    Map<String, Set<String>> places = new TreeMap<>();
    try {
      for (Path file : Places.java(Places.main())) {
        Matcher text = TEXT.matcher(withoutComments(Files.readString(file)));
        while (text.find()) {
          Matcher word = pattern.matcher(text.group());
          while (word.find()) {
            String name = word.group(word.groupCount() > 0 ? 1 : 0);
            places
                .computeIfAbsent(name, unseen -> new TreeSet<>())
                .add(file.getFileName().toString());
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return places;
  }

  private static String withoutComments(String source) {
    return source
        .lines()
        .filter(line -> !line.strip().matches("(//|\\*|/\\*).*"))
        .collect(Collectors.joining("\n"));
  }

  private static Stream<CommandLine> all(CommandLine command) {
    return Stream.concat(
        Stream.of(command), command.getSubcommands().values().stream().flatMap(MessagesTest::all));
  }

  @Test
  void shouldNameOnlyCommandsThatThereAre() {
    Set<String> commands =
        all(Main.commandLine()).map(CommandLine::getCommandName).collect(Collectors.toSet());
    Map<String, Set<String>> unknown = found(COMMAND);
    assertThat(unknown).hasSizeGreaterThan(20);
    unknown.keySet().removeAll(commands);
    unknown.keySet().removeAll(PROSE);
    assertThat(unknown).isEmpty();
  }

  @Test
  void shouldNameOnlyOptionsThatThereAre() {
    Set<String> options =
        all(Main.commandLine())
            .flatMap(command -> command.getCommandSpec().options().stream())
            .flatMap(option -> List.of(option.names()).stream())
            .map(name -> name.replaceFirst("^--", "").replaceFirst("^\\[no-\\]", ""))
            .collect(Collectors.toCollection(HashSet::new));
    Map<String, Set<String>> unknown = found(OPTION);
    assertThat(unknown).hasSizeGreaterThan(80);
    unknown.keySet().removeAll(options);
    unknown.keySet().removeAll(FOREIGN);
    assertThat(unknown).isEmpty();
  }

  @Test
  void shouldNameOnlyFieldsThatThereAre() {
    List<String> paths = DeclaredField.all().stream().map(DeclaredField::path).toList();
    Map<String, Set<String>> unknown = found(FIELD);
    assertThat(unknown).hasSizeGreaterThan(20);
    unknown
        .keySet()
        .removeIf(
            field ->
                field.endsWith(".md")
                    || paths.stream()
                        .anyMatch(path -> ("." + path + ".").contains("." + field + ".")));
    assertThat(unknown).isEmpty();
  }
}
