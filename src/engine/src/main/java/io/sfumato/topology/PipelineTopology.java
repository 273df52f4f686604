// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.pipeline.MessageLimit;
import io.sfumato.pipeline.OutputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plan;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Deployment.Storage;
import io.sfumato.topology.context.LocalState;
import io.sfumato.topology.context.LogTimestamp;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.contributions.ContributionStateMachine;
import io.sfumato.topology.intake.CandidateProcessor;
import io.sfumato.topology.intake.ControlProcessor;
import io.sfumato.topology.intake.IntakeProcessor;
import io.sfumato.topology.journal.JournalPartitioner;
import io.sfumato.topology.store.DurableStore;
import io.sfumato.topology.store.FilledStore;
import io.sfumato.topology.store.PreCommitHooks;
import io.sfumato.topology.subjects.SubjectStateMachine;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * A pipeline as a Kafka Streams topology: a pure function, which tests call too.
 *
 * <pre>
 *   records ---> intake ---------+--> journal --> keeper --> one topic an output, refusals, progress
 *   control ---> control-intake -+
 *   candidates -> candidate-intake  (where a pipeline answers queries)
 *                intake --> dead letters
 * </pre>
 *
 * <p>Where many users feed one subject there is a keeper of users in between, with a journal of its
 * own:
 *
 * <pre>
 *   ... --> users' journal --> users --> journal --> keeper --> ...
 * </pre>
 */
public final class PipelineTopology {
  private PipelineTopology() {}

  /** Builds the topology of a plan. */
  public static Topology build(Plan plan, Deployment deployment) {
    return build(plan, deployment, LocalState.none());
  }

  /** Builds the topology of a plan, for an instance whose disk outlives it. */
  public static Topology build(Plan plan, Deployment deployment, LocalState local) {
    Pipeline pipeline = plan.pipeline();
    Serde<byte[]> bytes = Serdes.ByteArray();
    StreamsBuilder builder = new StreamsBuilder();
    builder.addStateStore(store(Names.SOURCE_STORE, pipeline, deployment, local));
    builder.addStateStore(PreCommitHooks.builder(Names.INTAKE_COMMIT, local));
    List<String> keeperStores = keeperStores(plan);
    keeperStores.forEach(name -> builder.addStateStore(store(name, pipeline, deployment, local)));
    builder.addStateStore(PreCommitHooks.builder(Names.KEEPER_COMMIT, local));
    keeperStores.add(Names.KEEPER_COMMIT);

    KStream<byte[], byte[]> accepted =
        builder.stream(deployment.sources().names(), source(Names.RECORDS))
            .process(
                () -> new IntakeProcessor(plan, deployment),
                Named.as(Names.INTAKE),
                Names.SOURCE_STORE,
                Names.INTAKE_COMMIT);
    KStream<byte[], byte[]> commands =
        builder.stream(pipeline.controlTopic(), source(Names.CONTROL))
            .process(
                () -> new ControlProcessor(plan, deployment),
                Named.as(Names.CONTROL_INTAKE),
                Names.SOURCE_STORE,
                Names.INTAKE_COMMIT);
    KStream<byte[], byte[]> entries = accepted.merge(commands, Named.as(Names.ENTRIES));
    KStream<byte[], byte[]> dead = accepted.merge(commands, Named.as(Names.DEAD_LETTERS));
    if (!pipeline.queries().isEmpty()) {
      KStream<byte[], byte[]> candidates =
          builder.stream(pipeline.candidatesTopic(), source(Names.CANDIDATES))
              .process(
                  () -> new CandidateProcessor(plan, deployment),
                  Named.as(Names.CANDIDATE_INTAKE),
                  Names.SOURCE_STORE,
                  Names.INTAKE_COMMIT);
      entries = entries.merge(candidates, Named.as(Names.CANDIDATE_ENTRIES));
      dead = dead.merge(candidates, Named.as(Names.CANDIDATE_DEAD_LETTERS));
    }
    dead.to(
        pipeline.deadLettersTopic(),
        Produced.with(bytes, bytes).withName(Names.DEAD_LETTERS + "-sink"));

    if (pipeline.population().isPresent()) {
      entries = counted(builder, entries, plan, deployment, local);
    }
    KStream<String, byte[]> outputs =
        entries
            .repartition(journal(Names.JOURNAL, deployment))
            .process(
                () -> SubjectStateMachine.processor(plan, deployment),
                Named.as(Names.KEEPER),
                keeperStores.toArray(String[]::new));
    publish(outputs, pipeline);
    return builder.build();
  }

