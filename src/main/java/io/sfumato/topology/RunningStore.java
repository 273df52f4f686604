// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.mechanism.count.Counts;
import io.sfumato.mechanism.count.RunningCount;
import io.sfumato.mechanism.count.RunningCount.Node;
import io.sfumato.serde.ByteReader;
import io.sfumato.serde.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/** How far the running counts of one output are. Key: output, subject. */
final class RunningStore {
  private static final int FORMAT = 1;

  private final StagedStore store;
  private final String output;

  RunningStore(StagedStore store, String output) {
    this.store = store;
    this.output = output;
  }

  /**
   * A subject's running count.
   *
   * @param since start of its first window
   */
  record Running(long since, RunningCount count) {}

  Optional<Running> get(String subject) {
    return Optional.ofNullable(store.get(key(subject))).map(RunningStore::decode);
  }

  void put(String subject, Running running) {
    ByteWriter out =
        new ByteWriter()
            .fixed8(FORMAT)
            .signed(running.since())
            .unsigned(running.count().windows())
            .unsigned(running.count().nodes().size());
    for (Node node : running.count().nodes()) {
      write(out, node.exact());
      write(out, node.noisy());
    }
    store.put(key(subject), out.toBytes());
  }

  private static void write(ByteWriter out, Counts counts) {
    out.unsigned(counts.groups());
    for (long value : counts.values()) {
      out.signed(value);
    }
  }

  private static Running decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes).format(FORMAT, "a running count");
    long since = in.signed();
    long windows = in.unsigned();
    List<Node> nodes = new ArrayList<>();
    for (long left = in.unsigned(); left > 0; left--) {
      nodes.add(new Node(counts(in), counts(in)));
    }
    in.end();
    return new Running(since, new RunningCount(windows, nodes));
  }

  private static Counts counts(ByteReader in) {
    long[] values = new long[(int) in.unsigned()];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.signed();
    }
    return new Counts(values);
  }

  private Bytes key(String subject) {
    return Bytes.wrap(
        new ByteWriter().text(output).raw(subject.getBytes(StandardCharsets.UTF_8)).toBytes());
  }
}
