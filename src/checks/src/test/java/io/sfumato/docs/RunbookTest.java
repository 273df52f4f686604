// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sfumato.ops.Metric;
import io.sfumato.runtime.ExitCode;
import io.sfumato.testkit.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whoever is woken by an alert finds what to do, and every fault has an alert or a reason. */
class RunbookTest {
  private static final Path RULES = Path.of("docker/prometheus/alerts.yml");
  private static final Path RUNBOOK = Path.of("docs/operate/runbook.md");
  private static final Path MONITOR = Path.of("docs/operate/monitor.md");
  private static final Pattern SECTION =
      Pattern.compile("(?ms)^### (Sfumato\\w+)\n(.*?)(?=^#{2,3} |\\z)");
  private static final Pattern POINT =
      Pattern.compile("(?m)^- \\*\\*(\\w+)\\*\\*( \\(\\w+\\))?: \\S");
  private static final Pattern METRIC = Pattern.compile("\\bsfumato_[a-z0-9_]+\\b");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern TEXT =
      Pattern.compile("\"(?:[^\"\\\\\n]|\\\\.)*\"(?:\\s*\\+\\s*\"(?:[^\"\\\\\n]|\\\\.)*\")*");
  private static final Pattern LOGGED =
      Pattern.compile("LOG\\s*\\.(?:error|warn)\\(\\s*(" + TEXT.pattern() + ")");

  private static final Map<String, JsonNode> ALERTS = new LinkedHashMap<>();
  private static final Map<String, String> SECTIONS = new LinkedHashMap<>();
  private static String runbook;

  @BeforeAll
  static void read() throws IOException {
    runbook = Files.readString(RUNBOOK);
    new YAMLMapper()
        .readTree(RULES.toFile())
        .at("/groups/0/rules")
        .forEach(rule -> ALERTS.put(rule.path("alert").asText(), rule));
    SECTION
        .matcher(runbook)
        .results()
        .forEach(found -> SECTIONS.put(found.group(1), found.group(2)));
    assertThat(ALERTS).hasSizeGreaterThan(20);
  }

  @Test
  void shouldHaveASectionForEachAlertAndNoOther() {
    assertThat(SECTIONS.keySet()).containsExactlyElementsOf(ALERTS.keySet());
  }

  @Test
  void shouldLinkEachAlertToItsSection() {
    ALERTS.forEach(
        (name, rule) -> {
          assertThat(rule.at("/annotations/runbook_url").asText())
              .isEqualTo(RUNBOOK + "#" + name.toLowerCase(Locale.ROOT));
          assertThat(rule.at("/annotations/summary").asText()).as(name).isNotBlank();
        });
  }

  /** Where one section says how to see it, every other one does, in the same place. */
  @Test
  void shouldSaySymptomCauseAndCommandsOfEachAlert() {
    SECTIONS.forEach(
        (name, text) -> {
          List<MatchResult> points = POINT.matcher(text).results().toList();
          assertThat(points.stream().map(point -> point.group(1)))
              .as(name)
              .containsExactly("Symptom", "Cause", "Commands");
          assertThat(points.get(0).group(2))
              .as(name)
              .isEqualTo(" (%s)".formatted(ALERTS.get(name).at("/labels/severity").asText()));
          assertThat(text.substring(points.get(2).start())).as(name).contains("\n```sh\n");
        });
  }

  @Test
  void shouldNameEachAlertOnTheMonitoringPageToo() throws IOException {
    String monitor = Files.readString(MONITOR);
    assertThat(ALERTS.keySet())
        .allMatch(name -> monitor.contains("runbook.md#" + name.toLowerCase(Locale.ROOT)));
  }

  @Test
  void shouldHaveAnAlertOrAReasonForEachMetric() throws IOException {
    String rules = Files.readString(RULES);
    String reasons = String.join("\n", faults());
    for (Metric metric : Metric.values()) {
      assertThat(named(rules).contains(metric.exported()))
          .as("%s has an alert, or a reason why not", metric)
          .isNotEqualTo(named(reasons).contains(metric.exported()));
    }
  }

  @Test
  void shouldAskForMetricsThatExist() throws IOException {
    Set<String> known =
        Stream.of(Metric.values()).map(Metric::exported).collect(Collectors.toSet());
    for (Path file :
        List.of(RULES, RUNBOOK, MONITOR, Path.of("docker/grafana/dashboards/sfumato.json"))) {
      assertThat(known).as(file.toString()).containsAll(named(Files.readString(file)));
    }
  }

  private static Set<String> named(String text) {
    return METRIC
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Rows of the tables about faults. */
  private static List<String> faults() {
    String section = runbook.split("\n## Faults and their alerts\n", 2)[1].split("\n## ", 2)[0];
    return section.lines().filter(line -> line.startsWith("| `")).toList();
  }

  @Test
  void shouldHaveAnAlertOrAReasonForEachWarningOfTheLog() throws IOException {
    List<String> said = new ArrayList<>();
    List<String> all = new ArrayList<>();
    for (Path file : Places.java(Places.main())) {
      String source = Files.readString(file);
      LOGGED.matcher(source).results().forEach(found -> said.add(words(found.group(1))));
      TEXT.matcher(source).results().forEach(found -> all.add(words(found.group())));
    }
    assertThat(said).hasSizeGreaterThan(20);
    Set<String> parts = new TreeSet<>();
    for (String row : faults()) {
      String first = row.split("\\|")[1];
      if (!first.contains("sfumato")) {
        CODE.matcher(first).results().forEach(found -> parts.add(found.group(1)));
      }
    }
    assertThat(said).allMatch(message -> parts.stream().anyMatch(message::contains));
    assertThat(parts).allMatch(part -> all.stream().anyMatch(text -> text.contains(part)));
  }

  private static String words(String literals) {
    return LITERAL
        .matcher(literals)
        .results()
        .map(found -> found.group(1))
        .collect(Collectors.joining());
  }

  @Test
  void shouldSayOfEachExitCodeWhetherToRestart() {
    String section = runbook.split("\n## Exit codes\n", 2)[1].split("\n## ", 2)[0];
    Set<String> numbers =
        Pattern.compile("(?m)^\\| ([\\d, ]+) \\|")
            .matcher(section)
            .results()
            .flatMap(row -> Stream.of(row.group(1).split(", ")))
            .collect(Collectors.toSet());
    assertThat(numbers)
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(ExitCode.values()).map(code -> Integer.toString(code.number())).toList());
  }
}
