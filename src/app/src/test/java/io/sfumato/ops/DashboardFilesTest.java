// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Grafana needs of a dashboard's file, and would not complain about. */
class DashboardFilesTest {
  private static final int COLUMNS = 24;
  private static final Pattern VARIABLE =
      Pattern.compile("\\$(?:\\{((?!__)\\w+)(?::\\w+)?}|(?!__)([a-z]\\w*))");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{2,3} (\\w+)$");
  private static final Set<String> TYPES =
      Set.of("row", "stat", "timeseries", "table", "alertlist");
  private static final Set<String> UNITS =
      Set.of("short", "none", "ops", "s", "bytes", "percentunit");

  private static JsonNode dashboard(String name) throws IOException {
    return new ObjectMapper()
        .readTree(Path.of("docker/grafana/dashboards", name + ".json").toFile());
  }

  @ParameterizedTest
  @ValueSource(strings = {"sfumato", "releases"})
  void shouldPlacePanelsBesideEachOther(String name) throws IOException {
    Set<Integer> ids = new HashSet<>();
    Set<String> taken = new HashSet<>();
    for (JsonNode panel : dashboard(name).path("panels")) {
      String title = panel.path("title").asText();
      assertThat(ids.add(panel.path("id").asInt())).as("id of " + title).isTrue();
      JsonNode place = panel.path("gridPos");
      int x = place.path("x").asInt();
      int y = place.path("y").asInt();
      assertThat(place.path("w").asInt()).as(title).isBetween(1, COLUMNS - x);
      assertThat(place.path("h").asInt()).as(title).isPositive();
      for (int column = x; column < x + place.path("w").asInt(); column++) {
        for (int line = y; line < y + place.path("h").asInt(); line++) {
          assertThat(taken.add(column + " " + line)).as("place of " + title).isTrue();
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sfumato", "releases"})
  void shouldDescribeEachPanel(String name) throws IOException {
    for (JsonNode panel : dashboard(name).path("panels")) {
      String title = panel.path("title").asText();
      assertThat(title).isNotBlank();
      assertThat(TYPES).as(title).contains(panel.path("type").asText());
      if (panel.path("type").asText().equals("row")) {
        continue;
      }
      assertThat(panel.path("description").asText()).as(title).hasSizeGreaterThan(20);
      JsonNode unit = panel.at("/fieldConfig/defaults/unit");
      assertThat(unit.isMissingNode() || UNITS.contains(unit.asText())).as(title).isTrue();
      Set<String> targets = new HashSet<>();
      for (JsonNode target : panel.path("targets")) {
        assertThat(targets.add(target.path("refId").asText())).as(title).isTrue();
        assertThat(target.path("datasource")).as(title).isEqualTo(panel.path("datasource"));
      }
      assertThat(targets.isEmpty())
          .as(title)
          .isEqualTo(panel.path("type").asText().equals("alertlist"));
    }
  }

  /** A variable that nobody declares is text, and one that nobody uses misleads. */
  @ParameterizedTest
  @ValueSource(strings = {"sfumato", "releases"})
  void shouldUseTheVariablesThatItDeclares(String name) throws IOException {
    JsonNode dashboard = dashboard(name);
    Set<String> declared = new TreeSet<>();
    Set<String> used = new TreeSet<>();
    for (JsonNode variable : dashboard.at("/templating/list")) {
      Set<String> before = variables(variable.toString());
      assertThat(declared).as(variable.path("name").asText()).containsAll(before);
      used.addAll(before);
      assertThat(declared.add(variable.path("name").asText())).isTrue();
    }
    used.addAll(variables(dashboard.path("panels").toString()));
    assertThat(used).isEqualTo(declared);
  }

  private static Set<String> variables(String text) {
    Set<String> names = new TreeSet<>();
    Matcher matcher = VARIABLE.matcher(text);
    while (matcher.find()) {
      names.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
    }
    return names;
  }

  /** Every query can be narrowed to one pipeline and instance. */
  @ParameterizedTest
  @ValueSource(strings = "sfumato")
  void shouldSelectByPipelineAndInstance(String name) throws IOException {
    for (String query : queries(name)) {
      assertThat(query).contains("instance=~\"$instance\"");
      if (query.contains("sfumato_")) {
        assertThat(query).contains("pipeline=~\"$pipeline\"");
      }
      if (query.contains("_partition{") || query.contains("_lag_seconds{")) {
        assertThat(query).contains("partition=~\"$partition\"");
      }
    }
  }

  private static List<String> queries(String name) throws IOException {
    List<String> queries = new ArrayList<>();
    for (JsonNode panel : dashboard(name).path("panels")) {
      panel.path("targets").forEach(target -> queries.add(target.path("expr").asText()));
    }
    assertThat(queries).hasSizeGreaterThan(20);
    return queries;
  }

  @ParameterizedTest
  @ValueSource(strings = "sfumato")
  void shouldLinkSectionsOfTheRunbook(String name) throws IOException {
    Set<String> sections = new TreeSet<>();
    Matcher heading = HEADING.matcher(Files.readString(Path.of("docs/operate/runbook.md")));
    while (heading.find()) {
      sections.add(heading.group(1).toLowerCase(Locale.ROOT));
    }
    for (JsonNode panel : dashboard(name).path("panels")) {
      if (panel.path("type").asText().equals("row")) {
        continue;
      }
      assertThat(panel.path("links")).as(panel.path("title").asText()).isNotEmpty();
      for (JsonNode link : panel.path("links")) {
        String[] url = link.path("url").asText().split("#", 2);
        assertThat(url[0]).isEqualTo("${runbook}");
        assertThat(url.length == 1 || sections.contains(url[1])).as(link.toString()).isTrue();
      }
    }
  }
}
