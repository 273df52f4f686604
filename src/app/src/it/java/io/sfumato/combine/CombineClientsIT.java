// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.combine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command and the Python module agree: on numbers, and on what is refused. */
@Tag("release")
class CombineClientsIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path PYTHON = Path.of("/usr/bin/python3");
  private static final int CASES = 2_000;
  private static final List<String> HOWS =
      List.of("sum", "weighted-mean", "pooled-mean", "difference", "ratio");

  /** Every refusal that random rows meet. */
  private static final List<String> REFUSALS =
      List.of(
          "no column categry. Did you mean category? The columns are ",
          "no row has wbe in the column category. Did you mean web? The values are ",
          "the rows have the measures ",
          "the rows are of the outputs ",
          "have different category columns",
          "is a public fact, and ",
          "is there in versions 1 and 2 of the file",
          "is there twice",
          "windows of two versions of the file overlap",
          "windows overlap, so records count twice",
          "counts distinct users",
          "take the measure 'noisy users'",
          "take the measure 'noisy count'",
          "cannot be added up: take pooled-mean",
          "is not a count or a sum",
          "is unknown",
          "is clamped",
          "is not symmetric",
          "neither interval nor deviation",
          "share draws, as sums over windows do",
          "share draws: take the row of their total",
          "interval of the denominator contains 0",
          "give one weight of 0 or more",
          "parts of ",
          "no rows: check");

  private static final Instant BEGIN = Instant.parse("2026-11-01T00:00:00Z");

  @TempDir Path folder;

  private final Random random = new Random(20261102);

  @Test
  void shouldAgreeWithPythonOnRandomRows() throws Exception {
    assumeTrue(Files.isExecutable(PYTHON), "no Python here: install Debian's package python3");
    List<JsonNode> cases = IntStream.range(0, CASES).<JsonNode>mapToObj(i -> randomCase()).toList();
    List<JsonNode> found = python(cases);
    assertThat(found).hasSize(CASES);
    Map<String, Integer> numbers = new TreeMap<>();
    Map<String, Integer> refusals = new TreeMap<>();
    Set<String> messages = new HashSet<>();
    for (int i = 0; i < CASES; i++) {
      JsonNode one = cases.get(i);
      JsonNode expected = found.get(i);
      Combined combined;
      try {
        combined = combine(one);
      } catch (InvalidCombinationException e) {
        assertThat(shellWords(expected.asText())).as(one.toString()).isEqualTo(e.getMessage());
        refusals.merge(one.path("how").asText(), 1, Integer::sum);
        messages.add(e.getMessage());
        continue;
      }
      assertThat(expected.isArray()).as("%s: Python: %s", one, expected).isTrue();
      equal(combined.value(), expected.get(0), one);
      equal(combined.low(), expected.get(1), one);
      equal(combined.high(), expected.get(2), one);
      numbers.merge(one.path("how").asText(), 1, Integer::sum);
    }
    assertThat(numbers).containsOnlyKeys(HOWS);
    assertThat(numbers.values()).as("numbers of each kind").allMatch(times -> times > 30);
    assertThat(refusals).containsOnlyKeys(HOWS);
    assertThat(REFUSALS)
        .filteredOn(words -> messages.stream().noneMatch(message -> message.contains(words)))
        .as("refusals that no case met")
        .isEmpty();
  }

  /** A message of Python, in the words of the command. */
  private static String shellWords(String message) {
    return message
        .replace('`', '\'')
        .replace("pooled_mean", "pooled-mean")
        .replace("weighted_mean", "weighted-mean")
        .replaceAll("where\\((\\w+)=\\.\\.\\.\\)", "--where $1=...")
        .replaceAll("where\\((\\w+)='([\\w.:-]+)'\\)", "--where $1=$2")
        .replaceAll("where\\((\\w+)=('[^']+')\\)", "--where $1=$2");
  }

  private static void equal(Number ours, JsonNode theirs, JsonNode one) {
    double expected = theirs.asDouble();
    assertThat(ours.doubleValue())
        .as(one.toString())
        .isCloseTo(expected, within(1e-8 * Math.max(1, Math.abs(expected))));
    assertThat(ours instanceof Long).as("whole: %s", one).isEqualTo(theirs.isIntegralNumber());
  }

  private List<JsonNode> python(List<JsonNode> cases) throws Exception {
    Path in = folder.resolve("cases.jsonl");
    Files.write(in, cases.stream().map(JsonNode::toString).toList());
    Path out = folder.resolve("results.jsonl");
    Path errors = folder.resolve("errors");
    ProcessBuilder builder =
        new ProcessBuilder(PYTHON.toString(), "src/app/src/it/python/combine_cases.py")
            .redirectInput(in.toFile())
            .redirectOutput(out.toFile())
            .redirectError(errors.toFile());
    builder.environment().put("PYTHONPATH", "clients");
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    assertThat(builder.start().waitFor()).as(Files.readString(errors)).isZero();
    List<JsonNode> found = new ArrayList<>();
    for (String line : Files.readAllLines(out)) {
      found.add(JSON.readTree(line));
    }
    return found;
  }

  private Combined combine(JsonNode one) throws IOException {
    Path file = folder.resolve("case.jsonl");
    List<String> lines = new ArrayList<>();
    one.path("rows").forEach(row -> lines.add(row.toString()));
    Files.write(file, lines);
    Map<String, Set<String>> wanted = new TreeMap<>();
    one.path("where")
        .properties()
        .forEach(entry -> wanted.put(entry.getKey(), Set.of(entry.getValue().asText())));
    List<FileRow> rows = RowSelection.where(ExportedRows.read(file), wanted);
    if (!wanted.isEmpty()) {
      return WeightedSum.sum(rows);
    }
    List<FileRow> first = chosen(rows, one.path("first"));
    List<FileRow> second = chosen(rows, one.path("second"));
    return switch (one.path("how").asText()) {
      case "sum" -> WeightedSum.sum(rows);
      case "weighted-mean" -> {
        List<Double> weights = new ArrayList<>();
        one.path("weights").forEach(weight -> weights.add(weight.asDouble()));
        yield WeightedSum.mean(rows, weights);
      }
      case "pooled-mean" -> PooledMean.of(rows);
      case "difference" -> WeightedSum.difference(first, second);
      default -> Ratio.of(first, second);
    };
  }

  private static List<FileRow> chosen(List<FileRow> rows, JsonNode places) {
    List<FileRow> found = new ArrayList<>();
    places.forEach(place -> found.add(rows.get(place.asInt())));
    return found;
  }

  private ObjectNode randomCase() {
    ObjectNode one = JSON.createObjectNode();
    String how = HOWS.get(random.nextInt(HOWS.size()));
    one.put("how", how);
    ArrayNode rows = one.putArray("rows");
    if (how.equals("pooled-mean")) {
      meanRows(rows);
    } else if (random.nextInt(12) == 0) {
      overlapping(rows);
    } else {
      int kind = random.nextInt(6);
      int count = 1 + random.nextInt(5);
      String measure = measure();
      for (int i = 0; i < count; i++) {
        rows.add(
            kind > 2
                ? count(i)
                : kind == 2
                    ? anything(random.nextInt(4) > 0 ? measure : measure())
                    : alike(anything(measure)));
      }
    }
    ObjectNode where = one.putObject("where");
    if (how.equals("sum") && random.nextInt(4) == 0) {
      where.put(
          random.nextInt(8) == 0 ? "categry" : "category", random.nextBoolean() ? "web" : "wbe");
    } else if (how.equals("sum") && random.nextInt(3) == 0) {
      where.put(pick("subject", "version", "measure", "unknown", "noise_scope"), pick("east", "1"));
    }
    ArrayNode first = one.putArray("first");
    ArrayNode second = one.putArray("second");
    ArrayNode weights = one.putArray("weights");
    for (int i = 0; i < rows.size(); i++) {
      int side = random.nextInt(3);
      if (side != 1) {
        first.add(i);
      }
      if (side != 0) {
        second.add(i);
      }
      weights.add(random.nextInt(20) == 0 ? -1 : random.nextInt(5));
    }
    return one;
  }

  private ObjectNode count(int day) {
    boolean isWhole = random.nextBoolean();
    boolean isGaussian = random.nextBoolean();
    ObjectNode row = row(day, "east", "", "count");
    row.put("noise", isGaussian ? "discrete-gaussian" : "discrete-laplace")
        .put("noise_scope", "row");
    double deviation = random.nextInt(3) == 0 ? 5 : Math.exp(4 * random.nextDouble() - 2);
    double half = deviation * (isGaussian ? CombinedNoise.NORMAL : Math.log(20) / Math.sqrt(2));
    double value = 40 + 30 * random.nextGaussian();
    if (isWhole) {
      long whole = Math.round(value);
      row.put("value", whole)
          .put("low", whole - (long) Math.ceil(half))
          .put("high", whole + (long) Math.ceil(half));
    } else {
      row.put("value", value).put("low", value - half).put("high", value + half);
    }
    if (random.nextBoolean()) {
      row.put("deviation", deviation);
    }
    return row;
  }

  /** Of one output and one set of category columns, so that other refusals are met. */
  private ObjectNode alike(ObjectNode row) {
    row.put("output", "orders").put("category", pick("web", "phone"));
    if (random.nextInt(3) > 0) {
      row.put("clamped", false).put("unknown", false);
    }
    if (random.nextInt(3) == 0) {
      row.put("version", 2);
    }
    if (random.nextInt(6) == 0) {
      Instant start = Instant.parse(row.path("window_start").asText());
      row.put("window_end", start.plus(1, ChronoUnit.HOURS).toString());
    }
    return row;
  }

  /** Two rows of one day that do not add up. */
  private void overlapping(ArrayNode rows) {
    ObjectNode day = count(0);
    ObjectNode other = count(0);
    rows.add(day).add(other);
    switch (random.nextInt(3)) {
      case 0 -> {
        other.put("version", 1 + random.nextInt(2));
        other.put("window_end", BEGIN.plus(1, ChronoUnit.HOURS).toString());
      }
      case 1 -> other.put("version", 2);
      default -> {
        day.put("category", "web").put("noise_scope", "window");
        other.put("category", "phone").put("noise_scope", "window");
      }
    }
  }

  /** Much of it is refused. */
  private ObjectNode anything(String measure) {
    ObjectNode row = count(random.nextInt(4));
    row.put("subject", pick("east", "west")).put("output", pick("orders", "other"));
    row.put("category", pick("", "web", "phone"));
    row.put("measure", measure);
    row.put("noise_scope", pick("row", "row", "group", "series", "window", "output", "pipeline"));
    row.put("clamped", random.nextInt(8) == 0).put("unknown", random.nextInt(8) == 0);
    if (random.nextInt(6) == 0) {
      row.put("high", row.path("high").asDouble() + 20);
    }
    if (random.nextInt(8) == 0) {
      row.putNull("low").putNull("high");
    }
    if (random.nextInt(8) == 0) {
      row.putNull("noise").putNull("noise_scope").putNull("low").putNull("high");
      row.putNull("deviation");
    }
    return row;
  }

  private String measure() {
    return pick(
        "count",
        "count",
        "count",
        "users",
        "noisy users",
        "estimated users",
        "running count",
        "last count",
        "noisy count",
        "estimated count",
        "share",
        "mean of amount",
        "sum of amount",
        "quantile 0.5 of amount",
        "part 0 of amount",
        "records");
  }

  private void meanRows(ArrayNode rows) {
    int moments = 1 + random.nextInt(2);
    boolean isPublic = random.nextBoolean();
    double deviation = random.nextDouble() * 3;
    for (int day = 0; day < 1 + random.nextInt(4); day++) {
      String group = isPublic || random.nextBoolean() ? "" : "web";
      fact(rows, row(day, "east", group, "lowest of amount"), -10);
      fact(rows, row(day, "east", group, "highest of amount"), 20 + day);
      if (isPublic) {
        fact(rows, row(day, "east", "", "records"), 30);
      }
      if (moments == 2) {
        rows.add(noisy(row(day, "east", group, "variance of amount"), 4, deviation));
      }
      for (int part = 0; part < moments + (isPublic ? 0 : 1); part++) {
        ObjectNode row = row(day, "east", group, "part " + part + " of amount");
        double value = 10 + deviation * random.nextGaussian();
        if (random.nextInt(40) > 0) {
          rows.add(noisy(row, value, deviation));
        }
      }
    }
  }

  private ObjectNode noisy(ObjectNode row, double value, double deviation) {
    return row.put("value", value)
        .put("deviation", deviation)
        .put("noise", random.nextBoolean() ? "discrete-gaussian" : "discrete-laplace")
        .put("noise_scope", "group");
  }

  private static void fact(ArrayNode rows, ObjectNode row, long value) {
    rows.add(row.put("value", value));
  }

  private static ObjectNode row(int day, String subject, String category, String measure) {
    ObjectNode row = JSON.createObjectNode();
    Instant start = BEGIN.plus(day, ChronoUnit.DAYS);
    row.put("subject", subject)
        .put("window_start", start.toString())
        .put("window_end", start.plus(1, ChronoUnit.DAYS).toString())
        .put("output", "orders")
        .put("category", category)
        .put("measure", measure);
    row.putNull("value").putNull("low").putNull("high").putNull("deviation").putNull("noise");
    row.put("unknown", false).put("clamped", false).putNull("left_out").put("version", 1);
    return row.put("released", "2026-12-01T00:00:00Z").putNull("noise_scope");
  }

  private String pick(String... texts) {
    return texts[random.nextInt(texts.length)];
  }
}
