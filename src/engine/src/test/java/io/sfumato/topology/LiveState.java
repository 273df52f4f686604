// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.Plan;
import io.sfumato.serde.TickHeader;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;

/**
 * All that a live pipeline hangs on, as lines of text: what it was planned as, what it wrote into
 * its journals and outputs, and every row of every store, in the middle of a log and at its end.
 * Bytes in hexadecimal digits.
 *
 * <pre>
 * plan WHAT TEXT
 * in TOPIC TIMESTAMP KEY VALUE [HEADER=VALUE ...]      what came; "-" for null
 * 1 TOPIC TIMESTAMP KEY VALUE [HEADER=VALUE ...]       what was written by the middle of the log
 * middle STORE KEY VALUE
 * 2 TOPIC TIMESTAMP KEY VALUE [HEADER=VALUE ...]       what was written after it
 * end STORE KEY VALUE
 * </pre>
 */
final class LiveState {
  private static final HexFormat HEX = HexFormat.of();
  private static final String APPLICATION = "live";
  private static final int SETTLING_TURNS = 200;

  private LiveState() {}

  /** One line of a topic. */
  record Sent(String topic, long timestamp, byte[] key, byte[] value, Map<String, byte[]> headers) {
    String line(String part) {
      StringBuilder line = new StringBuilder();
      line.append(part).append(' ').append(topic).append(' ').append(timestamp);
      line.append(' ').append(hex(key)).append(' ').append(hex(value));
      headers.forEach((name, bytes) -> line.append(' ').append(name + "=" + hex(bytes)));
      return line.toString();
    }

    private Sent with(byte[] tick) {
      return new Sent(topic, timestamp, key, value, Map.of(Names.TICK_HEADER, tick));
    }

    static Sent of(String line) {
      String[] cells = line.split(" ");
      Map<String, byte[]> headers = new TreeMap<>();
      for (int i = 5; i < cells.length; i++) {
        String[] header = cells[i].split("=", 2);
        headers.put(header[0], bytes(header[1]));
      }
      return new Sent(
          cells[1], Long.parseLong(cells[2]), bytes(cells[3]), bytes(cells[4]), headers);
    }
  }

  static String hex(byte[] bytes) {
    return bytes == null ? "-" : HEX.formatHex(bytes);
  }

  private static byte[] bytes(String hex) {
    return hex.equals("-") ? null : HEX.parseHex(hex);
  }

  /** The lines of one kind. */
  static List<String> only(List<String> lines, String kind) {
    return lines.stream().filter(line -> line.startsWith(kind + " ")).toList();
  }

  private static List<Sent> sent(List<String> lines, String part) {
    return only(lines, part).stream().map(Sent::of).toList();
  }

