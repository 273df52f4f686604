// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ticker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Wrong clocks, of the machine and of brokers: none closes a window before its time. */
class OwnTicksTest {
  private static final long NOON = Instant.parse("2026-11-28T12:00:00Z").toEpochMilli();
  private static final long DAY = Duration.ofDays(1).toMillis();
  private static final WindowSpec WINDOW = TickedWindows.MINUTES;

  /** True time, milliseconds since 1970: what no program knows. */
  private long now = NOON;

  /** By how much the machine's clock is wrong. */
  private long machine;

  /** By how much brokers' clocks are wrong, by partition. */
  private final Map<Integer, Long> brokers = new TreeMap<>(Map.of(0, 0L, 1, 0L));

  /** How long a broker takes to answer. */
  private long latency = 3;

  /** Partitions without a leader. */
  private final Set<Integer> leaderless = new TreeSet<>();

  /** Whether brokers stamp the topic's records. */
  private boolean stamps = true;

  /** By how much the controller's clock is wrong; nothing if it does not state its time. */
  private OptionalLong controller = OptionalLong.empty();

  private final Map<Integer, Long> logs = new TreeMap<>();
  private final Map<Integer, List<Long>> ticks = new TreeMap<>();
  private final Map<Integer, Integer> probes = new TreeMap<>();

  /** All ticks of partition 0. */
  private final List<Long> ticked = ticks.computeIfAbsent(0, p -> new ArrayList<>());

  private final List<String> told = new ArrayList<>();
  private final List<Integer> unreachable = new ArrayList<>();

  private Moment moment() {
    return new Moment(now + machine, Duration.ofMillis(now).toNanos());
  }

  /** A cluster whose time passes while it is waited for. */
  private final class Topic implements TickTarget {
    private record Due(long at, int order, Supplier<Answer> answer) {}

    private final PriorityQueue<Due> due =
        new PriorityQueue<>(Comparator.comparingLong(Due::at).thenComparingInt(Due::order));
    private final Set<Integer> outstanding = new TreeSet<>();
    private int sent;

    @Override
    public Set<Integer> partitions() {
      return new TreeSet<>(brokers.keySet());
    }

    @Override
    public void send(int partition, OptionalLong time) {
      assertThat(outstanding.add(partition)).as("one at a time").isTrue();
      if (leaderless.contains(partition)) {
        due.add(
            new Due(
                now + 60_000,
                sent++,
                () ->
                    new Answer(
                        partition,
                        OptionalLong.empty(),
                        OptionalLong.empty(),
                        Optional.empty(),
                        Optional.of("no leader"))));
        return;
      }
      Moment asked = moment();
      long stamped = now + latency / 2 + brokers.get(partition);
      long offset = logs.merge(partition, 1L, Long::sum) - 1;
      if (time.isPresent()) {
        ticks.computeIfAbsent(partition, p -> new ArrayList<>()).add(time.getAsLong());
      } else {
        probes.merge(partition, 1, Integer::sum);
      }
      boolean stamp = stamps;
      due.add(
          new Due(
              now + latency,
              sent++,
              () ->
                  new Answer(
                      partition,
                      time,
                      OptionalLong.of(offset),
                      stamp
                          ? Optional.of(new ClockReading(stamped, asked, moment()))
                          : Optional.empty(),
                      Optional.empty())));
    }

    @Override
    public Optional<Answer> answer(Duration patience) {
      long deadline = now + patience.toMillis();
      if (due.isEmpty() || due.peek().at() > deadline) {
        now = deadline;
        return Optional.empty();
      }
      now = Math.max(now, due.peek().at());
      Answer answer = due.poll().answer().get();
      outstanding.remove(answer.partition());
      return Optional.of(answer);
    }

    @Override
    public Map<Integer, Long> lastTicks(Map<Integer, Long> ends) {
      Map<Integer, Long> found = new TreeMap<>(earlier);
      found.keySet().retainAll(ends.keySet());
      return found;
    }
  }

  /** Ticks that partitions hold from before the start. */
  private final Map<Integer, Long> earlier =
      new TreeMap<>(Map.of(0, NOON - 60_000, 1, NOON - 60_000));

  private ClockReading controllerTime() throws RefusedException {
    if (controller.isEmpty()) {
      throw new RefusedException(ExitCode.REFUSED_CLUSTER, "no clock to compare with");
    }
    Moment asked = moment();
    return new ClockReading(now + controller.getAsLong(), asked, moment());
  }

  private OwnTicks ticks() {
    return ticks(WINDOW);
  }

