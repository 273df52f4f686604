// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Pipeline.Subjects;
import io.sfumato.pipeline.WindowSpec.Clock;
import io.sfumato.release.abc.AbcSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A scene in which anything may happen. */
record RandomScene(ScenarioSetting stage, Pipeline pipeline, Random random) {
  /** A subject that no list has. */
  static final String NOBODY = "nobody";

  /** Anything: late, early, unreadable, at ends of windows, in slices of time, by many. */
  AuditLog log() {
    int few = Math.min(stage.windows(), ScenarioSetting.FEWEST_WINDOWS);
    LogWriter log = stage.writer(few + 2);
    List<String> people = new ArrayList<>(ScenarioSetting.OTHERS);
    people.add(Scenes.TARGET);
    if (pipeline.subjects() == Subjects.ROSTER) {
      for (String subject : stage.subjects()) {
        if (random.nextInt(3) > 0) {
          log.enrol(subject, stage.startOf(random.nextInt(2)));
        }
      }
    }
    boolean ticked = false;
    for (int w = 0; w < few; w++) {
      for (int i = 4 + random.nextInt(16); i > 0; i--) {
        anything(log, people, w);
        if (!ticked && random.nextInt(4) == 0) {
          log.tick(stage.start() + pipeline.window().grace().toMillis());
          ticked = true;
        }
      }
      if (!ticked) {
        log.tick(stage.start() + pipeline.window().grace().toMillis());
        ticked = true;
      }
      if (random.nextInt(4) > 0) {
        log.tick(stage.closing(w) + random.nextInt(2));
      }
    }
    log.tick(stage.closing(few));
    return log.log();
  }

  private void anything(LogWriter log, List<String> people, int w) {
    String who = people.get(random.nextInt(people.size()));
    String subject =
        stage.ofUsers() ? stage.subjects().get(random.nextInt(stage.subjects().size())) : who;
    switch (random.nextInt(12)) {
      case 0 -> log.broken(who, subject, stage.startOf(w));
      case 1 -> log.record(who, subject, stage.startOf(w + 1) - 1, random.nextInt(stage.kinds()));
      case 2 -> log.record(who, subject, stage.startOf(w + 1), random.nextInt(stage.kinds()));
      case 3 -> {
        log.record(
            who, subject, stage.startOf(w - random.nextInt(3)), random.nextInt(stage.kinds()));
      }
      case 4 -> {
        long ahead =
            pipeline.window().clock() == Clock.TICKS
                ? pipeline.window().ahead().toMillis()
                : stage.size();
        log.record(
            who,
            subject,
            stage.startOf(w) + Math.min(ahead, 2 * stage.size()),
            random.nextInt(stage.kinds()));
      }
      case 5 -> {
        if (pipeline.subjects() == Subjects.ROSTER) {
          String changed = stage.subjects().get(random.nextInt(stage.subjects().size()));
          if (random.nextBoolean()) {
            log.enrol(changed, stage.startOf(w - 1 + random.nextInt(3)));
          } else {
            log.leave(changed, stage.startOf(w - 1 + random.nextInt(3)));
          }
        } else {
          log.record(stage.ofUsers() ? who : NOBODY, NOBODY, stage.startOf(w), 0);
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
              stage.startOf(Math.max(0, w - random.nextInt(3))),
              random.nextInt(stage.kinds()));
        }
      }
      default ->
          log.record(
              who,
              subject,
              stage.startOf(w) + (long) (random.nextDouble() * stage.size()),
              random.nextInt(stage.kinds()));
    }
  }
}
