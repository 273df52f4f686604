// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.accounting.Period;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Pipeline.Subjects;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.WindowSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;

/** Where the scenes of an audit take place: windows, subjects and people, of a pipeline file. */
final class ScenarioSetting {
  /** More subjects than made-up logs have. */
  private static final int HANDFUL = 10;

  private static final long AROUND = Instant.parse("2026-01-05T00:00:00Z").toEpochMilli();

  /** Days before the clocks of Europe and its neighbours change. */
  private static final long CLOCK_CHANGE = Instant.parse("2026-03-27T12:00:00Z").toEpochMilli();

  /** Sums over more windows than so many are looked at in so many: bins of the past have merged. */
  private static final int OVER_WINDOWS = 80;

  /** Of scenes in which something happens in each. */
  static final int FEWEST_WINDOWS = 5;

  /** A budget that is spent shows, if that takes no more windows. */
  private static final int SPENT_AFTER = 12;

  private static final int MOST_SUBJECTS = 4;

  /** Who is there beside the target. */
  static final List<String> OTHERS = List.of("bob", "eve", "gus", "ida", "joe");

  /** Subjects that many users feed, where nobody listed any. */
  static final List<String> WARDS = List.of("north", "south", "west");

  private final List<Pipeline> versions;
  private final Pipeline pipeline;
  private final WindowSpec window;
  private final int windows;

  /** Windows of a period, or span, in which a version takes over; 0 without one. */
  private final int together;

  private final long size;

  /** Start of the first window: that of a period, where periods are longer than windows. */
  private final long start;

  private final List<String> subjects;
  private final int kinds;

  /**
   * @param most windows of a scene, at least 3
   */
  ScenarioSetting(Pipeline pipeline, int most) {
    this(List.of(pipeline), most);
  }

  /**
   * Where a version takes over from another.
   *
   * @param versions in their order
   * @param most windows of a scene, at least 3
   */
  ScenarioSetting(List<Pipeline> versions, int most) {
    this.versions = versions;
    this.pipeline = versions.get(versions.size() - 1);
    this.window = pipeline.window();
    int wanted = versions.stream().mapToInt(ScenarioSetting::wanted).max().orElseThrow();
    this.together = versions.size() == 1 ? 0 : together(pipeline);
    // So that a takeover lies within a period, or a span, and another one at the end of it.
    int ofChange = together == 0 ? 0 : together + FEWEST_WINDOWS;
    this.windows = Math.max(3, Math.min(most, Math.max(wanted, ofChange)));
    Period period = pipeline.budget().period();
    long around = window.calendar().isPresent() ? CLOCK_CHANGE : AROUND;
    this.start =
        period instanceof Period.Fixed || period instanceof Period.Local
            ? window.firstStartFrom(period.endOf(period.indexOf(around)))
            : window.firstStartFrom(around);
    this.size = shortest();
    this.subjects = subjects(pipeline);
    this.kinds = new RecordMaker(versions).kinds();
  }

  /** So that what happens within a scene's windows does so, whatever their lengths are. */
  private long shortest() {
    return LongStream.rangeClosed(-FEWEST_WINDOWS, windows + FEWEST_WINDOWS)
        .map(w -> window.endOf(window.plus(start, w)) - window.plus(start, w))
        .min()
        .orElseThrow();
  }

  /** As many as sums run over, if not too many, and one more; or until a budget is spent. */
  private static int wanted(Pipeline pipeline) {
    int windows = FEWEST_WINDOWS;
    for (ReleaseSpec release : pipeline.releases()) {
      long horizon = release.horizon();
      if (horizon <= SPENT_AFTER) {
        windows = Math.max(windows, (int) horizon + 2);
      }
      if (release.windowsCounted() > 1) {
        windows = Math.max(windows, Math.min(release.windowsCounted(), OVER_WINDOWS) + 1);
      }
    }
    return windows;
  }

  /** Windows of a period, or span; 0 if they are too many to be looked at. */
  private static int together(Pipeline pipeline) {
    WindowSpec window = pipeline.window();
    Period period = pipeline.budget().period();
    if (period instanceof Period.Lifetime) {
      return 0;
    }
    long first = window.firstStartFrom(AROUND);
    if (!(period instanceof Period.Span)) {
      first = window.firstStartFrom(period.endOf(period.indexOf(first)));
    }
    long last = period.lastWith(period.indexOf(first));
    int together = 1;
    while (together <= SPENT_AFTER && period.indexOf(window.plus(first, together)) <= last) {
      together++;
    }
    return together <= SPENT_AFTER ? together : 0;
  }

  /**
   * Whether a list of subjects that are found may be full: then what one of them comes to decides
   * whether another is looked for.
   */
  static boolean mayFillList(Pipeline pipeline) {
    return pipeline.releases().stream()
        .flatMap(spec -> spec.findsSubjects().stream())
        .anyMatch(finding -> finding.most() < HANDFUL);
  }

  private static List<String> subjects(Pipeline pipeline) {
    List<String> listed = pipeline.listed();
    if (!listed.isEmpty()) {
      return List.copyOf(listed.subList(0, Math.min(MOST_SUBJECTS, listed.size())));
    }
    return pipeline.population().isPresent() ? WARDS : List.of(Scenes.TARGET, "bob", "eve");
  }

  /** Start of the first window that counts. */
  long start() {
    return start;
  }

  /** Number of windows of the long scenes. */
  int windows() {
    return windows;
  }

  /** Number of windows of a period, or span, in which a version takes over; 0 without one. */
  int together() {
    return together;
  }

  /** Of the shortest window, in milliseconds. */
  long size() {
    return size;
  }

  /** Those that are released. */
  List<String> subjects() {
    return subjects;
  }

  /** Of records that differ in what is counted. */
  int kinds() {
    return kinds;
  }

  LogWriter writer(int windowsOfScene) {
    long last = startOf(windowsOfScene + 2) + window.grace().toMillis();
    return new LogWriter(versions, last + Duration.ofDays(2).toMillis());
  }

  long startOf(int number) {
    return window.plus(start, number);
  }

  /** The time at which a window closes. */
  long closing(int number) {
    return startOf(number + 1) + window.grace().toMillis();
  }

  boolean ofUsers() {
    return pipeline.population().isPresent();
  }

  void enrolAll(LogWriter log) {
    if (pipeline.subjects() == Subjects.ROSTER) {
      subjects.forEach(subject -> log.enrol(subject, start));
    }
  }

  /** Others than the target do a little. */
  void others(LogWriter log, int w) {
    if (w < FEWEST_WINDOWS) {
      for (int i = 0; i < 3; i++) {
        String who = OTHERS.get(i % 2);
        String subject = ofUsers() ? subjects.get(i % subjects.size()) : who;
        log.record(who, subject, startOf(w) + size / 3 + i, i % kinds);
      }
    }
  }
}
