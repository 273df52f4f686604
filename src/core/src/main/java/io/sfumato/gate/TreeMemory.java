// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.count.RunningCount;
import io.sfumato.mechanism.count.RunningCount.Node;
import io.sfumato.window.WindowGrid;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How far a subject's running count is: exact nodes, which do not leave this class but as {@link
 * #completedBy}, and their noisy counts. Immutable.
 */
public final class TreeMemory {
  /** Sums over windows that draw a row each have 2, with numbers of records 3. */
  private static final int FORMAT = 4;

  private final Sequence sequence;
  private final long since;
  private final RunningCount count;

  private TreeMemory(Sequence sequence, long since, RunningCount count) {
    this.sequence = sequence;
    this.since = since;
    this.count = count;
  }

  /**
   * Windows that follow each other.
   *
   * @param told what windows hold, and the share that pays for them
   * @param groups that are counted apart
   * @param most windows of a whole tree
   * @param windows how time is cut
   */
  public record Sequence(String told, int groups, int most, WindowGrid windows) {
    /**
     * What goes on in a window: what the last one left, or a beginning.
     *
     * @param windowStart milliseconds since 1970
     */
    public TreeMemory goingOn(Memory memory, long windowStart) {
      return memory
          .exact()
          .flatMap(this::decode)
          .filter(left -> goesOn(left, windowStart))
          .orElseGet(() -> new TreeMemory(this, windowStart, RunningCount.START));
    }

    private boolean goesOn(TreeMemory left, long windowStart) {
      return left.windows() < most && windows.plus(left.since, left.windows()) == windowStart;
    }

    private Optional<TreeMemory> decode(byte[] bytes) {
      ByteReader in = new ByteReader(bytes);
      if (in.fixed8() != FORMAT) {
        return Optional.empty();
      }
      long since = in.signed();
      String left = in.text();
      long counted = in.unsigned();
      List<Node> nodes = new ArrayList<>();
      for (long more = in.unsigned(); more > 0; more--) {
        nodes.add(new Node(new ExactVector(counts(in)), new NoisyVector(counts(in))));
      }
      in.end();
      return left.equals(told) && nodes.stream().allMatch(this::hasGroups)
          ? Optional.of(new TreeMemory(this, since, new RunningCount(counted, nodes)))
          : Optional.empty();
    }

    private boolean hasGroups(Node node) {
      return node.exact().values().length == groups;
    }

    private static long[] counts(ByteReader in) {
      long[] values = new long[(int) in.unsigned()];
      for (int i = 0; i < values.length; i++) {
        values[i] = in.signed();
      }
      return values;
    }
  }

  /** Start of the first window. */
  public long since() {
    return since;
  }

  /** Windows so far. */
  public long windows() {
    return count.windows();
  }

  /**
   * The count so far: what may be published.
   *
   * @throws java.util.NoSuchElementException before the first window
   */
  public NoisyVector noisy() {
    return count.noisy();
  }

  /** How many noises the count holds. */
  public int draws() {
    return count.draws();
  }

  /** The exact counts of the node that the next window completes. */
  public Secret<ExactVector> completedBy(Secret<ExactVector> window) {
    return window.map(count::completedBy);
  }

  /**
   * With one window more.
   *
   * @param node that it completes
   * @param noisy the same with noise, drawn once
   */
  public TreeMemory plus(Secret<ExactVector> node, NoisyVector noisy) {
    return new TreeMemory(sequence, since, count.plus(new Node(node.exact(), noisy)));
  }

  /** As stores keep it. */
  public Memory memory() {
    ByteWriter out = new ByteWriter().fixed8(FORMAT).signed(since).text(sequence.told());
    out.unsigned(count.windows()).unsigned(count.nodes().size());
    for (Node node : count.nodes()) {
      write(out, node.exact().values());
      write(out, node.noisy().values());
    }
    return Memory.ofData(out.toBytes());
  }

  private static void write(ByteWriter out, long[] counts) {
    out.unsigned(counts.length);
    for (long value : counts) {
      out.signed(value);
    }
  }

  /** Never prints the numbers. */
  @Override
  public String toString() {
    return "TreeMemory[" + windows() + " windows]";
  }
}
