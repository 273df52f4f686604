// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.release.Plan;
import io.sfumato.schema.CountRelease;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.serde.JournalEntry.Contributions;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * One partition of a population pipeline, the users' keeper and the subjects' behind it, through
 * the hands of several programs: stores and journals go on. Windows of ten seconds.
 */
final class PopulationRun {
  private static final List<String> STORES =
      List.of(
          Names.META_STORE,
          Names.LEDGER_STORE,
          Names.CONTRIBUTION_STORE,
          Names.SUBJECTS_META_STORE,
          Names.DATASET_STORE,
          Names.RUNNING_STORE,
          Names.SUBJECT_STORE,
          Names.NAME_STORE,
          Names.PERIOD_STORE,
          Names.CELL_STORE);

  private final Map<String, KeyValueStore<Bytes, byte[]>> stores = MemoryStores.named(STORES);
  private final Map<String, Long> offsets = new TreeMap<>();

  /** As another program left it: see {@link #lines}. */
  static PopulationRun of(List<String> lines) {
    PopulationRun run = new PopulationRun();
    for (String line : lines) {
      String[] cells = line.split(" ", -1);
      if (cells[0].equals("offset")) {
        run.offsets.put(cells[1], Long.valueOf(cells[2]));
      } else {
        run.store(cells[0])
            .put(Bytes.wrap(HexFormat.of().parseHex(cells[1])), HexFormat.of().parseHex(cells[2]));
      }
    }
    return run;
  }

  /** "store key value" in hexadecimal digits, and "offset journal next". */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    offsets.forEach((journal, next) -> lines.add("offset " + journal + " " + next));
    stores.forEach(
        (name, store) -> {
          try (var all = store.all()) {
            all.forEachRemaining(
                e ->
                    lines.add(
                        name
                            + " "
                            + HexFormat.of().formatHex(e.key.get())
                            + " "
                            + HexFormat.of().formatHex(e.value)));
          }
        });
    return lines;
  }

  KeyValueStore<Bytes, byte[]> store(String name) {
    return stores.get(name);
  }

  /** The state's first entries. */
  static List<JournalEntry> beginning() {
    return Entries.beginning();
  }

  /** One record of each user in a window of the subject "west", then the window's end. */
  static List<JournalEntry> window(int window, String... users) {
    long start = Fixture.NOW + window * 10_000L;
    List<JournalEntry> journal = new ArrayList<>();
    if (users.length > 0) {
      List<Contribution> records = new ArrayList<>();
      for (String user : users) {
        records.add(new Contribution(user, start, "west", 0, 1));
      }
      journal.add(new Contributions(records));
    }
    journal.add(new Watermark(0, start + 10_000));
    return journal;
  }

  /** Lets a program take in entries of the users' journal; what it released of counts. */
  List<CountRelease> run(Plan plan, List<? extends JournalEntry> journal) {
    return outputs(plan, journal).stream()
        .map(bytes -> (CountRelease) Outputs.decodeAny(bytes))
        .toList();
  }

  /** The same of any kind, byte by byte, with refusals. */
  List<byte[]> outputs(Plan plan, List<? extends JournalEntry> journal) {
    return outputs(plan, Fixture.deployment(1, PipelineMeters.none()), journal);
  }

  /** The same of a deployment, which may be watched. */
  List<byte[]> outputs(Plan plan, Deployment deployment, List<? extends JournalEntry> journal) {
    List<byte[]> entries = journal.stream().map(JournalCodec::encode).toList();
    List<byte[]> counted =
        run(ProcessorRun.users(plan, deployment, stores.values()), Names.USERS_JOURNAL, entries);
    return run(ProcessorRun.subjects(plan, deployment, stores.values()), Names.JOURNAL, counted);
  }

  private List<byte[]> run(ProcessorRun<?> keeper, String journal, List<byte[]> entries) {
    for (byte[] entry : entries) {
      keeper.take(offsets.merge(journal, 1L, Long::sum) - 1, entry, Fixture.NOW);
    }
    // More turns than any test has windows.
    for (int turn = 0; turn < 200; turn++) {
      keeper.punctuate();
    }
    keeper.commit();
    return keeper.forwarded().stream().map(ProcessorRun.Forwarded::value).toList();
  }
}
