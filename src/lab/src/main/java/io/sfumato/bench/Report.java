// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a benchmark found. */
public final class Report {
  private final int rounds;
  private final Map<String, Spread> figures = new LinkedHashMap<>();

  /** Absolute measurements by workload, and by alternative. */
  private final Map<String, Map<String, Spread>> measured = new LinkedHashMap<>();

  /** What follows from measurements, by title. */
  private final Map<String, List<String>> said = new LinkedHashMap<>();

  Report(int rounds) {
    this.rounds = rounds;
  }

  /** A figure with a name of its own. */
  void figure(String name, Spread value) {
    figures.put(name, value);
  }

  void figure(String name, double value) {
    figures.put(name, new Spread(value, value, value));
  }

  /** What alternatives reached in one workload. */
  void measured(String workload, Map<String, List<Double>> values) {
    Map<String, Spread> spreads = new LinkedHashMap<>();
    values.forEach((alternative, each) -> spreads.put(alternative, Spread.of(each)));
    measured.put(workload, spreads);
  }

  /** What follows from measurements, a line each. */
  void say(String title, List<String> lines) {
    said.put(title, List.copyOf(lines));
  }

  /** Figures at the top, by name; then their spread, what was measured, and the machine. */
  public String json() {
    ObjectNode json = new ObjectMapper().createObjectNode();
    figures.forEach((name, spread) -> json.put(name, rounded(spread.median())));
    ObjectNode spreads = json.putObject("spread");
    figures.forEach((name, spread) -> write(spreads.putObject(name), spread));
    ObjectNode workloads = json.putObject("measured");
    measured.forEach(
        (workload, values) -> {
          ObjectNode node = workloads.putObject(workload);
          values.forEach((name, spread) -> write(node.putObject(name), spread));
        });
    said.forEach(
        (title, lines) -> lines.forEach(json.withArrayProperty(title.replace(' ', '_'))::add));
    json.put("rounds", rounds);
    ObjectNode machine = json.putObject("machine");
    Machine.describe().forEach(machine::put);
    return json.toPrettyString();
  }

  private static void write(ObjectNode node, Spread spread) {
    node.put("median", rounded(spread.median()))
        .put("least", rounded(spread.least()))
        .put("most", rounded(spread.most()));
  }

  /** Four digits: the machine's noise is larger. */
  private static double rounded(double value) {
    return Double.isFinite(value)
        ? Double.parseDouble(String.format(Locale.ROOT, "%.4g", value))
        : value;
  }

  /** For people. */
  public String table() {
    StringBuilder out = new StringBuilder();
    measured.forEach(
        (workload, values) -> {
          out.append(workload).append('\n');
          values.forEach((name, spread) -> line(out, "  " + name, spread).append('\n'));
        });
    out.append("figures, as medians of ").append(rounds).append(" rounds\n");
    figures.forEach(
        (name, spread) -> {
          line(out, "  " + name, spread);
          FigureTarget.of(name)
              .ifPresent(
                  target ->
                      out.append("  target ")
                          .append(target)
                          .append(target.isMetBy(spread.median()) ? ", met" : ", MISSED"));
          out.append('\n');
        });
    said.forEach(
        (title, lines) -> {
          out.append(title).append('\n');
          lines.forEach(line -> out.append("  ").append(line).append('\n'));
        });
    out.append("machine\n");
    Machine.describe().forEach((what, value) -> out.append("  %-38s %s%n".formatted(what, value)));
    return out.toString();
  }

  private static StringBuilder line(StringBuilder out, String name, Spread spread) {
    out.append("%-40s %12s".formatted(name, shown(spread.median())));
    if (spread.least() < spread.most()) {
      out.append("   %s to %s".formatted(shown(spread.least()), shown(spread.most())));
    }
    return out;
  }

  static String shown(double value) {
    return String.format(Locale.ROOT, Math.abs(value) >= 1000 ? "%,.0f" : "%.4g", value);
  }
}
