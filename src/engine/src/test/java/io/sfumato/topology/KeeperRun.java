// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.release.Plan;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.Stamp;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.version.StateIdentity;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/** One keeper partition through the hands of several programs: stores and journal go on. */
final class KeeperRun {
  private final List<KeyValueStore<Bytes, byte[]>> stores = new ArrayList<>();
  private final Map<String, Integer> scans = new HashMap<>();
  private long offset;

  KeeperRun() {
    for (String name :
        List.of(
            Names.DATASET_STORE,
            Names.SUBJECT_STORE,
            Names.LEDGER_STORE,
            Names.META_STORE,
            Names.QUERY_STORE,
            Names.RUNNING_STORE)) {
      stores.add(counted(MemoryStores.named(name)));
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

  /** A program that has started, and has read nothing yet. */
  ProcessorRun<String> begun(Plan plan, Deployment deployment) {
    return ProcessorRun.subjects(plan, deployment, stores);
  }

  /** Lets a program take in its own entries; boundaries are later than anything else. */
  List<Output> run(Plan plan, Deployment deployment, List<? extends JournalEntry> journal) {
    return run(plan, deployment, journal, Fixture.NOW);
  }

  /** The same, at a Kafka timestamp. */
  List<Output> run(
      Plan plan, Deployment deployment, List<? extends JournalEntry> journal, long time) {
    Stamp mine = StateIdentity.Maker.of(plan, deployment).stamp();
    return run(plan, deployment, journal, time, entry -> JournalCodec.encode(mine, entry));
  }

  /** Lets a program take in entries of whoever encodes them. */
  List<Output> run(
      Plan plan,
      Deployment deployment,
      List<? extends JournalEntry> journal,
      long time,
      Function<JournalEntry, byte[]> author) {
    ProcessorRun<String> keeper = begun(plan, deployment);
    for (JournalEntry entry : journal) {
      long stamp = time + (entry instanceof JournalEntry.Watermark ? 50 : 0);
      keeper.take(offset++, author.apply(entry), stamp);
    }
    keeper.punctuate();
    keeper.commit();
    return keeper.forwarded().stream()
        .map(forward -> new Output(forward.child(), forward.timestamp(), forward.value()))
        .toList();
  }
}