  /**
   * Writes a new file's state, once and for all, or again where an output gets one more field: of
   * its log, the lines "in", whose ticks may be "tick=TIME".
   *
   * @param arguments the pipeline file, and the file of the log, which is replaced
   */
  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[1]);
    Plan plan = Fixture.plan(Files.readString(Path.of(arguments[0])));
    List<String> before = Files.readAllLines(file);
    TickHeader ticks = Fixture.ticks(plan.pipeline().budget().name());
    List<Sent> log = new ArrayList<>();
    for (String line : only(before, "in")) {
      String[] parts = line.split(" tick=");
      Sent sent = Sent.of(parts[0]);
      log.add(parts.length == 1 ? sent : sent.with(ticks.of("in", 0, Long.parseLong(parts[1]))));
    }
    Files.write(file, of(plan, log, Files.createTempDirectory("live")));
  }

  /** Runs a pipeline over a log. */
  static List<String> of(Plan plan, List<Sent> log, Path folder) {
    List<String> lines = new ArrayList<>();
    lines.add("plan digest " + plan.digestText());
    plan.layout().forEach((what, how) -> lines.add("plan " + what + " " + how));
    for (PlannedRelease release : plan.releases()) {
      String name = "plan " + release.spec().name();
      lines.add(name + " charge " + release.charge().mechanism());
      lines.add(name + " share " + release.share().canonical());
    }
    log.forEach(sent -> lines.add(sent.line("in")));
    Properties settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, APPLICATION);
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:1");
    settings.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
    Deployment deployment = Fixture.deployment(1, PipelineMeters.none());
    try (TopologyTestDriver driver =
        new TopologyTestDriver(PipelineTopology.build(plan, deployment), settings, Instant.EPOCH)) {
      int half = log.size() / 2;
      feed(driver, log.subList(0, half));
      lines.addAll(written(driver, "1"));
      lines.addAll(rows(driver, "middle"));
      feed(driver, log.subList(half, log.size()));
      lines.addAll(written(driver, "2"));
      lines.addAll(rows(driver, "end"));
    }
    return lines;
  }

  private static void feed(TopologyTestDriver driver, List<Sent> log) {
    for (Sent sent : log) {
      RecordHeaders headers = new RecordHeaders();
      sent.headers().forEach(headers::add);
      driver
          .createInputTopic(sent.topic(), new ByteArraySerializer(), new ByteArraySerializer())
          .pipeInput(new TestRecord<>(sent.key(), sent.value(), headers, sent.timestamp()));
    }
    for (int turn = 0; turn < SETTLING_TURNS; turn++) {
      driver.advanceWallClockTime(Duration.ofMillis(10));
    }
  }

  /** Of every topic but changelogs, whose rows the stores have. */
  private static List<String> written(TopologyTestDriver driver, String part) {
    List<String> lines = new ArrayList<>();
    for (String topic : driver.producedTopicNames().stream().sorted().toList()) {
      var records =
          driver.createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer());
      while (!records.isEmpty() && !topic.endsWith("-changelog")) {
        TestRecord<byte[], byte[]> next = records.readRecord();
        Map<String, byte[]> headers = new TreeMap<>();
        for (Header header : next.headers()) {
          headers.put(header.key(), header.value());
        }
        lines.add(new Sent(topic, next.timestamp(), next.key(), next.value(), headers).line(part));
      }
    }
    return lines;
  }

  @SuppressWarnings("unchecked")
  private static List<String> rows(TopologyTestDriver driver, String part) {
    List<String> lines = new ArrayList<>();
    new TreeMap<>(driver.getAllStateStores())
        .forEach(
            (name, store) -> {
              if (store instanceof KeyValueStore<?, ?> rows) {
                lines.addAll(rows(part, (KeyValueStore<Bytes, byte[]>) rows));
              }
            });
    return lines;
  }

  private static List<String> rows(String part, KeyValueStore<Bytes, byte[]> store) {
    List<String> lines = new ArrayList<>();
    try (KeyValueIterator<Bytes, byte[]> all = store.all()) {
      all.forEachRemaining(
          row ->
              lines.add(
                  part + " " + store.name() + " " + hex(row.key.get()) + " " + hex(row.value)));
    }
    return lines;
  }

  /** What a program does that finds the state of the middle, and the rest of a journal. */
  record Continued(List<String> written, List<String> rows) {}

  /** The users' keeper: what it writes is another journal. */
  static Continued users(Plan plan, List<String> lines) {
    Map<String, KeyValueStore<Bytes, byte[]>> stores = stores(lines);
    Deployment deployment = Fixture.deployment(1, PipelineMeters.none());
    return continued(
        ProcessorRun.users(plan, deployment, stores.values()), stores, Names.USERS_JOURNAL, lines);
  }

  /** The subjects' keeper: what it writes are outputs. */
  static Continued subjects(Plan plan, List<String> lines) {
    Map<String, KeyValueStore<Bytes, byte[]>> stores = stores(lines);
    Deployment deployment = Fixture.deployment(1, PipelineMeters.none());
    return continued(
        ProcessorRun.subjects(plan, deployment, stores.values()), stores, Names.JOURNAL, lines);
  }

  private static Continued continued(
      ProcessorRun<?> keeper,
      Map<String, KeyValueStore<Bytes, byte[]>> stores,
      String journal,
      List<String> lines) {
    String topic = APPLICATION + "-" + journal + "-repartition";
    long offset = sent(lines, "1").stream().filter(sent -> sent.topic().equals(topic)).count();
    for (Sent entry : sent(lines, "2")) {
      if (entry.topic().equals(topic)) {
        keeper.take(offset++, entry.value(), entry.timestamp());
      }
    }
    for (int turn = 0; turn < SETTLING_TURNS; turn++) {
      keeper.punctuate();
      keeper.commit();
    }
    List<String> written =
        keeper.forwarded().stream()
            .map(sent -> sent.child() + " " + sent.timestamp() + " " + hex(sent.value()))
            .toList();
    List<String> rows = new ArrayList<>();
    stores.values().forEach(store -> rows.addAll(rows("end", store)));
    return new Continued(written, rows);
  }

  /** All stores with the rows of the middle. */
  private static Map<String, KeyValueStore<Bytes, byte[]>> stores(List<String> lines) {
    Map<String, KeyValueStore<Bytes, byte[]>> stores =
        MemoryStores.named(
            List.of(
                Names.DATASET_STORE,
                Names.SUBJECT_STORE,
                Names.LEDGER_STORE,
                Names.QUERY_STORE,
                Names.META_STORE,
                Names.CONTRIBUTION_STORE,
                Names.SUBJECTS_META_STORE,
                Names.RUNNING_STORE,
                Names.NAME_STORE,
                Names.PERIOD_STORE));
    for (String row : only(lines, "middle")) {
      String[] cells = row.split(" ");
      if (stores.containsKey(cells[1])) {
        stores.get(cells[1]).put(Bytes.wrap(bytes(cells[2])), bytes(cells[3]));
      }
    }
    return stores;
  }
}