  private OwnTicks ticks(WindowSpec window) {
    return new OwnTicks(
        window,
        new Topic(),
        this::controllerTime,
        this::moment,
        new TickerListener() {
          @Override
          public void differ(Duration ahead) {
            told.add("differ " + Math.round(ahead.toSeconds() / 60.0));
          }

          @Override
          public void failed(String reason) {
            told.add(reason);
          }

          @Override
          public void unreachable(int partitions, int all) {
            unreachable.add(partitions);
          }
        });
  }

  /** Rounds, as the timer makes them, for a while of true time. */
  private void run(OwnTicks ticks, Duration length) {
    long end = now + length.toMillis();
    while (now < end) {
      now += ticks.round().toMillis();
    }
  }

  /** The latest time that may be told: the true one. */
  private void requireNothingOfTheFuture() {
    ticks.values().forEach(all -> assertThat(all).allMatch(time -> time <= now));
  }

  @Test
  void shouldTickEachPointOnceWhereClocksAgree() {
    run(ticks(), Duration.ofMinutes(10));
    assertThat(ticked).hasSizeBetween(40, 42).doesNotHaveDuplicates().isSorted();
    assertThat(ticked).contains(NOON + 65_000, NOON + 125_000);
    assertThat(told).isEmpty();
  }

  @Test
  void shouldNotTickByAMachineThatIsADayAhead() {
    machine = DAY;
    OwnTicks ticks = ticks();
    run(ticks, Duration.ofMinutes(5));
    assertThat(ticked).isEmpty();
    assertThat(told).contains("differ 1440").doesNotContain("no leader");
    machine = 0;
    run(ticks, Duration.ofMinutes(5));
    assertThat(ticked).as("it goes on once the clock is set").isNotEmpty();
    requireNothingOfTheFuture();
  }

  /** The machine's clock jumps while it ticks: what brokers said before tells that it did. */
  @Test
  void shouldNotTickByAClockThatJumps() {
    OwnTicks ticks = ticks();
    run(ticks, Duration.ofMinutes(5));
    int before = ticked.size();
    machine = DAY;
    run(ticks, Duration.ofMinutes(5));
    assertThat(ticked).hasSize(before);
    assertThat(told).contains("differ 1440");
    machine = -DAY;
    run(ticks, Duration.ofMinutes(5));
    assertThat(ticked).hasSize(before);
    assertThat(told).contains("differ -1440");
  }

  @Test
  void shouldNotTickByABrokerThatIsADayAhead() {
    brokers.put(1, DAY);
    run(ticks(), Duration.ofMinutes(5));
    assertThat(ticked).isEmpty();
    assertThat(told).contains("differ -1440");
  }

  /** Small differences: the earliest clock counts. */
  @Test
  void shouldTickByTheEarliestClock() {
    machine = 40_000;
    brokers.put(0, -15_000L);
    run(ticks(), Duration.ofMinutes(10));
    assertThat(told).isEmpty();
    assertThat(ticked).isNotEmpty().allMatch(time -> time <= now - 15_000 + 1);
  }

  /** A broker that stood still for minutes stamps late, and nobody's clock is wrong. */
  @Test
  void shouldNotTakeAnAnswerThatComesLateForAWrongClock() {
    OwnTicks ticks = ticks();
    run(ticks, Duration.ofMinutes(2));
    latency = Duration.ofMinutes(9).toMillis();
    run(ticks, Duration.ofMinutes(10));
    latency = 3;
    int before = ticked.size();
    run(ticks, Duration.ofMinutes(15));
    assertThat(told).allMatch("no partition's leader answers"::equals);
    assertThat(ticked.size()).isGreaterThan(before);
    requireNothingOfTheFuture();
  }

  @Test
  void shouldTryAgainWhereNothingCanBeWritten() {
    leaderless.addAll(Set.of(0, 1));
    OwnTicks ticks = ticks();
    run(ticks, Duration.ofMinutes(2));
    assertThat(told).contains("no leader");
    leaderless.clear();
    run(ticks, Duration.ofMinutes(3));
    assertThat(ticked).isNotEmpty();
  }

  /** It gets no tick and delays nobody; then it goes on where it is, in steps. */
  @Test
  void shouldTickTheOtherPartitionsWhereOneHasNoLeader() {
    OwnTicks ticks = ticks();
    run(ticks, Duration.ofMinutes(10));
    leaderless.add(1);
    int before = ticked.size();
    int probesBefore = probes.get(0);
    run(ticks, Duration.ofDays(3));
    assertThat(ticked.size() - before).isGreaterThan(3 * 24 * 60 * 4 - 10);
    assertThat(probes.get(0)).as("the healthy one needs no probe").isEqualTo(probesBefore);
    assertThat(told).isEmpty();
    assertThat(unreachable.get(unreachable.size() - 1)).isOne();
    leaderless.clear();
    int missed = ticksOf(1).size();
    run(ticks, Duration.ofMinutes(3));
    assertThat(unreachable.get(unreachable.size() - 1)).isZero();
    assertThat(ticksOf(1).size() - missed).isGreaterThan(3 * 24 * 60 / 400);
    requireNoLongSteps(ticksOf(1));
    requireNothingOfTheFuture();
  }

