// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.audit.AuditLog.Entry;
import io.sfumato.audit.Run.Published;
import io.sfumato.gate.Draw;
import io.sfumato.gate.NoiseKey;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.StateEpoch;
import io.sfumato.mechanism.ExactData;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.release.Plan;
import io.sfumato.serde.TickHeader;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.PipelineTopology;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.HeldReleases;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.SourceTopics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;

/**
 * Runs a pipeline's own topology over logs, in this process and without a broker: one source
 * partition, always with the same noise key and state epoch.
 */
final class Replay {
  /** Anybody may know it: what is drawn here is of nobody. */
  private static final NoiseKey KEY =
      NoiseSecret.parse("5361796e6f206d6f72652e204175646974732061726520616c6c206d61646575")
          .derive();

  private static final StateEpoch ALWAYS = new StateEpoch(7, 7);

  private static final String APPLICATION = "audit";

  private static final Duration TURN = Duration.ofMillis(10);

  /** Two keepers hand on to each other: more turns than windows could ever need. */
  private static final int SETTLING_TURNS = 20;

  private final Plan plan;
  private final Path folder;
  private final TickHeader ticks;
  private final MadeUpSchemas schemas = new MadeUpSchemas();
  private static final int LOOKED_AT = 40;

  private long runs;

  /**
   * @param folder for the stores of the runs, each of which leaves nothing behind
   */
  Replay(Plan plan, Path folder) {
    this.plan = plan;
    this.folder = folder;
    this.ticks = TickHeader.signedBy(KEY.tickKey(plan.pipeline().budget().name()));
  }

  Plan plan() {
    return plan;
  }

  MadeUpSchemas schemas() {
    return schemas;
  }

  /** Runs so far. */
  long runs() {
    return runs;
  }

  /** Runs the pipeline from its beginning to the end of a log. */
  Run run(AuditLog log, SliceSchedule cuts) {
    return run(log, cuts, ALWAYS);
  }

  /** The same in any state epoch: another one has other noise. */
  Run run(AuditLog log, SliceSchedule cuts, StateEpoch epoch) {
    runs++;
    Map<String, Draw<?>> draws = new LinkedHashMap<>();
    List<String> twice = new ArrayList<>();
    List<String> elsewhere = new ArrayList<>();
    Deployment deployment =
        new Deployment(
                SourceTopics.of(recordsTopic(plan.pipeline()), "audit", 1),
                KEY,
                PipelineMeters.none(),
                Deployment.JumpPolicy.STOP,
                new HeldReleases(),
                schemas,
                () -> epoch)
            .watchedBy(
                (draw, input) -> {
                  if (draws.put(draw.id().text(), draw) != null) {
                    twice.add(draw.id().text());
                  }
                  if (draws.size() <= LOOKED_AT && !isOfItsLaw(draw, input)) {
                    elsewhere.add(draw.id().text());
                  }
                },
                () -> cuts);
    try (TopologyTestDriver driver =
        new TopologyTestDriver(
            PipelineTopology.build(plan, deployment), settings(), Instant.EPOCH)) {
      Optional<Run.Stop> stopped = feed(driver, log, cuts);
      return new Run(
          outputs(driver),
          draws,
          twice,
          elsewhere,
          stopped.isPresent() ? List.of() : ledgers(driver),
          stopped);
    }
  }

  /**
   * One topic, which stands for all of the pipeline's: a log in which all records have one order.
   */
  static String recordsTopic(Pipeline pipeline) {
    return pipeline.input().topics().names().stream().findFirst().orElse("records");
  }

  /** Whether the randomness follows from the exact input and the mechanism that a draw shows. */
  private static <D extends ExactData> boolean isOfItsLaw(Draw<D> draw, CanonicalEncoder input) {
    return Arrays.equals(ExactLoss.encoded(draw), input.digest());
  }

  private Properties settings() {
    Properties settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, APPLICATION);
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
    settings.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
    // As in a run: no output depends on how topics interleave.
    settings.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
    return settings;
  }

  private Optional<Run.Stop> feed(TopologyTestDriver driver, AuditLog log, SliceSchedule cuts) {
    Map<AuditLog.Channel, TestInputTopic<byte[], byte[]>> topics = inputs(driver);
    int at = 0;
    try {
      for (Entry entry : log.entries()) {
        topics
            .get(entry.channel())
            .pipeInput(
                new TestRecord<>(entry.key(), entry.value(), headers(entry), entry.timestamp()));
        for (int turn = cuts.turns(); turn > 0; turn--) {
          driver.advanceWallClockTime(TURN);
        }
        at++;
      }
      cuts.settle();
      for (int turn = 0; turn < SETTLING_TURNS; turn++) {
        driver.advanceWallClockTime(TURN);
      }
      return Optional.empty();
    } catch (RuntimeException e) {
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      return Optional.of(
          new Run.Stop(at, cause.getClass().getSimpleName() + ": " + cause.getMessage()));
    }
  }

  private Map<AuditLog.Channel, TestInputTopic<byte[], byte[]>> inputs(TopologyTestDriver driver) {
    Pipeline pipeline = plan.pipeline();
    Map<AuditLog.Channel, TestInputTopic<byte[], byte[]>> topics = new TreeMap<>();
    topics.put(AuditLog.Channel.RECORDS, input(driver, recordsTopic(pipeline)));
    topics.put(AuditLog.Channel.CONTROL, input(driver, pipeline.controlTopic()));
    if (!pipeline.queries().isEmpty()) {
      topics.put(AuditLog.Channel.CANDIDATES, input(driver, pipeline.candidatesTopic()));
    }
    return topics;
  }

  private static TestInputTopic<byte[], byte[]> input(TopologyTestDriver driver, String topic) {
    return driver.createInputTopic(topic, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private RecordHeaders headers(Entry entry) {
    RecordHeaders headers = new RecordHeaders();
    entry
        .tick()
        .ifPresent(
            time ->
                headers.add(Names.TICK_HEADER, ticks.of(recordsTopic(plan.pipeline()), 0, time)));
    return headers;
  }

  private Map<String, List<Published>> outputs(TopologyTestDriver driver) {
    Map<String, List<Published>> outputs = new TreeMap<>();
    for (String topic : plan.pipeline().writtenTopics()) {
      outputs.put(topic, read(driver, topic));
    }
    return outputs;
  }

  private static List<Published> read(TopologyTestDriver driver, String topic) {
    List<Published> records = new ArrayList<>();
    var output =
        driver.createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    while (!output.isEmpty()) {
      TestRecord<byte[], byte[]> next = output.readRecord();
      List<String> headers = new ArrayList<>();
      for (Header header : next.headers()) {
        headers.add(header.key() + "=" + HexFormat.of().formatHex(header.value()));
      }
      records.add(new Published(next.key(), next.value(), next.timestamp(), headers));
    }
    return records;
  }

  /** Every ledger as it stood last: those of periods that are over are gone from the store. */
  private static List<LedgerImage.Line> ledgers(TopologyTestDriver driver) {
    String changelog = Names.changelogTopic(APPLICATION, LedgerImage.LEDGERS);
    if (!driver.producedTopicNames().contains(changelog)) {
      return List.of();
    }
    Map<Bytes, LedgerImage.Line> lines = new TreeMap<>();
    var changes =
        driver.createOutputTopic(
            changelog, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    while (!changes.isEmpty()) {
      var change = changes.readKeyValue();
      if (change.value != null) {
        lines.put(Bytes.wrap(change.key), LedgerImage.Line.of(change.key, change.value));
      }
    }
    return List.copyOf(lines.values());
  }
}
