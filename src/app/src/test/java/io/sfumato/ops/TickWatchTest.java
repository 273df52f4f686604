// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import io.sfumato.serde.RejectionCode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A pipeline whose ticks are all in vain looks well, unless it says so. */
class TickWatchTest {
  static final String TICKED =
      """
      pipeline: clock
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b] }
      subjects: [ann]
      window: { size: 1d, clock: ticks, begin: 2026-06-01 }
      budget: { name: clock, unit: record, epsilon: 4, delta: 1e-6, period: window }
      releases:
        - histogram: { name: mix, method: gaussian, share: { epsilon: 4, delta: 1e-6 } }
      """;

  private final AtomicLong nanos = new AtomicLong();
  private final Logger logger = (Logger) LoggerFactory.getLogger(LifecycleLog.class);
  private final Level level = logger.getLevel();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  private final Plan ticked = Plans.valid(TICKED);
  private final WindowSpec window = ticked.pipeline().window();
  private final RunningCounts counts = new RunningCounts(LifecycleLog.of(window), nanos::get);

  @BeforeEach
  void capture() {
    log.start();
    logger.addAppender(log);
    logger.setLevel(Level.INFO);
  }

  @AfterEach
  void release() {
    logger.detachAppender(log);
    logger.setLevel(level);
  }

  /** Of an instance that reads nothing yet. */
  private TickAge age() {
    return new TickAge(ticked.pipeline(), counts, Optional::empty);
  }

  private List<String> warnings() {
    return log.list.stream()
        .filter(line -> line.getLevel() == Level.WARN)
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  @Test
  void shouldNoteAndLogRefusedTicksOnceAReason() {
    assertThat(OperatorEvents.ticks(window, counts.ticks())).isEmpty();
    counts.rejected(RejectionCode.MALFORMED);
    assertThat(OperatorEvents.ticks(window, counts.ticks())).isEmpty();
    for (int i = 0; i < 1000; i++) {
      counts.rejected(RejectionCode.UNSIGNED_TICK);
      nanos.addAndGet(TickWatch.NEWS.toNanos() / 2);
    }
    assertThat(warnings()).hasSize(1).first().asString().contains("UNSIGNED_TICK");
    counts.rejected(RejectionCode.OTHER_KEY_TICK);
    counts.rejected(RejectionCode.BAD_TICK);
    counts.rejected(RejectionCode.OTHER_KEY_TICK);
    assertThat(warnings()).hasSize(3);
    assertThat(OperatorEvents.ticks(window, counts.ticks()))
        .singleElement()
        .asString()
        .contains("UNSIGNED_TICK", "OTHER_KEY_TICK", "BAD_TICK", "SfumatoTicksRefused");
  }

  /** An event with such a time is none, and counts with the records. */
  @Test
  void shouldTellTicksOutOfRangeFromRecordsOutOfRange() {
    counts.rejected(RejectionCode.TIME_OUT_OF_RANGE);
    RefusedTicks words = new RefusedTicks(ticked.pipeline());
    assertThat(OperatorEvents.ticks(window, counts.ticks())).isEmpty();
    assertThat(warnings()).isEmpty();
    assertThat(words.news(counts.refusedTicks())).isEmpty();
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new PipelineMetrics(ticked, counts, age(), "tag").bindTo(registry);
    assertThat(registry.scrape())
        .contains("sfumato_ticks_total{outcome=\"time_out_of_range\"} 0.0");
    for (int tick = 0; tick < 3; tick++) {
      counts.rejected(RejectionCode.TIME_OUT_OF_RANGE);
      counts.tickOutOfRange();
    }
    assertThat(registry.scrape())
        .contains("sfumato_ticks_total{outcome=\"time_out_of_range\"} 3.0");
    assertThat(OperatorEvents.ticks(window, counts.ticks()))
        .singleElement()
        .asString()
        .contains("TIME_OUT_OF_RANGE", "window.max-ahead");
    assertThat(warnings()).hasSize(1);
    assertThat(RefusedTicks.without(counts.rejections(), counts.refusedTicks()))
        .containsEntry(RejectionCode.TIME_OUT_OF_RANGE, 1L);
    assertThat(words.news(counts.refusedTicks()).orElseThrow())
        .startsWith(
            "WARNING: 3 ticks were refused and advanced NO clock, 3 of them as TIME_OUT_OF_RANGE")
        .contains("sfumato tick FILE");
    assertThat(words.news(counts.refusedTicks())).as("said").isEmpty();
    for (int tick = 3; tick < 30; tick++) {
      counts.tickOutOfRange();
    }
    assertThat(words.news(counts.refusedTicks()).orElseThrow()).contains("30 ticks were");
  }

  @Test
  void shouldForgetRefusedTicksAfterAWhileAndTellOfThemAgain() {
    counts.rejected(RejectionCode.BAD_TICK);
    nanos.addAndGet(TickWatch.NEWS.toNanos());
    assertThat(OperatorEvents.ticks(window, counts.ticks())).hasSize(1);
    nanos.addAndGet(1);
    assertThat(OperatorEvents.ticks(window, counts.ticks())).isEmpty();
    counts.rejected(RejectionCode.BAD_TICK);
    assertThat(OperatorEvents.ticks(window, counts.ticks())).hasSize(1);
    assertThat(warnings()).hasSize(2);
  }

  @Test
  void shouldSayThatOnlyOtherBudgetsTickWhereTicksAloneCloseWindows() {
    counts.tickOfOtherBudget();
    counts.tickOfOtherBudget();
    assertThat(OperatorEvents.ticks(window, counts.ticks()))
        .singleElement()
        .asString()
        .contains("another budget", "sfumato tick-key");
    assertThat(warnings()).isEqualTo(OperatorEvents.ticks(window, counts.ticks()));
    counts.tickTaken(0, 0);
    counts.tickOfOtherBudget();
    assertThat(OperatorEvents.ticks(window, counts.ticks())).isEmpty();
    assertThat(warnings()).hasSize(1);
  }

  @Test
  void shouldNotMindOtherBudgetsTicksWhereRecordsCloseWindows() {
    WindowSpec records =
        Plans.valid(
                TICKED
                    .replace(", clock: ticks, begin: 2026-06-01", "")
                    .replace("subjects: [ann]\n", ""))
            .pipeline()
            .window();
    RunningCounts by = new RunningCounts(LifecycleLog.of(records), nanos::get);
    by.tickOfOtherBudget();
    assertThat(OperatorEvents.ticks(records, by.ticks())).isEmpty();
    assertThat(warnings()).isEmpty();
  }

  @Test
  void shouldCountTicksTakenAndPassedOver() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new PipelineMetrics(ticked, counts, age(), "tag").bindTo(registry);
    assertThat(registry.scrape())
        .contains("sfumato_ticks_total{outcome=\"taken\"} 0.0")
        .contains("sfumato_ticks_total{outcome=\"other_budget\"} 0.0")
        .contains("\nsfumato_tick_age_seconds 0.0")
        .contains("\nsfumato_tick_age_limit_seconds ")
        .contains("\nsfumato_clock_ahead_seconds 0.0");
    counts.tickTaken(0, 0);
    counts.tickOfOtherBudget();
    counts.tickOfOtherBudget();
    assertThat(registry.scrape())
        .contains("sfumato_ticks_total{outcome=\"taken\"} 1.0")
        .contains("sfumato_ticks_total{outcome=\"other_budget\"} 2.0");
  }
}
