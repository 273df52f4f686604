package io.sfumato.topology;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plan;
import io.sfumato.pipeline.PlannedRelease;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * A pipeline as a Kafka Streams topology: a pure function, which tests call too.
 *
 * <pre>
 *   records ---> intake ---------+--> journal --> keeper --> one topic an output, refusals
 *   control ---> control-intake -+
 *   candidates -> candidate-intake  (where a pipeline answers queries)
 *                intake --> dead letters
 * </pre>
 */
public final class PipelineTopology {
  /** Compaction only: a ledger must never expire. */
  private static final Map<String, String> CHANGELOG =
      Map.of(
          "cleanup.policy",
          "compact",
          "message.timestamp.after.max.ms",
          Long.toString(Long.MAX_VALUE));

  private PipelineTopology() {}

  /** Builds the topology of a plan. */
  public static Topology build(Plan plan, Deployment deployment) {
    Pipeline pipeline = plan.pipeline();
    Serde<byte[]> bytes = Serdes.ByteArray();
    StreamsBuilder builder = new StreamsBuilder();
    builder.addStateStore(store(Names.SOURCE_STORE));
    builder.addStateStore(store(Names.DATASET_STORE));
    builder.addStateStore(store(Names.SUBJECT_STORE));
    builder.addStateStore(store(Names.LEDGER_STORE));
    builder.addStateStore(store(Names.META_STORE));
    builder.addStateStore(BeforeCommit.builder(Names.INTAKE_COMMIT));
    builder.addStateStore(BeforeCommit.builder(Names.KEEPER_COMMIT));

    KStream<byte[], byte[]> accepted =
        builder.stream(pipeline.input().topic(), source(Names.RECORDS))
            .process(
                () -> new IntakeProcessor(plan, deployment),
                Named.as(Names.INTAKE),
                Names.SOURCE_STORE,
                Names.INTAKE_COMMIT);
    KStream<byte[], byte[]> commands =
        builder.stream(pipeline.controlTopic(), source(Names.CONTROL))
            .process(
                () -> new ControlProcessor(pipeline.budget().name(), deployment.meters()),
                Named.as(Names.CONTROL_INTAKE),
                Names.INTAKE_COMMIT);
    KStream<byte[], byte[]> entries = accepted.merge(commands, Named.as(Names.ENTRIES));
    KStream<byte[], byte[]> dead = accepted.merge(commands, Named.as(Names.DEAD_LETTERS));
    boolean asks = !pipeline.queries().isEmpty();
    if (asks) {
      builder.addStateStore(store(Names.QUERY_STORE));
      KStream<byte[], byte[]> candidates =
          builder.stream(pipeline.candidatesTopic(), source(Names.CANDIDATES))
              .process(
                  () -> new CandidateProcessor(pipeline, deployment.meters()),
                  Named.as(Names.CANDIDATE_INTAKE),
                  Names.INTAKE_COMMIT);
      entries = entries.merge(candidates, Named.as(Names.CANDIDATE_ENTRIES));
      dead = dead.merge(candidates, Named.as(Names.CANDIDATE_DEAD_LETTERS));
    }
    dead.to(
        pipeline.deadLettersTopic(),
        Produced.with(bytes, bytes).withName(Names.DEAD_LETTERS + "-sink"));

    KStream<String, byte[]> outputs =
        entries
            .repartition(
                Repartitioned.<byte[], byte[]>as(Names.JOURNAL)
                    .withKeySerde(bytes)
                    .withValueSerde(bytes)
                    .withStreamPartitioner(new JournalPartitioner())
                    .withNumberOfPartitions(deployment.sourcePartitions()))
            .process(
                () -> new KeeperProcessor(plan, deployment),
                Named.as(Names.KEEPER),
                keeperStores(asks));
    Produced<String, byte[]> published = Produced.with(Serdes.String(), bytes);
    for (PlannedRelease release : plan.releases()) {
      outputs.to(release.spec().topic(), published.withName(release.spec().name()));
    }
    outputs.to(pipeline.refusalsTopic(), published.withName(Names.REFUSALS));
    return builder.build();
  }

  private static String[] keeperStores(boolean asks) {
    List<String> stores =
        new ArrayList<>(
            List.of(
                Names.DATASET_STORE,
                Names.SUBJECT_STORE,
                Names.LEDGER_STORE,
                Names.META_STORE,
                Names.KEEPER_COMMIT));
    if (asks) {
      stores.add(Names.QUERY_STORE);
    }
    return stores.toArray(String[]::new);
  }

  private static Consumed<byte[], byte[]> source(String name) {
    return Consumed.with(Serdes.ByteArray(), Serdes.ByteArray())
        .withTimestampExtractor(new LogTimestamp())
        .withName(name);
  }

  private static StoreBuilder<KeyValueStore<Bytes, byte[]>> store(String name) {
    return Stores.keyValueStoreBuilder(
            Stores.persistentKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
        // Writes are staged until the commit already.
        .withCachingDisabled()
        .withLoggingEnabled(CHANGELOG);
  }
}