  private List<Long> ticksOf(int partition) {
    return ticks.get(partition);
  }

  private static void requireNoLongSteps(List<Long> ticks) {
    for (int i = 1; i < ticks.size(); i++) {
      assertThat(ticks.get(i) - ticks.get(i - 1)).isLessThanOrEqualTo(400 * 60_000L);
    }
  }

  /** A partition that never had a leader since the start is ticked once it has one. */
  @Test
  void shouldTickAPartitionThatGetsALeaderLater() {
    leaderless.add(1);
    OwnTicks ticks = ticks();
    run(ticks, Duration.ofMinutes(5));
    assertThat(ticked).isNotEmpty();
    leaderless.clear();
    run(ticks, Duration.ofMinutes(3));
    assertThat(ticksOf(1)).isNotEmpty();
  }

  /** A new partition has a leader of its own, whose clock is asked before it is ticked by. */
  @Test
  void shouldAskTheLeaderOfANewPartitionFirst() {
    OwnTicks ticks = ticks();
    run(ticks, Duration.ofMinutes(1));
    int before = ticked.size();
    brokers.put(2, -DAY);
    run(ticks, Duration.ofMinutes(2));
    assertThat(ticked).hasSize(before);
    assertThat(told).contains("differ 1440");
  }

  /** Two instances, one of them with a wrong clock: the window stays open for both. */
  @Test
  void shouldTickNothingOfTheFutureWhateverTheMachinesClockDoes() {
    Random random = new Random(52);
    OwnTicks ticks = ticks();
    for (int i = 0; i < 2_000; i++) {
      machine = random.nextLong(-3 * DAY, 3 * DAY) / (1 + random.nextInt(100_000));
      latency = random.nextInt(120_000);
      now += random.nextInt(90_000);
      ticks.round();
      requireNothingOfTheFuture();
    }
    assertThat(ticked).isNotEmpty();
  }

  /** A first start, a restart in the middle of the steps, an outage: no tick jumps too far. */
  @Test
  void shouldGoOnInStepsFromWhereEachPartitionIs() {
    long begin = NOON - 1_000 * 60_000L;
    earlier.clear();
    earlier.put(1, begin + 500 * 60_000L);
    run(ticks(WINDOW.beginningAt(begin)), Duration.ofMinutes(1));
    assertThat(ticked.subList(0, 2)).allMatch(time -> time <= NOON - 60_000);
    assertThat(ticked.get(0)).isBetween(begin + 399 * 60_000L, begin + 400 * 60_000L);
    assertThat(ticked.get(2)).isBetween(NOON - 15_000, NOON);
    requireNoLongSteps(ticked);
    assertThat(ticksOf(1).get(0)).isBetween(begin + 899 * 60_000L, begin + 900 * 60_000L);
    assertThat(ticksOf(1).get(1)).isBetween(NOON - 15_000, NOON);
  }

  /** Producers set timestamps: the controller's clock counts, and none without it. */
  @Test
  void shouldTickByTheControllersClockWhereBrokersDoNotStampRecords() {
    stamps = false;
    machine = DAY;
    OwnTicks ticks = ticks();
    run(ticks, Duration.ofMinutes(5));
    assertThat(ticked).as("no clock to compare with").isEmpty();
    assertThat(told).contains("no clock to compare with").doesNotContain("differ 1440");
    controller = OptionalLong.of(0);
    run(ticks, Duration.ofMinutes(5));
    assertThat(ticked).isEmpty();
    assertThat(told).contains("differ 1440");
    machine = 0;
    run(ticks, Duration.ofMinutes(5));
    assertThat(ticked).isNotEmpty();
    requireNothingOfTheFuture();
  }

  /** The topic's settings may change while the program runs. */
  @Test
  void shouldNoticeThatBrokersDoNotStampRecordsAnyMore() {
    OwnTicks ticks = ticks();
    run(ticks, Duration.ofMinutes(5));
    stamps = false;
    run(ticks, Duration.ofMinutes(1));
    int before = ticked.size();
    machine = DAY;
    run(ticks, Duration.ofMinutes(5));
    assertThat(ticked).hasSize(before);
    machine = 0;
    stamps = true;
    run(ticks, Duration.ofMinutes(5));
    assertThat(ticked).as("fails closed, and asks again").hasSize(before);
    controller = OptionalLong.of(0);
    run(ticks, Duration.ofMinutes(5));
    assertThat(ticked.size()).isGreaterThan(before);
    requireNothingOfTheFuture();
  }
}
