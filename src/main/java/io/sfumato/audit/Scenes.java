// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.accounting.Period;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Pipeline.Subjects;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.pipeline.WindowSpec.Clock;
import io.sfumato.release.abc.AbcSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What happens to a pipeline in its audit: made up from the pipeline file alone. */
final class Scenes {
  /** Whose records are protected in the neighbours. */
  static final String TARGET = "ann";

  private static final long AROUND = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();
  private static final int FEWEST_WINDOWS = 5;

  /** A budget that is spent shows, if that takes no more windows. */
  private static final int SPENT_AFTER = 12;

  private static final int MOST_SUBJECTS = 4;

  /** Of one user or dataset in one scene, however many of them may count. */
  private static final int MOST_RECORDS = 1500;

  private static final List<String> OTHERS = List.of("bob", "eve", "gus", "ida", "joe");

  private final Pipeline pipeline;
  private final WindowSpec window;
  private final int windows;
  private final long size;

  /** Start of the first window: that of a period, where periods are longer than windows. */
  private final long start;

  private final List<String> subjects;
  private final int kinds;

  /**
   * @param most windows of a scene, at least 3
   */
  Scenes(Pipeline pipeline, int most) {
    this.pipeline = pipeline;
    this.window = pipeline.window();
    this.size = window.size().toMillis();
    this.windows = Math.max(3, Math.min(most, wanted(pipeline)));
    this.start =
        pipeline.budget().period() instanceof Period.Fixed fixed
            ? window.firstStartFrom(fixed.endOf(fixed.indexOf(AROUND)))
            : window.firstStartFrom(AROUND);
    this.subjects = subjects(pipeline);
    this.kinds = new RecordMaker(pipeline).kinds();
  }

  /** As many as a tree of running counts has, and one more; or until a budget is spent. */
  private static int wanted(Pipeline pipeline) {
    int windows = FEWEST_WINDOWS;
    for (ReleaseSpec release : pipeline.releases()) {
      long horizon = release.horizon();
      if (horizon <= SPENT_AFTER) {
        windows = Math.max(windows, (int) horizon + 2);
      }
      if (release.windowsTold() > 1) {
        windows = Math.max(windows, release.windowsTold() + 1);
      }
    }
    return windows;
  }

  private static List<String> subjects(Pipeline pipeline) {
    List<String> listed = pipeline.listed();
    if (!listed.isEmpty()) {
      return List.copyOf(listed.subList(0, Math.min(MOST_SUBJECTS, listed.size())));
    }
    return pipeline.population().isPresent()
        ? List.of("north", "south", "west")
        : List.of(TARGET, "bob", "eve");
  }

  /** Start of the first window that counts. */
  long start() {
    return start;
  }

  /** Number of windows of the long scenes. */
  int windows() {
    return windows;
  }

  /**
   * All scenes.
   *
   * @param seed of what is random in them
   * @param random number of random ones
   */
  List<Scene> all(long seed, int random) {
    List<Scene> scenes = new ArrayList<>();
    scenes.add(new Scene("everything in one place", steady()));
    scenes.add(new Scene("spread over subjects and categories", spread()));
    if (window.clock() == Clock.TICKS) {
      scenes.add(
          new Scene("a record of a window before the first one", beforeTheFirstTick(List.of())));
      scenes.add(
          new Scene(
              "a record of a window before the first one, of others too",
              beforeTheFirstTick(OTHERS)));
      scenes.add(new Scene("all of it before the first tick", history()));
    }
    for (int i = 0; i < random; i++) {
      scenes.add(new Scene("random " + (i + 1), random(new Random(seed + i))));
    }
    return scenes;
  }

  private LogWriter writer(int windowsOfScene) {
    long last = start + (windowsOfScene + 2) * size + window.grace().toMillis();
    return new LogWriter(pipeline, last + Duration.ofDays(2).toMillis());
  }

  private long startOf(int number) {
    return start + number * size;
  }

