// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.estimate.discovery.RunningNameBars;
import io.sfumato.mechanism.discovery.RunningDiscovery;
import io.sfumato.mechanism.discovery.RunningName;
import io.sfumato.mechanism.discovery.Threshold;
import io.sfumato.mechanism.running.RunningSums;
import io.sfumato.pipeline.NameDrawer;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.Pipeline;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.avro.specific.SpecificRecord;

/**
 * Counts names over the windows of a block: docs/privacy.md, Theorem N. Blocks follow each other
 * from where windows begin, for all names alike; what is kept of a name ends with its block.
 */
final class RunningNamesDrawer implements NameDrawer {
  /** Windows whose counts wait. */
  static final int MOST_WAITING = 64;

  private final NamesSpec spec;
  private final RunningDiscovery plan;
  private final RunningNameBars bars;
  private final NamesWriter writer;
  private final long begin;
  private final long size;

  RunningNamesDrawer(PlannedRunningNames planned, Pipeline pipeline) {
    this.spec = planned.spec();
    this.plan = planned.discovery();
    this.bars = new RunningNameBars(plan);
    this.writer = new NamesWriter(spec, pipeline);
    this.begin = pipeline.window().begin().orElse(pipeline.window().origin());
    this.size = pipeline.window().size().toMillis();
  }

  @Override
  public long most() {
    return spec.most();
  }

  @Override
  public Optional<Integer> forget() {
    return spec.forget();
  }

  /** A name's rows belong to a block. */
  @Override
  public boolean mayForget(long windowStart) {
    return windowOf(windowStart) == plan.tests().windows();
  }

  /**
   * Between tests; at a block's first window goes what the one before has left. What waits is taken
   * up now and then, so that rows do not grow with the windows that a test is about.
   */
  @Override
  public boolean defers(long windowStart) {
    int window = windowOf(windowStart);
    return window > 1 && !plan.tests().after(window) && window % MOST_WAITING != 0;
  }

  @Override
  public boolean isWithinRun(long windowStart) {
    return windowOf(windowStart) > 1;
  }

  /** A list has one sequence of each name until it is found, one after each test, and no more. */
  @Override
  public int firstIndex(OptionalLong began, long windowStart) {
    return began.isPresent() && began.getAsLong() > blockOf(windowStart)
        ? Math.multiplyExact(windowOf(began.getAsLong()) - 1, plan.tests().count() + 2)
        : 0;
  }

  @Override
  public Optional<byte[]> skipped(long windowStart) {
    return Optional.of(encode(blockOf(windowStart), RunningName.gone()));
  }

  @Override
  public Step step(Name name, Noise noise) {
    int window = windowOf(name.windowStart());
    long block = blockOf(name.windowStart());
    RunningName before =
        name.memory()
            .flatMap(bytes -> inBlock(bytes, block))
            .orElseGet(() -> name.listed() ? RunningName.known(plan) : RunningName.unseen(plan));
    if (!name.listed() && name.count() == 0 && isUnseen(name.memory(), block)) {
      // What an earlier block left of it.
      return new Step(false, Optional.empty(), Optional.empty());
    }
    int index = indexOf(before);
    RunningName.Step step =
        before.after(
            plan,
            window,
            name.count(),
            (place, mechanism, exact) ->
                noise.draw(block + (place.window() - 1) * size, index, mechanism, exact));
    Optional<Figure> figure =
        step.next() instanceof RunningName.Public found
            ? Optional.of(figure(found))
            : Optional.empty();
    return new Step(
        figure.isPresent() && (!name.listed() || passes(step, window)),
        figure,
        Optional.of(encode(block, step.next())));
  }

  private boolean passes(RunningName.Step step, int window) {
    return plan.passes(plan.tests().of(window), step.published().orElseThrow());
  }

  /** Each sequence has draws of its own: a name has one until it is found, and then another. */
  private static int indexOf(RunningName name) {
    return name instanceof RunningName.Public found ? 1 + found.test() : 0;
  }

  private Figure figure(RunningName.Public name) {
    RunningNameBars.Interval truth = bars.of(name);
    return new Figure(
        Math.addExact(name.told(), 1L << (RunningSums.TOLD_DIGITS - 1)) >> RunningSums.TOLD_DIGITS,
        (long) Math.ceil(truth.low()),
        (long) Math.floor(truth.high()));
  }

  /** The window's place in its block, from 1. */
  private int windowOf(long windowStart) {
    return (int) Math.floorMod((windowStart - begin) / size, (long) plan.tests().windows()) + 1;
  }

  private long blockOf(long windowStart) {
    return windowStart - (windowOf(windowStart) - 1) * size;
  }

  private byte[] encode(long block, RunningName name) {
    return new ByteWriter().signed(block).raw(name.encode()).toBytes();
  }

  private Optional<RunningName> inBlock(byte[] memory, long block) {
    ByteReader in = new ByteReader(memory);
    return in.signed() == block ? RunningName.decode(in.rest(), plan) : Optional.empty();
  }

  private boolean isUnseen(Optional<byte[]> memory, long block) {
    return memory.isEmpty() || new ByteReader(memory.get()).signed() != block;
  }

  @Override
  public List<List<Told>> parts(List<Told> names) {
    return writer.parts(names);
  }

  @Override
  public SpecificRecord write(OutputLabel label, WindowList list, int part) {
    long start = label.id().windowStart();
    Threshold threshold = plan.thresholds().get(plan.tests().of(windowOf(start)) - 1);
    long since = Math.max(blockOf(start), list.began().orElse(Long.MIN_VALUE));
    return writer.write(label, list, part, since, threshold.least());
  }
}