  /** What the keeper forwards, by the names of its children. */
  private static void publish(KStream<String, byte[]> outputs, Pipeline pipeline) {
    Produced<String, byte[]> published = Produced.with(Serdes.String(), Serdes.ByteArray());
    for (OutputSpec output : pipeline.outputs()) {
      outputs.to(output.topic(), published.withName(Names.sink(output.name())));
    }
    outputs.to(pipeline.refusalsTopic(), published.withName(Names.REFUSALS));
    outputs.to(pipeline.releasedTopic(), published.withName(Names.RELEASED));
    if (pipeline.rows() != Pipeline.Rows.NONE) {
      // Keys of Avro are no text: each character is a byte.
      Serde<String> keys =
          Serdes.serdeFrom(
              (topic, key) -> key.getBytes(StandardCharsets.ISO_8859_1),
              (topic, key) -> new String(key, StandardCharsets.ISO_8859_1));
      outputs.to(
          pipeline.rowsTopic(), Produced.with(keys, Serdes.ByteArray()).withName(Names.ROWS));
    }
  }

  /** What of users' records counts: by a keeper of users, with a journal of its own. */
  private static KStream<byte[], byte[]> counted(
      StreamsBuilder builder,
      KStream<byte[], byte[]> entries,
      Plan plan,
      Deployment deployment,
      LocalState local) {
    List<String> stores =
        new ArrayList<>(List.of(Names.CONTRIBUTION_STORE, Names.LEDGER_STORE, Names.META_STORE));
    if (plan.pipeline().boundsNamesOfPeriods()) {
      stores.add(Names.PERIOD_STORE);
    }
    if (plan.pipeline().lastOfUsers() > 1) {
      stores.add(Names.CELL_STORE);
    }
    for (String name : stores) {
      builder.addStateStore(store(name, plan.pipeline(), deployment, local));
    }
    builder.addStateStore(PreCommitHooks.builder(Names.USERS_COMMIT, local));
    return entries
        .repartition(journal(Names.USERS_JOURNAL, deployment))
        .process(
            () -> ContributionStateMachine.processor(plan, deployment),
            Named.as(Names.USERS),
            Stream.concat(stores.stream(), Stream.of(Names.USERS_COMMIT)).toArray(String[]::new))
        // A node with a name of its own, for the keeper to write to.
        .filter((key, value) -> true, Named.as(Names.COUNTED));
  }

  private static Repartitioned<byte[], byte[]> journal(String name, Deployment deployment) {
    return Repartitioned.<byte[], byte[]>as(name)
        .withKeySerde(Serdes.ByteArray())
        .withValueSerde(Serdes.ByteArray())
        .withStreamPartitioner(new JournalPartitioner())
        .withNumberOfPartitions(deployment.journalPartitions());
  }

  private static List<String> keeperStores(Plan plan) {
    Pipeline pipeline = plan.pipeline();
    List<String> stores = new ArrayList<>(List.of(Names.DATASET_STORE));
    if (pipeline.subjects() != Pipeline.Subjects.LISTED) {
      stores.add(Names.SUBJECT_STORE);
    }
    if (pipeline.population().isEmpty()) {
      stores.add(Names.LEDGER_STORE);
    }
    stores.add(Names.keeperMeta(pipeline));
    if (!pipeline.queries().isEmpty()) {
      stores.add(Names.QUERY_STORE);
    }
    if (pipeline.remembers()) {
      stores.add(Names.RUNNING_STORE);
    }
    if (pipeline.input().discovers()) {
      stores.add(Names.NAME_STORE);
    }
    return stores;
  }

  private static Consumed<byte[], byte[]> source(String name) {
    return Consumed.with(Serdes.ByteArray(), Serdes.ByteArray())
        .withTimestampExtractor(new LogTimestamp())
        .withName(name);
  }

  /** Compaction only: a ledger must never expire. */
  private static Map<String, String> changelog(Pipeline pipeline) {
    return Map.of(
        "cleanup.policy",
        "compact",
        "delete.retention.ms",
        Long.toString(LocalState.DELETIONS_KEPT.toMillis()),
        "message.timestamp.after.max.ms",
        Long.toString(Long.MAX_VALUE),
        "max.message.bytes",
        Long.toString(MessageLimit.ofTopic(pipeline)));
  }

  private static StoreBuilder<KeyValueStore<Bytes, byte[]>> store(
      String name, Pipeline pipeline, Deployment deployment, LocalState local) {
    KeyValueBytesStoreSupplier kept =
        switch (deployment.watch().storage()) {
          case ON_DISK -> new DurableStore.Supplier(Stores.persistentKeyValueStore(name), local);
          case IN_MEMORY -> new FilledStore.Supplier(name, deployment.watch().contents());
        };
    StoreBuilder<KeyValueStore<Bytes, byte[]>> store =
        Stores.keyValueStoreBuilder(kept, Serdes.Bytes(), Serdes.ByteArray())
            // Writes are staged until the commit already.
            .withCachingDisabled();
    return deployment.watch().storage() == Storage.ON_DISK || name.equals(Names.LEDGER_STORE)
        ? store.withLoggingEnabled(changelog(pipeline))
        : store.withLoggingDisabled();
  }
}
