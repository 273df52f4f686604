// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.release.Plan;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.Stamp;
import io.sfumato.topology.keeper.KeeperProcessor;
import io.sfumato.topology.lineage.Identity;
import io.sfumato.topology.setting.Deployment;
import io.sfumato.topology.setting.Names;
import io.sfumato.topology.store.BeforeCommit;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/** One keeper partition through the hands of several programs: stores and journal go on. */
final class KeeperRun {
  private final List<KeyValueStore<Bytes, byte[]>> stores = new ArrayList<>();
  private final Map<String, Integer> scans = new HashMap<>();
  private long offset;

  KeeperRun() {
    StateStoreContext context = new MockProcessorContext<>().getStateStoreContext();
    for (String name :
        List.of(
            Names.DATASET_STORE,
            Names.SUBJECT_STORE,
            Names.LEDGER_STORE,
            Names.META_STORE,
            Names.QUERY_STORE,
            Names.RUNNING_STORE)) {
      KeyValueStore<Bytes, byte[]> store =
          Stores.keyValueStoreBuilder(
                  Stores.inMemoryKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
              .withLoggingDisabled()
              .build();
      store.init(context, store);
      stores.add(counted(store));
    }
  }

  @SuppressWarnings("unchecked")
  private KeyValueStore<Bytes, byte[]> counted(KeyValueStore<Bytes, byte[]> store) {
    return (KeyValueStore<Bytes, byte[]>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {KeyValueStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("range")) {
                scans.merge(store.name(), 1, Integer::sum);
              }
              return method.invoke(store, arguments);
            });
  }

  /** How often a range of a store was read. */
  int scans(String name) {
    return scans.getOrDefault(name, 0);
  }

  /** What a program forwarded to a child, with its timestamp. */
  record Output(String child, long timestamp, byte[] value) {
    @Override
    public String toString() {
      return child + timestamp + HexFormat.of().formatHex(value);
    }
  }

  KeyValueStore<Bytes, byte[]> store(String name) {
    return stores.stream().filter(s -> s.name().equals(name)).findFirst().orElseThrow();
  }

  /** As if the group's offsets were set. */
  void seek(long next) {
    offset = next;
  }

  /** A program that has begun, and taken in nothing yet. */
  KeeperProcessor begun(Plan plan, Deployment deployment) {
    return begun(
        plan,
        deployment,
        new MockProcessorContext<>(),
        BeforeCommit.builder(Names.KEEPER_COMMIT).build());
  }

  private KeeperProcessor begun(
      Plan plan,
      Deployment deployment,
      MockProcessorContext<String, byte[]> context,
      BeforeCommit commit) {
    stores.forEach(context::addStateStore);
    context.addStateStore(commit);
    KeeperProcessor keeper = new KeeperProcessor(plan, deployment);
    keeper.init(context);
    return keeper;
  }

  /** Lets a program take in its own entries; boundaries are later than anything else. */
  List<Output> run(Plan plan, Deployment deployment, List<? extends JournalEntry> journal) {
    return run(plan, deployment, journal, Fixture.NOW);
  }

  /** The same, at a Kafka timestamp. */
  List<Output> run(
      Plan plan, Deployment deployment, List<? extends JournalEntry> journal, long time) {
    Stamp mine = Identity.Maker.of(plan, deployment).stamp();
    return run(plan, deployment, journal, time, entry -> JournalCodec.encode(mine, entry));
  }

  /** Lets a program take in entries of whoever encodes them. */
  List<Output> run(
      Plan plan,
      Deployment deployment,
      List<? extends JournalEntry> journal,
      long time,
      Function<JournalEntry, byte[]> author) {
    MockProcessorContext<String, byte[]> context = new MockProcessorContext<>();
    BeforeCommit commit = BeforeCommit.builder(Names.KEEPER_COMMIT).build();
    KeeperProcessor keeper = begun(plan, deployment, context, commit);
    for (JournalEntry entry : journal) {
      long stamp = time + (entry instanceof JournalEntry.Boundary ? 50 : 0);
      context.setRecordMetadata("journal", 0, offset++);
      keeper.process(new Record<>(new byte[0], author.apply(entry), stamp));
    }
    context.scheduledPunctuators().forEach(p -> p.getPunctuator().punctuate(0));
    commit.flushCache();
    List<Output> outputs = new ArrayList<>();
    context
        .forwarded()
        .forEach(
            forwarded ->
                outputs.add(
                    new Output(
                        forwarded.childName().orElseThrow(),
                        forwarded.record().timestamp(),
                        forwarded.record().value())));
    return outputs;
  }
}
