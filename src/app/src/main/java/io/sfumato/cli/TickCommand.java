// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.client.EventPublisher;
import io.sfumato.client.NewestEvent;
import io.sfumato.client.TickTime;
import io.sfumato.gate.NoiseKey;
import io.sfumato.ledger.Continuity;
import io.sfumato.ledger.OrdersLog;
import io.sfumato.ledger.PatternTopics;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plurals;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.SignedTick;
import io.sfumato.serde.TickHeader;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.OperatorOrders;
import java.io.Console;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "tick",
    mixinStandardHelpOptions = true,
    description = {
      "Writes a tick into every partition of a pipeline's records, which closes the "
          + "windows before its time.",
      "Windows that end, with grace, before its time close. Records of these windows are "
          + "late from then on. Ticks are signed with the noise secret, a tick key, or the "
          + "secret of an embedded cluster."
    },
    footer = {
      "",
      "Examples:",
      "  sfumato tick topology/diary.yaml",
      "      closes the newest record's window; signed by the key in .sfumato/",
      "  sfumato tick diary.yaml --at 1992-01-01 --yes --secret-file noise.key",
      "  sfumato tick diary.yaml --tick-key tick.key --print --partitions 6",
      "      signed ticks for another client: a line of kcat's arguments for each"
    })
final class TickCommand extends PipelineCommand.OnCluster {
  private static final int MOST_PARTITIONS = 100_000;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description =
          "Event time of the tick. "
              + GivenTime.DAY
              + " By default late enough to close the newest record's window, and not after now; "
              + "with --print now.")
  private Optional<GivenTime> given = Optional.empty();

  /** The same as an instant. */
  private Optional<Instant> at = Optional.empty();

  @Option(
      names = "--yes",
      description =
          "Close windows that hold nothing yet without asking: a tick cannot be taken back.")
  private boolean yes;

  @Mixin private TickOptions signing;

  @Option(
      names = "--print",
      description =
          "Send nothing. Print each partition's signed tick as arguments of kcat, for "
              + "another client to send.")
  private boolean print;

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description =
          "With --print: number of partitions of the records' topic; by default the cluster is asked.")
  private Optional<Integer> partitions = Optional.empty();

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Pipeline pipeline = pipeline();
    long now = System.currentTimeMillis();
    WindowSpec window = pipeline.window();
    at = given.map(time -> time.in(window));
    if (at.isPresent()) {
      TickTime.require(window, at.get().toEpochMilli(), now);
    }
    if (print) {
      print(pipeline, at.orElseGet(Instant::now).truncatedTo(ChronoUnit.MILLIS));
      return 0;
    }
    if (partitions.isPresent()) {
      throw output.bad("--partitions: only with --print; without it the cluster is asked");
    }
    KafkaSettings settings = cluster.settings(pipeline.kafka(), signing.folder());
    Optional<TickSigner> signer = signing.find(pipeline, settings);
    ClusterOptions.requireAnswer(settings);
    pipeline = PatternTopics.resolve(pipeline, settings);
    OptionalLong sealedAt = sealedAt(pipeline, signer, settings);
    OperatorOrders orders = orders(pipeline, signer, settings);
    requirePublicTime(pipeline, orders);
    Pipeline here = NewestEvent.goingOn(pipeline, sealedAt);
    TickTime time = time(here, signer, settings, now, sealedAt, orders);
    List<Long> way = new TickWay(here, orders, settings).to(time.time(), signer);
    if (!yes) {
      requireConsent(time.crossing());
      if (at.isEmpty() && signer.flatMap(TickSigner::noiseKey).isEmpty()) {
        requireConsent(Optional.of(time.blind()));
      }
    }
    send(pipeline, settings, time, way, signer);
    return 0;
  }

  /**
   * Where the topic's past is read, the newest record may lie anywhere in it, so that one user's
   * record would decide what is closed.
   */
  private void requirePublicTime(Pipeline pipeline, OperatorOrders orders) throws RefusedException {
    if (at.isEmpty() && orders.isCaughtUp() && pipeline.budget().unit() != PrivacyUnit.RECORD) {
      throw new RefusedException(
          ExitCode.USAGE,
          "the pipeline reads the topic's past (--catch-up): one %s's newest record would decide which windows close. Give a public time with --at TIME; nothing was sent"
              .formatted(pipeline.budget().unit() == PrivacyUnit.USER ? "user" : "dataset"));
    }
  }

  private TickTime time(
      Pipeline here,
      Optional<TickSigner> signer,
      KafkaSettings settings,
      long now,
      OptionalLong sealedAt,
      OperatorOrders orders)
      throws RefusedException {
    WindowSpec window = here.window();
    if (at.isPresent() && yes) {
      // Whoever ticks may have no right to read.
      return new TickTime(window, at.get().toEpochMilli(), OptionalLong.empty());
    }
    NewestEvent.Found found =
        NewestEvent.of(here, signer.map(TickSigner::key), orders, settings, System.err::println);
    if (at.isPresent()) {
      return new TickTime(window, at.get().toEpochMilli(), found.newest());
    }
    List<String> notes = new ArrayList<>(TickTime.notes(window, found));
    if (found.newest().isEmpty()) {
      TickTime.closedBefore(sealedAt).ifPresent(notes::add);
      throw new RefusedException(
          ExitCode.USAGE,
          "%s: found no usable record to take the time from; nothing was sent. Give a time: --at TIME%s"
              .formatted(
                  here.input().topics().phrase(),
                  notes.isEmpty() ? "" : " (" + String.join(") (", notes) + ")"));
    }
    notes.forEach(text -> System.err.println("note: " + text));
    if (here.budget().unit() != PrivacyUnit.RECORD) {
      System.err.println(
          "note: this tick follows the newest record, so the published windows reveal when "
              + "records end. To avoid that, give a public time with --at TIME");
    }
    return TickTime.after(window, found.newest().getAsLong(), now);
  }

  /** Where an imported ledger was sealed, if whoever ticks may read the budget's state. */
  private static OptionalLong sealedAt(
      Pipeline pipeline, Optional<TickSigner> signer, KafkaSettings settings) {
    if (signer.flatMap(TickSigner::noiseKey).isEmpty()) {
      return OptionalLong.empty();
    }
    try (Cluster admin = new Cluster(settings)) {
      return Continuity.sealedAt(pipeline, settings, admin);
    } catch (RefusedException e) {
      System.err.println(
          "note: cannot read whether an imported ledger has closed windows: " + e.getMessage());
      return OptionalLong.empty();
    }
  }

  /** What operators said about the topic, if the key that signed that is at hand. */
  private OperatorOrders orders(
      Pipeline pipeline, Optional<TickSigner> signer, KafkaSettings settings)
      throws RefusedException {
    Optional<NoiseKey> key = signer.flatMap(TickSigner::noiseKey);
    if (key.isEmpty()) {
      return OperatorOrders.none();
    }
    try (Cluster admin = new Cluster(settings)) {
      return new OrdersLog(pipeline, settings, key.get())
          .read(admin, admin.topics().sources(pipeline));
    } catch (RefusedException e) {
      if (at.isEmpty() || !yes) {
        throw e;
      }
      System.err.println(
          "note: cannot read whether the pipeline catches up with the topic's past (--catch-up): "
              + e.getMessage());
      return OperatorOrders.none();
    }
  }

  /** A person is asked; a program must have said so before. */
  private static void requireConsent(Optional<String> risk) throws RefusedException {
    if (risk.isEmpty()) {
      return;
    }
    Console console = System.console();
    if (console == null) {
      throw new RefusedException(
          ExitCode.USAGE, risk.get() + ". Nothing was sent; confirm with --yes");
    }
    System.err.println(risk.get());
    System.err.print("continue? [y/N] ");
    System.err.flush();
    String answer = console.readLine();
    if (answer == null || !answer.strip().toLowerCase(Locale.ROOT).startsWith("y")) {
      throw new RefusedException(ExitCode.USAGE, "nothing was sent");
    }
  }

  private void send(
      Pipeline pipeline,
      KafkaSettings settings,
      TickTime time,
      List<Long> way,
      Optional<TickSigner> signer)
      throws RefusedException {
    TickHeader header =
        signer.map(found -> TickHeader.signedBy(found.key())).orElseGet(TickHeader::unsigned);
    try (EventPublisher publisher = new EventPublisher(settings)) {
      int partitions = 0;
      for (long step : way) {
        partitions = 0;
        for (String topic : pipeline.input().topics().names()) {
          partitions += publisher.tick(topic, step, header);
        }
      }
      String topic = pipeline.input().topics().words();
      ObjectNode node =
          JsonOrText.object()
              .put("topic", topic)
              .put("partitions", partitions)
              .put("time", Instant.ofEpochMilli(time.time()).toString());
      signer.ifPresent(found -> found.writeInto(node));
      output.print(
          node,
          "ticked %s of %s to %s%s, %s%s"
              .formatted(
                  Plurals.of(partitions, "partition"),
                  topic,
                  Instant.ofEpochMilli(time.time()),
                  way.size() > 1 ? " in %s".formatted(Plurals.of(way.size(), "step")) : "",
                  signer.map(TickSigner::words).orElse("unsigned"),
                  time.open()));
      new NextWindow(pipeline).instead(time.time()).ifPresent(System.err::println);
    }
  }

  private void print(Pipeline read, Instant time) throws RefusedException {
    Pipeline pipeline = read;
    List<String> topics = read.input().topics().names();
    TickSigner signer;
    List<TopicPartition> places = new ArrayList<>();
    if (partitions.isPresent()) {
      if (partitions.get() < 1 || partitions.get() > MOST_PARTITIONS) {
        throw output.bad("--partitions is 1 to " + MOST_PARTITIONS);
      }
      if (topics.size() != 1) {
        throw output.bad("--partitions: only with one topic; without it the cluster is asked");
      }
      signer = signing.requireKey(pipeline);
      for (int partition = 0; partition < partitions.get(); partition++) {
        places.add(new TopicPartition(topics.get(0), partition));
      }
    } else {
      KafkaSettings settings = cluster.reach(pipeline.kafka(), signing.folder());
      signer = signing.requireKey(pipeline, settings);
      pipeline = PatternTopics.resolve(read, settings);
      topics = pipeline.input().topics().names();
      try (Cluster admin = new Cluster(settings)) {
        places.addAll(admin.topics().sources(pipeline).places());
      }
    }
    ObjectNode node =
        JsonOrText.object().put("topic", String.join(",", topics)).put("time", time.toString());
    signer.writeInto(node);
    System.err.println(signer.words());
    ArrayNode list = node.putArray("ticks");
    List<String> lines = new ArrayList<>();
    for (TopicPartition place : places) {
      String header =
          SignedTick.by(signer.key(), place.topic(), place.partition(), time.toEpochMilli()).text();
      list.addObject()
          .put("topic", place.topic())
          .put("partition", place.partition())
          .put("header", Names.TICK_HEADER)
          .put("value", header);
      lines.add(
          "%s-p %d -H %s=%s"
              .formatted(
                  topics.size() > 1 ? "-t " + place.topic() + " " : "",
                  place.partition(),
                  Names.TICK_HEADER,
                  header));
    }
    output.print(node, String.join(System.lineSeparator(), lines));
  }
}
