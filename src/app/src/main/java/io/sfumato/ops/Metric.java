// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Every metric of this program's own: the one place that registers them, and what
 * docs/reference/metrics.md prints. Names and labels are public; dashboards and alerts ask for
 * them.
 */
public enum Metric {
  PIPELINE_INFO(
      Meter.Type.GAUGE,
      "sfumato.pipeline.info",
      Unit.NONE,
      "The pipeline that the instance runs; always 1.",
      Label.PIPELINE,
      Label.VERSION,
      Label.BUDGET,
      Label.NOISE_KEY),
  WINDOW_SIZE(
      Meter.Type.GAUGE,
      "sfumato.window.size.seconds",
      Unit.SECONDS,
      "Length of a window; of the longest one, where windows follow a time zone's calendar."),
  RECORDS(
      Meter.Type.COUNTER,
      "sfumato.records",
      Unit.RECORDS,
      "Records read, by outcome. Refused ticks count too, with their code.",
      Label.OUTCOME),
  TICKS(
      Meter.Type.COUNTER,
      "sfumato.ticks",
      Unit.TICKS,
      "Ticks that moved a watermark, were for another budget, or had a time out of range.",
      Label.OUTCOME),
  RECORDS_UNENROLLED(
      Meter.Type.COUNTER,
      "sfumato.records.unenrolled",
      Unit.RECORDS,
      "Accepted records that were dropped when their window closed, because their subject is not"
          + " enrolled in it."),
  RELEASES(
      Meter.Type.COUNTER,
      "sfumato.releases",
      Unit.RELEASES,
      "Releases drawn and charged.",
      Label.OUTPUT),
  REFUSALS(
      Meter.Type.COUNTER,
      "sfumato.refusals",
      Unit.REFUSALS,
      "Refusals published.",
      Label.OUTPUT,
      Label.CODE),
  SILENCES(
      Meter.Type.COUNTER,
      "sfumato.silences",
      Unit.WINDOWS,
      "Windows of subjects whose budget is exhausted, without a refusal.",
      Label.OUTPUT),
  CHARGES(
      Meter.Type.COUNTER,
      "sfumato.charges",
      Unit.CHARGES,
      "Charges to the ledgers of subjects. Always 0 in user pipelines, which charge users.",
      Label.SHARE,
      Label.MECHANISM,
      Label.OUTPUT),
  QUERY_CANDIDATES(
      Meter.Type.COUNTER,
      "sfumato.query.candidates",
      Unit.CANDIDATES,
      "Candidates of accepted queries. Their answers count as releases.",
      Label.OUTPUT),
  LEARNER_FAILURES(
      Meter.Type.COUNTER,
      "sfumato.learner.failures",
      Unit.LEARNERS,
      "Weak learners that failed while densities were fitted.",
      Label.OUTPUT),
  WINDOWS_CLOSED(
      Meter.Type.COUNTER,
      "sfumato.windows.closed",
      Unit.WINDOWS,
      "Windows released since the partition was assigned to the instance, including empty ones.",
      Label.PARTITION),
  CLOSE_LAG(
      Meter.Type.GAUGE,
      "sfumato.close.lag.seconds",
      Unit.SECONDS,
      "Event time by which releases are behind the most advanced source partition. Under 'clock:"
          + " ticks' also behind the wall clock, so it is large after history was read.",
      Label.PARTITION),
  RELEASED_THROUGH(
      Meter.Type.GAUGE,
      "sfumato.released.through.timestamp.seconds",
      Unit.SECONDS_SINCE_1970,
      "Window end up to which every subject is released; 0 before the first. If the partition waits"
          + " for the next version: start of that version's first window.",
      Label.PARTITION),
  HELD_BACK(
      Meter.Type.GAUGE,
      "sfumato.held.back.by.source.partition",
      Unit.PARTITION_NUMBER,
      "Source partition that the next window waits for; -1 if none.",
      Label.PARTITION),
  TICK_AGE(
      Meter.Type.GAUGE,
      "sfumato.tick.age.seconds",
      Unit.SECONDS,
      "Time since the last tick that moved a watermark, of the source partition that has waited"
          + " longest; 0 if the instance reads none. Exported under 'clock: ticks' only."),
  TICK_AGE_LIMIT(
      Meter.Type.GAUGE,
      "sfumato.tick.age.limit.seconds",
      Unit.SECONDS,
      "Largest age of a tick at which the instance is ready: a window and five seconds. Exported"
          + " under 'clock: ticks' only."),
  CLOCK_AHEAD(
      Meter.Type.GAUGE,
      "sfumato.clock.ahead.seconds",
      Unit.SECONDS,
      "How far the clock of an instance that ticks is ahead of a broker's (negative: behind); 0 if"
          + " the difference is at most a minute. Exported under 'clock: ticks' only."),
  BUDGET_SPENT(
      Meter.Type.GAUGE,
      "sfumato.budget.spent.subjects.ratio",
      Unit.FRACTION,
      "Fraction of this instance's subjects that have spent at least so much of a share; in tenths"
          + " if there are fewer than 1,000.",
      Label.SHARE,
      Label.AT_LEAST),
  BUDGET_LEFT(
      Meter.Type.GAUGE,
      "sfumato.budget.releases.left",
      Unit.RELEASES,
      "Half of this instance's subjects have at most this many releases, or queries, left: 0, 1, 2,"
          + " 5, 10, 20, 50, ...",
      Label.SHARE),
  CLIENT_STATE(
      Meter.Type.GAUGE,
      "sfumato.client.state",
      Unit.NONE,
      "1 for the state that the Kafka Streams client is in, 0 for all others.",
      Label.STATE),
  READY(Meter.Type.GAUGE, "sfumato.ready", Unit.NONE, "1 if '/readyz' answers 200, 0 otherwise."),
  ADVANCING(
      Meter.Type.GAUGE,
      "sfumato.advancing",
      Unit.NONE,
      "0 while records wait and none is processed, 1 otherwise."),
  BROKERS(
      Meter.Type.GAUGE,
      "sfumato.brokers",
      Unit.BROKERS,
      "Brokers that the cluster names; 0 while it does not answer."),
  UNSAFE_TOPIC_SETTINGS(
      Meter.Type.GAUGE,
      "sfumato.unsafe.topic.settings",
      Unit.SETTINGS,
      "Settings of the pipeline's own topics that may lose state or entries. The log names them."),
  HELD_RELEASES(
      Meter.Type.GAUGE,
      "sfumato.held.releases",
      Unit.RELEASES,
      "Releases that failed in this instance. Each holds its partition back until an operator skips"
          + " it or the instance is restarted."),
  HANGING_TRANSACTIONS(
      Meter.Type.GAUGE,
      "sfumato.hanging.transactions",
      Unit.PARTITIONS,
      "Partitions of the pipeline's own topics in which a transaction hangs. The log names them."),
  EXIT_CODE(
      Meter.Type.GAUGE,
      "sfumato.exit.code",
      Unit.NONE,
      "Exit code with which the pipeline ended while other pipelines of its process continue; 0"
          + " while it runs."),
  PAGE_CLIENTS(Meter.Type.GAUGE, "sfumato.page.clients", Unit.PAGES, "Open status pages.");

