// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The alerts of docker/prometheus, and a copy of them that waits for less time. */
final class AlertRules {
  private static final Path RULES = Path.of("docker/prometheus/alerts.yml");

  /** By so much waits are shorter. */
  private static final int FASTER = 120;

  /** A scrape that comes late is no fault. */
  private static final int LEAST_WAIT = 2 * PrometheusServer.SCRAPE + 1;

  /** A rate needs several scrapes. */
  private static final int LEAST_RANGE = 5 * PrometheusServer.SCRAPE;

  private static final Pattern WAIT = Pattern.compile("(?m)(?<=^ {8}for: )(\\d+)([smhd])$");
  private static final Pattern RANGE = Pattern.compile("(?<=\\[)(\\d+)([smhd])(?=])");
  private static final Map<String, Integer> SECONDS =
      Map.of("s", 1, "m", 60, "h", 3_600, "d", 86_400);

  private AlertRules() {}

  /** Writes the copy. Waits and ranges differ, and nothing else. */
  static Path faster(Path copy) throws IOException {
    String rules = Files.readString(RULES);
    String waits = WAIT.matcher(rules).replaceAll(found -> seconds(found, LEAST_WAIT));
    return Files.writeString(
        copy, RANGE.matcher(waits).replaceAll(found -> seconds(found, LEAST_RANGE)));
  }

  private static String seconds(MatchResult time, int least) {
    int whole = Integer.parseInt(time.group(1)) * SECONDS.get(time.group(2));
    return Math.max(least, whole / FASTER) + "s";
  }

  /** Names of all alerts. */
  static Set<String> names() throws IOException {
    Set<String> names = new TreeSet<>();
    for (JsonNode rule : new YAMLMapper().readTree(RULES.toFile()).at("/groups/0/rules")) {
      names.add(rule.path("alert").asText());
    }
    return names;
  }
}