  /** The time at which a window closes. */
  private long closing(int number) {
    return startOf(number + 1) + window.grace().toMillis();
  }

  private boolean ofUsers() {
    return pipeline.population().isPresent();
  }

  private void enrolAll(LogWriter log) {
    if (pipeline.subjects() == Subjects.ROSTER) {
      subjects.forEach(subject -> log.enrol(subject, start));
    }
  }

  /**
   * All that the target does lies in one category of one subject: more than may count, as long as
   * the scene lasts. Others do a little.
   */
  private AuditLog steady() {
    LogWriter log = writer(windows);
    enrolAll(log);
    int each = recordsOfTarget();
    for (int w = 0; w < windows; w++) {
      if (w > 0) {
        // Behind the last window's end, before it closes.
        others(log, w);
      }
      for (int i = 0; i < each; i++) {
        log.record(TARGET, subjects.get(0), startOf(w) + i * size / (each + 1), 0);
      }
      if (w == 0) {
        ask(log, "early", 0);
        log.tick(start + window.grace().toMillis());
        others(log, w);
      }
      log.tick(closing(w));
      ask(log, "late", w);
    }
    return log.log();
  }

  /**
   * One more than may count, or be told as left out; a single record where one is replaced, which
   * is where it tells most.
   */
  private int recordsOfTarget() {
    return switch (pipeline.budget().unit()) {
      case RECORD -> 1;
      case DATASET -> 6;
      case USER -> {
        Population users = pipeline.population().orElseThrow();
        int tells = users.records() + users.leftOut().orElse(0);
        yield Math.min(tells + 1, Math.max(1, MOST_RECORDS / windows));
      }
    };
  }

  private void others(LogWriter log, int w) {
    if (w < FEWEST_WINDOWS) {
      for (int i = 0; i < 3; i++) {
        String who = OTHERS.get(i % 2);
        String subject = ofUsers() ? subjects.get(i % subjects.size()) : who;
        log.record(who, subject, startOf(w) + size / 3 + i, i % kinds);
      }
    }
  }

  /** The target goes everywhere: to more subjects than may count, with more than may count. */
  private AuditLog spread() {
    int few = Math.min(windows, FEWEST_WINDOWS);
    LogWriter log = writer(few);
    enrolAll(log);
    log.tick(start + window.grace().toMillis());
    int each = ofUsers() ? Math.min(3 * recordsOfTarget(), 60) : 7;
    for (int w = 0; w < few; w++) {
      for (int i = 0; i < each; i++) {
        String subject = ofUsers() ? subjects.get((i + w) % subjects.size()) : TARGET;
        log.record(TARGET, subject, startOf(w) + i, i * (w + 1) % kinds);
        if (i % 3 == 0) {
          String who = OTHERS.get(i % OTHERS.size());
          log.record(
              who,
              ofUsers() ? subjects.get(i % subjects.size()) : "bob",
              startOf(w) + size - 1 - i,
              i % kinds);
        }
      }
      ask(log, "waiting", w);
      log.tick(closing(w));
      ask(log, "spread", w);
    }
    return log.log();
  }

  private AuditLog beforeTheFirstTick(List<String> early) {
    LogWriter log = writer(3);
    enrolAll(log);
    others(log, 0);
    for (String who : early) {
      log.record(who, ofUsers() ? subjects.get(0) : who, startOf(-1) + size / 3, 0);
    }
    log.record(TARGET, subjects.get(0), startOf(-1) + size / 2, 0);
    log.record(TARGET, subjects.get(0), startOf(0), 0);
    log.tick(start + window.grace().toMillis());
    for (int w = 0; w < 3; w++) {
      log.record(TARGET, subjects.get(0), startOf(w) + 1, 0);
      log.tick(closing(w));
    }
    return log.log();
  }

