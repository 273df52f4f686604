// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ticker;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.runtime.RefusedException;
import io.sfumato.ticker.AgreedTime.Agreed;
import io.sfumato.ticker.AgreedTime.Differ;
import io.sfumato.ticker.AgreedTime.Verdict;
import io.sfumato.ticker.TickTarget.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What an instance ticks, and when: one round after the other. Partitions do not depend on one
 * another: what does not answer is left alone, and only asked again. Not for several threads.
 */
final class OwnTicks {
  /** After a round in which something could not be ticked. */
  static final Duration RETRY = Duration.ofSeconds(10);

  /** Clocks are looked at this often at least: a machine may have slept. */
  static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  /** A partition that takes longer to answer is not waited for. */
  static final Duration PATIENCE = Duration.ofSeconds(3);

  /** A round ends after this time; the next one goes on. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

  private static final Duration AT_ONCE = Duration.ofMillis(100);

  private final TickGrid grid;
  private final TickSteps steps;
  private final TickTarget target;
  private final ControllerClock.Clock controller;
  private final Supplier<Moment> clock;
  private final TickerListener listener;
  private final Map<Integer, PartitionTicks> partitions = new TreeMap<>();
  private Optional<ClockReading> controllerTime = Optional.empty();
  private OptionalLong last = OptionalLong.empty();

  /** The time that partitions are to be ticked to; nothing while they are only asked. */
  private OptionalLong goal = OptionalLong.empty();

  /** Whether all clocks are to be asked before anything else. */
  private boolean doubtful;

  private String failure = "";

  /**
   * @param controller asked where brokers do not stamp the topic's records
   */
  OwnTicks(
      WindowSpec window,
      TickTarget target,
      ControllerClock.Clock controller,
      Supplier<Moment> clock,
      TickerListener listener) {
    this.grid = new TickGrid(window);
    this.steps = new TickSteps(window);
    this.target = target;
    this.controller = controller;
    this.clock = clock;
    this.listener = listener;
  }

  /**
   * Ticks what is due.
   *
   * @return how long to wait for the next round
   */
  Duration round() {
    try {
      failure = "no partition's leader answers";
      look();
      Verdict verdict = AgreedTime.at(clock.get(), readings());
      if (verdict instanceof Agreed agreed) {
        return tickAt(agreed.time());
      }
      if (verdict instanceof Differ differ) {
        doubtful = true;
        listener.differ(Duration.ofMillis(differ.ahead()));
      } else {
        listener.failed(failure);
      }
      return RETRY;
    } catch (RefusedException e) {
      doubtful = true;
      listener.failed(e.getMessage());
      return RETRY;
    }
  }

  /** Asks those partitions whose leaders' clocks are not known, or all if in doubt. */
  private void look() throws RefusedException {
    Set<Integer> there = target.partitions();
    partitions.keySet().retainAll(there);
    there.forEach(number -> partitions.computeIfAbsent(number, PartitionTicks::new));
    for (Optional<Answer> late = target.answer(Duration.ZERO);
        late.isPresent();
        late = target.answer(Duration.ZERO)) {
      take(late.get());
    }
    forgetSilent();
    for (PartitionTicks partition : partitions.values()) {
      if (partition.isIdle() && (doubtful || partition.isUnknown())) {
        send(partition, OptionalLong.empty());
      }
    }
    await();
    doubtful = false;
    locate();
    askController();
  }

  private void askController() {
    controllerTime = Optional.empty();
    if (partitions.values().stream().anyMatch(PartitionTicks::isUnstamped)) {
      try {
        controllerTime = Optional.of(controller.ask());
      } catch (RefusedException e) {
        failure = e.getMessage();
      }
    }
  }

  private List<ClockReading> readings() {
    List<ClockReading> readings = new ArrayList<>();
    partitions.values().forEach(partition -> partition.reading().ifPresent(readings::add));
    controllerTime.ifPresent(readings::add);
    return readings;
  }

