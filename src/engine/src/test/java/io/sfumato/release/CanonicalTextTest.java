// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.BudgetShare;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.Period;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.abc.SparseVectorPlan;
import io.sfumato.pipeline.AccountSpec;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.CanonicalText;
import io.sfumato.pipeline.ExampleUsers;
import io.sfumato.pipeline.FeatureSpec;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.OutputFormat;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.SpanCalendar;
import io.sfumato.pipeline.SpanShare;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.abc.AbcSpec;
import io.sfumato.release.histogram.HistogramSpec.Output;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The texts that live states were made with, letter by letter. */
class CanonicalTextTest {
  @Test
  void shouldWriteFilesAsEver() {
    assertThat(
            CanonicalText.of(
                new InputSpec(
                    "diary",
                    InputSpec.Format.JSON,
                    "patient",
                    "at",
                    Optional.of("code"),
                    List.of("33", "34"),
                    Optional.of("other"),
                    List.of("lat", "lon"),
                    1000)))
        .isEqualTo(
            "InputSpec[topic=diary, format=JSON, subject=patient, time=at, category=Optional[code],"
                + " categories=[33, 34], other=Optional[other], values=[lat, lon], maxBytes=1000]");
    assertThat(
            CanonicalText.of(
                new InputSpec(
                    "t",
                    InputSpec.Format.AVRO,
                    "$key",
                    "at",
                    Optional.empty(),
                    List.of(),
                    Optional.empty(),
                    List.of("x"),
                    100)))
        .isEqualTo(
            "InputSpec[topic=t, format=AVRO, subject=$key, time=at, category=Optional.empty,"
                + " categories=[], other=Optional.empty, values=[x], maxBytes=100]");
    assertThat(CanonicalText.of(new FeatureSpec(100, 0.6, "sfumato")))
        .isEqualTo("FeatureSpec[count=100, bandwidth=0.6, seed=sfumato]");
    assertThat(
            CanonicalText.of(
                new Population(
                    "who",
                    4,
                    2,
                    OptionalInt.of(10),
                    Optional.of(new ExampleUsers(List.of(1, 40))),
                    OptionalInt.of(100),
                    OptionalInt.of(1),
                    OptionalInt.of(32),
                    OptionalInt.of(3))))
        .isEqualTo(
            "Population[user=who, records=4, subjects=2, leftOut=10, example=1,40, items=100, perName=1, perPeriod=32, cells=3]");
  }

  @Test
  void shouldWriteWindowsAsEver() {
    WindowSpec window =
        new WindowSpec(
            Duration.ofDays(7),
            Duration.ofHours(1),
            WindowSpec.MONDAY,
            WindowSpec.Clock.TICKS,
            OptionalLong.of(0),
            400,
            Duration.ofDays(1),
            WindowSpec.Ticks.EXTERNAL,
            Duration.ofDays(2));
    assertThat(CanonicalText.of(window))
        .isEqualTo(
            "WindowSpec[size=PT168H, grace=PT1H, origin=345600000, clock=TICKS, maxJump=400,"
                + " ahead=PT24H, maxAhead=PT48H]");
    assertThat(CanonicalText.of(WindowSpec.Clock.RECORDS)).isEqualTo("RECORDS");
    assertThat(Arrays.stream(WindowSpec.Clock.values()).map(WindowSpec.Clock::word))
        .containsExactly("records", "ticks");
    assertThat(Arrays.stream(Pipeline.Subjects.values()).map(CanonicalText::of))
        .containsExactly("OBSERVED", "ROSTER", "LISTED", "DISCOVERED");
    assertThat(Arrays.stream(OutputFormat.values()).map(CanonicalText::of))
        .containsExactly("AVRO", "REGISTERED", "JSON");
  }

