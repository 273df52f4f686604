// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.audit.AuditLog.Channel;
import io.sfumato.audit.AuditLog.Entry;
import io.sfumato.audit.AuditLog.Takeover;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.pipeline.WindowSpec.Clock;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.context.PipelineStopException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Puts changes of version into logs: an announcement, and the place where the next one begins. */
final class Takeovers {
  /** Of the first scene, which has the worst cases: one for each place. */
  private static final int MOST_OF_FIRST = Place.values().length;

  /** Where the next version begins to read; in turn, so that no place is left to chance. */
  private enum Place {
    /** Where its first window is about to close: the former version has bounded all of it. */
    WINDOW_READ,
    /** As soon as it can: it reads that window itself. */
    EARLIEST,
    /** Anywhere after that: the former version waits at that window. */
    ANYWHERE
  }

  private final Versions versions;
  private final WindowSpec window;
  private final ScenarioSetting stage;
  private final Random random;
  private Optional<String> refusal = Optional.empty();

  Takeovers(Versions versions, ScenarioSetting stage, long seed) {
    this.versions = versions;
    this.window = versions.last().pipeline().window();
    this.stage = stage;
    this.random = new Random(seed);
  }

  /**
   * Scenes with a takeover in each: several of the first one.
   *
   * @throws IllegalArgumentException if the version can take over at no window; says why
   */
  List<AuditScenario> in(List<AuditScenario> scenarios) {
    List<AuditScenario> all = new ArrayList<>();
    for (int i = 0; i < scenarios.size(); i++) {
      all.addAll(in(scenarios.get(i), i == 0 ? MOST_OF_FIRST : 1, all.size()));
    }
    if (all.isEmpty()) {
      throw new IllegalArgumentException(
          refusal.orElse("no window of the synthetic logs has one before it that closes"));
    }
    return all;
  }

  /**
   * @param before takeovers of earlier scenes
   */
  private List<AuditScenario> in(AuditScenario scenario, int most, int before) {
    List<AuditScenario> found = new ArrayList<>();
    for (int number : numbers(most > 1)) {
      if (found.size() < most) {
        Place place = Place.values()[(before + found.size()) % Place.values().length];
        at(scenario, number, place).ifPresent(found::add);
      }
    }
    return found;
  }

  /**
   * Windows by chance. Where several are tried, those first that are the second and the last of a
   * period, or span: what a mix of both versions costs most has least of one of them.
   */
  private List<Integer> numbers(boolean worstFirst) {
    List<Integer> numbers =
        IntStream.range(1, stage.windows()).boxed().collect(Collectors.toList());
    Collections.shuffle(numbers, random);
    if (worstFirst) {
      List<Integer> worst = List.of(1, stage.together() - 1, stage.windows() / 2);
      numbers.sort(
          Comparator.comparing(
              number -> worst.contains(number) ? worst.indexOf(number) : worst.size()));
    }
    return numbers;
  }

  /** Nothing if the version cannot take over there. */
  private Optional<AuditScenario> at(AuditScenario scenario, int number, Place place) {
    long from = stage.startOf(number);
    String digest;
    try {
      digest = versions.digest(from);
    } catch (PipelineStopException e) {
      refusal = Optional.of(e.getMessage());
      return Optional.empty();
    }
    List<Entry> entries = scenario.log().entries();
    long[] clock = clock(entries);
    long grace = window.grace().toMillis();
    // Announced before a window of the version closes, ready when all before it have closed.
    int lastToAnnounce = placeOf(clock, window.endOf(from) + grace) - 1;
    int ready = placeOf(clock, from + grace);
    if (lastToAnnounce < 1 || ready > entries.size()) {
      return Optional.empty();
    }
    int announced = 1 + random.nextInt(lastToAnnounce);
    int earliest = Math.max(ready, announced);
    int begins =
        switch (place) {
          case WINDOW_READ -> Math.max(earliest, lastToAnnounce);
          case EARLIEST -> earliest;
          case ANYWHERE -> earliest + random.nextInt(entries.size() - earliest + 1);
        };
    List<Entry> all = new ArrayList<>(entries);
    all.add(announced, announcement(digest, from, entries.get(announced - 1).timestamp()));
    return Optional.of(
        new AuditScenario(
            "%s, version %d from %s on"
                .formatted(
                    scenario.name(),
                    versions.last().pipeline().version(),
                    Instant.ofEpochMilli(from)),
            new AuditLog(all, Optional.of(new Takeover(begins + 1, from)))));
  }

  /** How far the clock is before each entry, and at the end. */
  private long[] clock(List<Entry> entries) {
    long[] clock = new long[entries.size() + 1];
    clock[0] = Long.MIN_VALUE;
    for (int i = 0; i < entries.size(); i++) {
      clock[i + 1] = Math.max(clock[i], moves(entries.get(i)));
    }
    return clock;
  }

  private long moves(Entry entry) {
    if (entry.tick().isPresent()) {
      return entry.tick().getAsLong();
    }
    return window.clock() == Clock.RECORDS && entry.value() != null
        ? entry.fact().filter(AuditLog.Fact::valid).map(AuditLog.Fact::time).orElse(Long.MIN_VALUE)
        : Long.MIN_VALUE;
  }

  /** The first place before which the clock has reached a time. */
  private static int placeOf(long[] clock, long time) {
    int place = 0;
    while (place < clock.length && clock[place] < time) {
      place++;
    }
    return place;
  }

  private Entry announcement(String digest, long from, long timestamp) {
    Pipeline next = versions.last().pipeline();
    ControlEntry entry =
        ControlEntry.newBuilder()
            .setCommand(ControlCommand.ACTIVATE)
            .setBudget(next.budget().name())
            .setVersion(next.version())
            .setFrom(Instant.ofEpochMilli(from))
            .setDigest(digest)
            .setNoiseKey(Replay.KEY.tag())
            .build();
    return new Entry(
        Channel.CONTROL,
        null,
        Outputs.encode(entry),
        OptionalLong.empty(),
        timestamp,
        Optional.empty());
  }
}
