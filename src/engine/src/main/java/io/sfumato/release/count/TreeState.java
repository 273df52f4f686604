// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.mechanism.NoisyCounts;
import io.sfumato.mechanism.count.Counts;
import io.sfumato.mechanism.count.RunningCount;
import io.sfumato.mechanism.count.RunningCount.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How far a subject's running count is.
 *
 * @param since start of its first window
 * @param told what windows hold, and the share that pays for them
 */
public record TreeState(long since, String told, RunningCount count) {
  /** Sums over windows that draw a row each have 2, with numbers of records 3. */
  private static final int FORMAT = 4;

  /** As stores keep it. */
  public byte[] encode() {
    ByteWriter out = new ByteWriter().fixed8(FORMAT).signed(since).text(told);
    out.unsigned(count.windows()).unsigned(count.nodes().size());
    for (Node node : count.nodes()) {
      write(out, node.exact().values());
      write(out, node.noisy().values());
    }
    return out.toBytes();
  }

  private static void write(ByteWriter out, long[] counts) {
    out.unsigned(counts.length);
    for (long value : counts) {
      out.signed(value);
    }
  }

  /** Inverse of {@link #encode}; nothing where it is no tree. */
  static Optional<TreeState> decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    if (in.fixed8() != FORMAT) {
      return Optional.empty();
    }
    long since = in.signed();
    String told = in.text();
    long windows = in.unsigned();
    List<Node> nodes = new ArrayList<>();
    for (long left = in.unsigned(); left > 0; left--) {
      nodes.add(new Node(new Counts(counts(in)), new NoisyCounts(counts(in))));
    }
    in.end();
    return Optional.of(new TreeState(since, told, new RunningCount(windows, nodes)));
  }

  private static long[] counts(ByteReader in) {
    long[] values = new long[(int) in.unsigned()];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.signed();
    }
    return values;
  }
}