  @Test
  void shouldWriteBudgetsAsEver() {
    BudgetSpec budget =
        new BudgetSpec(
            "diary",
            PrivacyUnit.RECORD,
            Epsilon.of("4"),
            Delta.of("1e-6"),
            new Period.Window(),
            Optional.empty());
    assertThat(CanonicalText.of(budget))
        .isEqualTo(
            "BudgetSpec[name=diary, unit=RECORD, epsilon=4, delta=0.000001, period=Window[],"
                + " account=Optional.empty]");
    AccountSpec account = new AccountSpec("all", Epsilon.of("8"), Delta.of("1e-5"));
    assertThat(
            CanonicalText.of(
                new BudgetSpec(
                    "b",
                    PrivacyUnit.USER,
                    Epsilon.of("0.5"),
                    Delta.of("0"),
                    new Period.Fixed(Duration.ofDays(30)),
                    Optional.of(account))))
        .isEqualTo(
            "BudgetSpec[name=b, unit=USER, epsilon=0.5, delta=0, period=Fixed[length=PT720H],"
                + " account=Optional[AccountSpec[name=all, epsilon=8, delta=0.00001]]]");
    assertThat(new Period.Lifetime().canonical()).isEqualTo("Lifetime[]");
    Duration month = Duration.ofDays(30);
    assertThat(new Period.Any(month, OptionalInt.empty()).canonical())
        .isEqualTo("Any[length=PT720H]");
    assertThat(new Period.Any(month, OptionalInt.of(5)).canonical())
        .isEqualTo("Any[length=PT720H, pace=5]");
    assertThat(Arrays.stream(PrivacyUnit.values()).map(PrivacyUnit::canonical))
        .containsExactly("RECORD", "USER", "DATASET");
    assertThat(Arrays.stream(PrivacyUnit.values()).map(PrivacyUnit::word))
        .containsExactly("record", "user", "dataset");
  }

  @Test
  void shouldWriteSharesAsEver() {
    assertThat(
            new BudgetShare(
                    "mix",
                    Epsilon.of("2.5"),
                    Delta.of("5e-7"),
                    new PrivacyFilter.RenyiFilter(5, 123_456_789L))
                .canonical())
        .isEqualTo(
            "Share[name=mix, epsilon=2.5, delta=5E-7, counting=AtOrder[order=5.0, cap=123456789]]");
    assertThat(new PrivacyFilter.PureDpFilter(7).canonical()).isEqualTo("PureSum[cap=7]");
    assertThat(new PrivacyFilter.FixedCountFilter("laplace scale=3", 52).canonical())
        .isEqualTo("AtMost[mechanism=laplace scale=3, cap=52]");
  }

  /** Granted shares are kept with these: whatever differs is another share. */
  @Test
  void shouldWriteWhatKeepsSharesWithinSpansAsEver() {
    Duration day = Duration.ofDays(1);
    long begin = Instant.parse("2026-01-05T06:00:00Z").toEpochMilli();
    SpanCalendar every = new SpanCalendar(30, 30, begin, day);
    SpanCalendar paced = new SpanCalendar(30, 5, begin, day);
    assertThat(new SpanShare(every, SpanShare.Rule.EVERY_DUE).canonical())
        .isEqualTo("EveryWindow[size=PT24H, origin=PT6H]");
    assertThat(new SpanShare(paced, SpanShare.Rule.EVERY_DUE).canonical())
        .isEqualTo("EveryDue[windows=30, pace=5, from=2026-01-05T06:00:00Z, size=PT24H]");
    assertThat(new SpanShare(every, SpanShare.Rule.FIRST).canonical())
        .isEqualTo("First[windows=30, pace=30, from=2026-01-05T06:00:00Z, size=PT24H]");
    assertThat(new SpanShare(paced, SpanShare.Rule.LEDGER).canonical())
        .isEqualTo("Spans[size=PT24H, origin=PT6H]");
  }

  @Test
  void shouldWriteReleasesAsEver() {
    assertThat(new Output.Probabilities().canonical()).isEqualTo("Probabilities[]");
    assertThat(new Output.Counts(40).canonical()).isEqualTo("Counts[items=40]");
    assertThat(new AbcSpec.Waiting(1000, 4_000_000, Duration.ofDays(30)).canonical())
        .isEqualTo("Waiting[entries=1000, bytes=4000000, time=PT720H]");
    assertThat(
            Arrays.stream(SparseVectorPlan.Threshold.values())
                .map(SparseVectorPlan.Threshold::word))
        .containsExactly("redrawn", "kept");
  }
}
