// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Selections;
import io.sfumato.pipeline.WindowSpec.Clock;
import io.sfumato.release.Plan;
import io.sfumato.release.abc.AbcSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What happens to a pipeline in its audit: made up from the pipeline file alone. */
final class Scenes {
  /** Whose records are protected in the neighbours. */
  static final String TARGET = "ann";

  /** Of one user or dataset in one scene, however many of them may count. */
  private static final int MOST_RECORDS = 1500;

  private final ScenarioSetting stage;
  private final Versions versions;
  private final Pipeline pipeline;

  /**
   * @param most windows of a scene, at least 3
   */
  Scenes(Plan plan, int most) {
    this(Versions.of(plan), most);
  }

  /**
   * Of versions that take over from each other.
   *
   * @param most windows of a scene, at least 3
   */
  Scenes(Versions versions, int most) {
    this.versions = versions;
    this.stage = new ScenarioSetting(versions.pipelines(), most);
    this.pipeline = versions.last().pipeline();
  }

  /**
   * All scenes.
   *
   * @param seed of what is random in them
   * @param random number of random ones
   * @throws IllegalArgumentException if a version takes over, and can do so nowhere; says why
   */
  List<AuditScenario> all(long seed, int random) {
    List<AuditScenario> scenarios = plain(seed, random);
    return versions.change() ? new Takeovers(versions, stage, seed).in(scenarios) : scenarios;
  }

  private List<AuditScenario> plain(long seed, int random) {
    List<AuditScenario> scenarios = new ArrayList<>();
    scenarios.add(new AuditScenario("everything in one place", steady()));
    scenarios.add(new AuditScenario("spread over subjects and categories", spread()));
    if (pipeline.window().clock() == Clock.TICKS) {
      scenarios.add(
          new AuditScenario(
              "a record of a window before the first one", beforeTheFirstTick(List.of())));
      scenarios.add(
          new AuditScenario(
              "a record of a window before the first one, of others too",
              beforeTheFirstTick(ScenarioSetting.OTHERS)));
      scenarios.add(new AuditScenario("all of it before the first tick", history()));
    }
    if (versions.pipelines().stream().anyMatch(Pipeline::remembers)) {
      scenarios.add(new AuditScenario("forgotten among what is closed", forgotten()));
    }
    for (int i = 0; i < random; i++) {
      scenarios.add(
          new AuditScenario(
              "random " + (i + 1), new RandomScene(stage, pipeline, new Random(seed + i)).log()));
    }
    return scenarios;
  }