  /** Records of several windows, and one tick that closes all of them. */
  private AuditLog history() {
    int few = Math.min(windows, FEWEST_WINDOWS);
    LogWriter log = writer(few);
    enrolAll(log);
    for (int w = 0; w < few; w++) {
      others(log, w);
      log.record(TARGET, subjects.get(0), startOf(w) + 1, 0);
    }
    log.tick(closing(few - 1));
    return log.log();
  }

  /** Every output is asked about the target and one more. */
  private void ask(LogWriter log, String query, int w) {
    if (w >= FEWEST_WINDOWS) {
      return;
    }
    for (AbcSpec spec : AbcSpec.of(pipeline)) {
      int candidates = Math.min(spec.candidates(), 3);
      for (int i = 0; i < candidates; i++) {
        log.ask(spec, query + w, i, candidates, TARGET, startOf(w), i);
      }
      log.ask(spec, query + "bob" + w, 0, candidates, "bob", startOf(w), 1);
      // Once more: a repetition costs nothing.
      log.ask(spec, query + w, 0, candidates, TARGET, startOf(w), 0);
    }
  }

  /** Anything: late, early, unreadable, at ends of windows, in slices of time, by many. */
  private AuditLog random(Random random) {
    int few = Math.min(windows, FEWEST_WINDOWS);
    LogWriter log = writer(few + 2);
    List<String> people = new ArrayList<>(OTHERS);
    people.add(TARGET);
    if (pipeline.subjects() == Subjects.ROSTER) {
      for (String subject : subjects) {
        if (random.nextInt(3) > 0) {
          log.enrol(subject, startOf(random.nextInt(2)));
        }
      }
    }
    boolean ticked = false;
    for (int w = 0; w < few; w++) {
      for (int i = 4 + random.nextInt(16); i > 0; i--) {
        anything(log, people, w, random);
        if (!ticked && random.nextInt(4) == 0) {
          log.tick(start + window.grace().toMillis());
          ticked = true;
        }
      }
      if (!ticked) {
        log.tick(start + window.grace().toMillis());
        ticked = true;
      }
      if (random.nextInt(4) > 0) {
        log.tick(closing(w) + random.nextInt(2));
      }
    }
    log.tick(closing(few));
    return log.log();
  }

  private void anything(LogWriter log, List<String> people, int w, Random random) {
    String who = people.get(random.nextInt(people.size()));
    String subject = ofUsers() ? subjects.get(random.nextInt(subjects.size())) : who;
    switch (random.nextInt(12)) {
      case 0 -> log.broken(who, subject, startOf(w));
      case 1 -> log.record(who, subject, startOf(w + 1) - 1, random.nextInt(kinds));
      case 2 -> log.record(who, subject, startOf(w + 1), random.nextInt(kinds));
      case 3 -> {
        log.record(who, subject, startOf(w - random.nextInt(3)), random.nextInt(kinds));
      }
      case 4 -> {
        long ahead = window.clock() == Clock.TICKS ? window.ahead().toMillis() : size;
        log.record(who, subject, startOf(w) + Math.min(ahead, 2 * size), random.nextInt(kinds));
      }
      case 5 -> {
        if (pipeline.subjects() == Subjects.ROSTER) {
          String changed = subjects.get(random.nextInt(subjects.size()));
          if (random.nextBoolean()) {
            log.enrol(changed, startOf(w - 1 + random.nextInt(3)));
          } else {
            log.leave(changed, startOf(w - 1 + random.nextInt(3)));
          }
        } else {
          log.record(ofUsers() ? who : "nobody", "nobody", startOf(w), 0);
        }
      }
      case 6 -> {
        for (AbcSpec spec : AbcSpec.of(pipeline)) {
          log.ask(
              spec,
              "q" + random.nextInt(3),
              random.nextInt(3),
              Math.min(spec.candidates(), 3),
              who,
              startOf(Math.max(0, w - random.nextInt(3))),
              random.nextInt(kinds));
        }
      }
      default ->
          log.record(
              who,
              subject,
              startOf(w) + (long) (random.nextDouble() * size),
              random.nextInt(kinds));
    }
  }
}