  /** What values are numbers of. */
  enum Unit {
    NONE(""),
    SECONDS("seconds"),
    SECONDS_SINCE_1970("seconds since 1970"),
    FRACTION("fraction, 0 to 1"),
    RECORDS("records"),
    TICKS("ticks"),
    RELEASES("releases"),
    REFUSALS("refusals"),
    WINDOWS("windows"),
    CHARGES("charges"),
    CANDIDATES("candidates"),
    LEARNERS("learners"),
    PARTITION_NUMBER("number of a partition"),
    PARTITIONS("partitions"),
    BROKERS("brokers"),
    SETTINGS("settings"),
    PAGES("pages");

    private final String words;

    Unit(String words) {
      this.words = words;
    }
  }

  /** What tells series of one metric apart. No label ever holds a subject. */
  public enum Label {
    PIPELINE("pipeline", "Name of the pipeline."),
    VERSION("version", "Version of the pipeline file."),
    BUDGET("budget", "Name of the budget."),
    NOISE_KEY("noise_key", "Fingerprint of the noise key; it reveals nothing of the key."),
    OUTCOME(
        "outcome",
        "Of records: 'accepted', 'unselected' (passed over by input.where, or a tombstone), or the"
            + " code of the refusal in lower case. Of ticks: 'taken', 'other_budget' or"
            + " 'time_out_of_range'."),
    OUTPUT("output", "Name of the output in the pipeline file."),
    CODE("code", "Code of the refusal in lower case."),
    SHARE("share", "Name of the share's ledger."),
    MECHANISM("mechanism", "Mechanism with its parameters."),
    PARTITION("partition", "Journal partition whose windows the instance releases."),
    AT_LEAST("at_least", "Part of the share: 0.5, 0.8 or 1.0."),
    STATE("state", "State of the Kafka Streams client in lower case, such as 'running'.");

    private final String key;
    private final String meaning;

    Label(String key, String meaning) {
      this.key = key;
      this.meaning = meaning;
    }

    /** As series carry it. */
    public String key() {
      return key;
    }

    /** Its values. */
    public String meaning() {
      return meaning;
    }
  }

  private final Meter.Type type;
  private final String meter;
  private final Unit unit;
  private final String meaning;
  private final List<Label> labels;

  Metric(Meter.Type type, String meter, Unit unit, String meaning, Label... labels) {
    this.type = type;
    this.meter = meter;
    this.unit = unit;
    this.meaning = meaning;
    this.labels = List.of(labels);
  }

  /** The name under which Prometheus reads it. */
  public String exported() {
    return meter.replace('.', '_') + (type == Meter.Type.COUNTER ? "_total" : "");
  }

  /** The name that it has within the program. */
  String meter() {
    return meter;
  }

  /** Counter or gauge, in lower case. */
  public String kind() {
    return type == Meter.Type.COUNTER ? "counter" : "gauge";
  }

  /** What values are numbers of; empty for a yes or no. */
  public String unit() {
    return unit.words;
  }

  /** What a value says. */
  public String meaning() {
    return meaning;
  }

  /** What series of it are told apart by. */
  public List<Label> labels() {
    return labels;
  }

  /** Registers a series whose value may fall. */
  <T> Gauge gauge(MeterRegistry registry, Tags tags, T of, ToDoubleFunction<T> value) {
    check(Meter.Type.GAUGE, tags);
    return Gauge.builder(meter, of, value).description(meaning).tags(tags).register(registry);
  }

  /** Registers a series whose value only grows. */
  <T> FunctionCounter counter(MeterRegistry registry, Tags tags, T of, ToDoubleFunction<T> value) {
    check(Meter.Type.COUNTER, tags);
    return FunctionCounter.builder(meter, of, value)
        .description(meaning)
        .tags(tags)
        .register(registry);
  }

  private void check(Meter.Type registered, Tags tags) {
    Set<String> declared = labels.stream().map(Label::key).collect(Collectors.toSet());
    Set<String> given =
        tags.stream().map(Tag::getKey).collect(Collectors.toCollection(TreeSet::new));
    if (registered != type || !declared.equals(given)) {
      throw new IllegalArgumentException(
          "%s is a %s with the labels %s, not a %s with %s"
              .formatted(this, type, declared, registered, given));
    }
  }
}