  /**
   * All that the target does lies in one category of one subject: more than may count, as long as
   * the scene lasts. Others do a little.
   */
  private AuditLog steady() {
    LogWriter log = stage.writer(stage.windows());
    stage.enrolAll(log);
    int each = recordsOfTarget();
    for (int w = 0; w < stage.windows(); w++) {
      if (w > 0) {
        // After the last window's end, before it closes.
        stage.others(log, w);
      }
      for (int i = 0; i < each; i++) {
        log.record(
            TARGET, stage.subjects().get(0), stage.startOf(w) + i * stage.size() / (each + 1), 0);
      }
      if (w == 0) {
        ask(log, "early", 0);
        log.tick(stage.start() + pipeline.window().grace().toMillis());
        stage.others(log, w);
      }
      log.tick(stage.closing(w));
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
        int tells =
            versions.pipelines().stream()
                .map(version -> Selections.of(version).widest().orElseThrow())
                .mapToInt(users -> users.records() + users.leftOut().orElse(0))
                .max()
                .orElseThrow();
        yield Math.min(tells + 1, Math.max(1, MOST_RECORDS / stage.windows()));
      }
    };
  }

  /** The target goes everywhere: to more subjects than may count, with more than may count. */
  private AuditLog spread() {
    int few = Math.min(stage.windows(), ScenarioSetting.FEWEST_WINDOWS);
    LogWriter log = stage.writer(few);
    stage.enrolAll(log);
    log.tick(stage.start() + pipeline.window().grace().toMillis());
    int each = stage.ofUsers() ? Math.min(3 * recordsOfTarget(), 60) : 7;
    for (int w = 0; w < few; w++) {
      for (int i = 0; i < each; i++) {
        String subject =
            stage.ofUsers() ? stage.subjects().get((i + w) % stage.subjects().size()) : TARGET;
        // At last all alike: sums of features that point elsewhere do not add up.
        int kind = w == few - 1 ? 0 : i * (w + 1) % stage.kinds();
        log.record(TARGET, subject, stage.startOf(w) + i, kind);
        if (i % 3 == 0) {
          String who = ScenarioSetting.OTHERS.get(i % ScenarioSetting.OTHERS.size());
          log.record(
              who,
              stage.ofUsers() ? stage.subjects().get(i % stage.subjects().size()) : "bob",
              stage.startOf(w) + stage.size() - 1 - i,
              i % stage.kinds());
        }
      }
      ask(log, "waiting", w);
      log.tick(stage.closing(w));
      ask(log, "spread", w);
    }
    return log.log();
  }

  private AuditLog beforeTheFirstTick(List<String> early) {
    LogWriter log = stage.writer(3);
    stage.enrolAll(log);
    stage.others(log, 0);
    for (String who : early) {
      log.record(
          who,
          stage.ofUsers() ? stage.subjects().get(0) : who,
          stage.startOf(-1) + stage.size() / 3,
          0);
    }
    log.record(TARGET, stage.subjects().get(0), stage.startOf(-1) + stage.size() / 2, 0);
    log.record(TARGET, stage.subjects().get(0), stage.startOf(0), 0);
    log.tick(stage.start() + pipeline.window().grace().toMillis());
    for (int w = 0; w < 3; w++) {
      log.record(TARGET, stage.subjects().get(0), stage.startOf(w) + 1, 0);
      log.tick(stage.closing(w));
    }
    return log.log();
  }

  /** Records of several windows, and one tick that closes all of them. */
  private AuditLog history() {
    int few = Math.min(stage.windows(), ScenarioSetting.FEWEST_WINDOWS);
    LogWriter log = stage.writer(few);
    stage.enrolAll(log);
    for (int w = 0; w < few; w++) {
      stage.others(log, w);
      log.record(TARGET, stage.subjects().get(0), stage.startOf(w) + 1, 0);
    }
    log.tick(stage.closing(few - 1));
    return log.log();
  }

  /** Two windows close at a time; some are forgotten at once, and come again. */
  private AuditLog forgotten() {
    int few = Math.min(stage.windows(), ScenarioSetting.FEWEST_WINDOWS);
    LogWriter log = stage.writer(few);
    stage.enrolAll(log);
    log.tick(stage.start() + pipeline.window().grace().toMillis());
    for (int w = 0; w < few; w++) {
      stage.others(log, w);
      for (int i = 0; i < recordsOfTarget(); i++) {
        log.record(TARGET, stage.subjects().get(0), stage.startOf(w) + i, w % stage.kinds());
      }
      if (w % 2 == 1) {
        log.tick(stage.closing(w));
        log.forget(TARGET);
        log.forget(ScenarioSetting.OTHERS.get(0));
      }
    }
    // Of an open window nothing is left.
    log.forget(ScenarioSetting.OTHERS.get(1));
    log.tick(stage.closing(few - 1));
    return log.log();
  }

  /** Every output is asked about the target and one more. */
  private void ask(LogWriter log, String query, int w) {
    if (w >= ScenarioSetting.FEWEST_WINDOWS) {
      return;
    }
    for (AbcSpec spec : AbcSpec.of(pipeline)) {
      int candidates = Math.min(spec.candidates(), 3);
      for (int i = 0; i < candidates; i++) {
        log.ask(spec, query + w, i, candidates, TARGET, stage.startOf(w), i);
      }
      log.ask(spec, query + "bob" + w, 0, candidates, "bob", stage.startOf(w), 1);
      // Once more: a repetition costs nothing.
      log.ask(spec, query + w, 0, candidates, TARGET, stage.startOf(w), 0);
    }
  }
}