  /** Where their clocks are: no tick may jump too far from there. */
  private void locate() {
    Map<Integer, Long> ends = new HashMap<>();
    for (PartitionTicks partition : partitions.values()) {
      partition.toLocate().ifPresent(end -> ends.put(partition.number(), end));
    }
    if (ends.isEmpty()) {
      return;
    }
    Map<Integer, Long> found = target.lastTicks(ends);
    for (int number : ends.keySet()) {
      OptionalLong tick =
          found.containsKey(number) ? OptionalLong.of(found.get(number)) : OptionalLong.empty();
      partitions.get(number).locate(steps.from(tick));
    }
  }

  private Duration tickAt(long now) throws RefusedException {
    listener.agree();
    long point = grid.atOrBefore(now);
    goal = OptionalLong.of(point);
    try {
      idle().forEach(this::goOn);
      await();
    } finally {
      goal = OptionalLong.empty();
    }
    tell(point);
    return pause(now, point);
  }

  private void tell(long point) {
    long able = partitions.values().stream().filter(this::canTick).count();
    if (partitions.values().stream().noneMatch(partition -> partition.hasReached(point))) {
      if (able == 0) {
        listener.failed(failure);
      }
    } else if (last.isEmpty() || point > last.getAsLong()) {
      last = OptionalLong.of(point);
      listener.ticked(point);
    }
    listener.unreachable(partitions.size() - (int) able, partitions.size());
  }

  private Duration pause(long now, long point) {
    Duration pause = Duration.ofMillis(grid.after(now) - now);
    Duration longest = LONGEST_PAUSE;
    for (PartitionTicks partition : partitions.values()) {
      if (!canTick(partition)) {
        longest = shorter(longest, RETRY);
      } else if (!partition.hasReached(point)) {
        longest = AT_ONCE;
      }
    }
    return shorter(pause, longest);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private boolean canTick(PartitionTicks partition) {
    return partition.isLocated()
        && (partition.reading().isPresent()
            || partition.isUnstamped() && controllerTime.isPresent());
  }

  private Collection<PartitionTicks> idle() {
    return partitions.values().stream().filter(PartitionTicks::isIdle).toList();
  }

  /** Sends what a partition is to get next, if there is anything. */
  private void goOn(PartitionTicks partition) {
    if (partition.isSuspect()) {
      send(partition, OptionalLong.empty());
    } else if (goal.isPresent() && canTick(partition) && !partition.hasReached(goal.getAsLong())) {
      long to = goal.getAsLong();
      OptionalLong from = partition.clock();
      send(partition, OptionalLong.of(from.isEmpty() ? to : steps.next(from.getAsLong(), to)));
    }
  }

  private void send(PartitionTicks partition, OptionalLong time) {
    partition.sent(clock.get());
    target.send(partition.number(), time);
  }

  /** Takes answers until all have come, or those that are missing take too long. */
  private void await() throws RefusedException {
    Moment began = clock.get();
    while (isWaiting() && clock.get().since(began) < LONGEST_WAIT.toMillis()) {
      Optional<Answer> answer = target.answer(PATIENCE);
      answer.ifPresent(this::take);
      forgetSilent();
      if (answer.isEmpty()) {
        return;
      }
    }
  }

  private boolean isWaiting() {
    return partitions.values().stream().anyMatch(this::isAwaited);
  }

  private boolean isAwaited(PartitionTicks partition) {
    return !partition.isIdle() && !partition.isSilent();
  }

  private void take(Answer answer) {
    PartitionTicks partition = partitions.get(answer.partition());
    if (partition == null) {
      return;
    }
    partition.take(answer);
    answer.failure().ifPresent(reason -> failure = reason);
    if (answer.failure().isEmpty()) {
      goOn(partition);
    }
  }

  private void forgetSilent() {
    Moment now = clock.get();
    partitions.values().forEach(partition -> partition.forgetIfSilent(now, PATIENCE));
  }
}
