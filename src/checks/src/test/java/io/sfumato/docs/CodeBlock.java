// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a page of theory says under "In the code": where the classes of a theorem and their tests
 * are, and the commands that run these.
 *
 * @param rows of the table
 * @param commands lines of the block below it
 */
record CodeBlock(List<Row> rows, List<String> commands) {
  private static final Pattern BLOCK =
      Pattern.compile(
          "\\*\\*In the code\\*\\*\n\n"
              + "\\| module \\| package \\| classes \\|\n"
              + "\\|---\\|---\\|---\\|\n"
              + "((?:\\|.*\n"
              + ")+)\n"
              + "<!--.*-->\n"
              + "```sh\n"
              + "((?:mvn .*\n"
              + ")+)```");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(src/\\w+)`(, tests)? \\| `([\\w.]+)` \\| (.*) \\|$");
  private static final Pattern NAME = Pattern.compile("`([A-Z]\\w*)`");
  private static final Pattern TESTS =
      Pattern.compile("^mvn (?:test -pl (\\S+) -am -Dtest=|verify -Dit\\.test=)(\\S+)$");

  /** Classes of one package. */
  record Row(String module, boolean tests, String packageName, List<String> names) {
    private boolean has(String name) {
      return (tests ? List.of("test", "it") : List.of("main"))
          .stream()
              .map(
                  set ->
                      Path.of(module, "src", set, "java")
                          .resolve(packageName.replace('.', '/'))
                          .resolve(name + ".java"))
              .anyMatch(Files::isRegularFile);
    }
  }

  /** All of a text; the test fails where one is written otherwise. */
  static List<CodeBlock> of(String text) {
    List<CodeBlock> blocks =
        BLOCK
            .matcher(text)
            .results()
            .map(
                found ->
                    new CodeBlock(
                        rows(found.group(1)), List.of(found.group(2).strip().split("\n"))))
            .toList();
    long titles = Pattern.compile("In the code").matcher(text).results().count();
    if (blocks.size() != titles) {
      throw new AssertionError(
          titles + " times 'In the code', " + blocks.size() + " tables with commands: " + text);
    }
    return blocks;
  }

  private static List<Row> rows(String table) {
    List<Row> rows = new ArrayList<>();
    for (String line : table.strip().split("\n")) {
      MatchResult row =
          ROW.matcher(line)
              .results()
              .findFirst()
              .orElseThrow(() -> new AssertionError("no row of classes: " + line));
      List<String> names =
          NAME.matcher(row.group(4)).results().map(found -> found.group(1)).toList();
      rows.add(new Row(row.group(1), row.group(2) != null, row.group(3), names));
    }
    return rows;
  }

  /** Classes that are not where their row says. */
  List<String> missing() {
    return rows.stream()
        .flatMap(row -> row.names().stream().filter(name -> !row.has(name)))
        .toList();
  }

  /** Names of main classes. */
  Set<String> classes() {
    return rows.stream()
        .filter(row -> !row.tests())
        .flatMap(row -> row.names().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  boolean has(String module, String name) {
    return rows.stream()
        .anyMatch(row -> !row.tests() && row.module().equals(module) && row.names().contains(name));
  }

  /** Names of tests. */
  Set<String> tests() {
    return rows.stream()
        .filter(Row::tests)
        .flatMap(row -> row.names().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Names of tests that the commands run: each in its module, or an integration test. */
  Set<String> commanded() {
    Set<String> run = new TreeSet<>();
    for (String command : commands) {
      MatchResult found =
          TESTS
              .matcher(command)
              .results()
              .findFirst()
              .orElseThrow(() -> new AssertionError("runs no named test: " + command));
      List<String> modules =
          found.group(1) == null ? List.of() : Arrays.asList(found.group(1).split(","));
      for (String test : found.group(2).split(",")) {
        boolean reached =
            rows.stream()
                .filter(row -> row.tests() && row.names().contains(test))
                .allMatch(
                    row ->
                        found.group(1) == null
                            ? test.endsWith("IT")
                            : modules.contains(row.module()));
        if (reached) {
          run.add(test);
        }
      }
    }
    return run;
  }
}
