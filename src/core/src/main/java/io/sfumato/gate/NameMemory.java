// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.mechanism.continual.NoisyRunningRows;
import io.sfumato.mechanism.continual.Rows;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.partitionselection.NameCount;
import io.sfumato.mechanism.partitionselection.PublicName;
import io.sfumato.mechanism.partitionselection.RowNoise.Place;
import io.sfumato.mechanism.partitionselection.RunningDiscovery;
import io.sfumato.mechanism.partitionselection.RunningName;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far the count of one name is in a block of windows (docs/theory/partition-selection.md,
 * Theorem N). Of a name that is not public nothing leaves this class but its rows, to be drawn.
 * Immutable.
 */
public final class NameMemory {
  private final Block block;
  private final boolean listed;

  /** Whether anything is kept of it in this block. */
  private final boolean seen;

  private final RunningName name;

  private NameMemory(Block block, boolean listed, boolean seen, Optional<RunningName> kept) {
    this.block = block;
    this.listed = listed;
    this.seen = seen;
    this.name =
        kept.orElseGet(
            () -> listed ? RunningName.known(block.plan()) : RunningName.unseen(block.plan()));
  }

  /**
   * The windows whose counts are added up.
   *
   * @param plan of the rows
   * @param start of the first window, milliseconds since 1970
   */
  public record Block(RunningDiscovery plan, long start) {
    /**
     * What earlier windows of the block left of a name.
     *
     * @param listed whether the name is public when the window begins
     */
    public NameMemory goingOn(Memory memory, boolean listed) {
      if (memory.exact().isEmpty()) {
        return new NameMemory(this, listed, false, Optional.empty());
      }
      ByteReader in = new ByteReader(memory.exact().get());
      // What an earlier block left counts no more.
      return in.signed() == start
          ? new NameMemory(this, listed, true, RunningName.decode(in.rest(), plan))
          : new NameMemory(this, listed, false, Optional.empty());
    }

    /** What is kept of a name that must not be drawn of again. */
    public Memory gone() {
      return memory(RunningName.gone());
    }

    private Memory memory(RunningName name) {
      return Memory.ofData(new ByteWriter().signed(start).raw(name.encode()).toBytes());
    }
  }

  /** Draws rows of one name, through the gate. */
  @FunctionalInterface
  public interface Noise {
    /** A row with noise: of a name that is not public it is published nowhere. */
    NoisyRunningRows noisy(Place place, RunningMechanism mechanism, Secret<Rows> exact);
  }

  /**
   * What a window makes of a name.
   *
   * @param memory what later windows need of it
   * @param published what may be told of it, if it is public
   * @param passed its running count in steps of 2^-20 that was tested, if it is public
   */
  public record Step(Memory memory, Optional<PublicName> published, OptionalLong passed) {}

  /**
   * At which test it was found, from 1, where it was; 0 if it was public when the block began.
   * Empty of a name that is not public.
   */
  public Optional<Integer> test() {
    return name instanceof RunningName.Public found ? Optional.of(found.test()) : Optional.empty();
  }

  /**
   * With one window more. A name that is not public, and that nobody had a record of in the block,
   * leaves nothing.
   *
   * @param window of the block, from 1
   */
  public Step after(int window, Secret<NameCount> count, Noise noise) {
    long records = count.exact().users();
    if (!listed && !seen && records == 0) {
      return new Step(Memory.NONE, Optional.empty(), OptionalLong.empty());
    }
    RunningName.Step step =
        name.after(
            block.plan(),
            window,
            records,
            (place, mechanism, exact) -> noise.noisy(place, mechanism, Secret.of(exact)));
    return new Step(
        block.memory(step.next()),
        step.next() instanceof RunningName.Public found
            ? Optional.of(PublicName.of(found))
            : Optional.empty(),
        step.published());
  }

  /** Never prints the name's numbers. */
  @Override
  public String toString() {
    return "NameMemory[masked]";
  }
}
