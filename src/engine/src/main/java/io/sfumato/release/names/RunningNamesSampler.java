// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.estimate.partitionselection.RunningNameBars;
import io.sfumato.gate.Memory;
import io.sfumato.gate.NameMemory;
import io.sfumato.mechanism.continual.RunningSums;
import io.sfumato.mechanism.partitionselection.PublicName;
import io.sfumato.mechanism.partitionselection.RunningDiscovery;
import io.sfumato.mechanism.partitionselection.Threshold;
import io.sfumato.pipeline.NameSampler;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.avro.specific.SpecificRecord;

/**
 * Counts names over the windows of a block: docs/theory/partition-selection.md, Theorem N. Blocks
 * follow each other from where windows begin, for all names alike; what is kept of a name ends with
 * its block.
 */
final class RunningNamesSampler implements NameSampler {
  /** Windows whose counts wait. */
  static final int MOST_WAITING = 64;

  private final NamesSpec spec;
  private final RunningDiscovery plan;
  private final RunningNameBars bars;
  private final NamesWriter writer;
  private final WindowSpec window;

  RunningNamesSampler(PlannedRunningNames planned, Pipeline pipeline) {
    this.spec = planned.spec();
    this.plan = planned.discovery();
    this.bars = new RunningNameBars(plan);
    this.writer = new NamesWriter(spec, pipeline);
    this.window = pipeline.window();
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
  public Memory skipped(long windowStart) {
    return blockAt(windowStart).gone();
  }

  @Override
  public Step step(Name name, Noise noise) {
    int window = windowOf(name.windowStart());
    NameMemory.Block block = blockAt(name.windowStart());
    NameMemory before = block.goingOn(name.memory(), name.listed());
    // Each sequence has draws of its own: a name has one until it is found, and then another.
    int index = before.test().map(test -> 1 + test).orElse(0);
    NameMemory.Step step =
        before.after(
            window,
            name.count(),
            (place, mechanism, exact) ->
                noise.draw(
                    this.window.plus(block.start(), place.window() - 1), index, mechanism, exact));
    return new Step(
        step.published().isPresent() && (!name.listed() || passes(step, window)),
        step.published().map(this::figure),
        step.memory());
  }

  private boolean passes(NameMemory.Step step, int window) {
    return plan.passes(plan.tests().of(window), step.passed().orElseThrow());
  }

  private Figure figure(PublicName name) {
    RunningNameBars.Interval truth = bars.of(name);
    return new Figure(
        Math.addExact(name.told(), 1L << (RunningSums.TOLD_DIGITS - 1)) >> RunningSums.TOLD_DIGITS,
        (long) Math.ceil(truth.low()),
        (long) Math.floor(truth.high()));
  }

  /** The window's place in its block, from 1. */
  private int windowOf(long windowStart) {
    return placeOf(window, windowStart, plan.tests().windows());
  }

  /** The place of a window in its block of so many, from 1. */
  static int placeOf(WindowSpec window, long windowStart, int windows) {
    long number = window.between(window.first(), windowStart);
    return (int) Math.floorMod(number, (long) windows) + 1;
  }

  private long blockOf(long windowStart) {
    return window.plus(windowStart, 1 - windowOf(windowStart));
  }

  private NameMemory.Block blockAt(long windowStart) {
    return new NameMemory.Block(plan, blockOf(windowStart));
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
