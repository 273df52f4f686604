// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.core.instrument.config.NamingConvention;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import io.sfumato.ops.http.HttpSettings;
import java.util.regex.Pattern;

/**
 * Fits foreign metrics to Prometheus' conventions, as {@code promtool check metrics} has them: no
 * count that is no counter, no times in other units than seconds, a help text for each. Leaves out
 * Kafka's metrics whose number grows with partitions, unless they were asked for: with 64
 * partitions there are more than 30,000.
 */
final class Conventions implements MeterFilter {
  /** Times in nano- and milliseconds; all that matter exist as rates too. */
  private static final Pattern OTHER_UNITS =
      Pattern.compile("(kafka\\..*\\.(ns|ms)(\\..*)?|process\\.cpu\\.time)");

  private static final String COUNT = ".count";

  /** Labels of what a client has many of: tasks, nodes of a topology, stores, topics, brokers. */
  private static final Pattern OF_PARTS =
      Pattern.compile(
          "task\\.id|(processor\\.)?node\\.id|.*\\.state\\.id|record\\.cache\\.id|topic|partition");

  private final HttpSettings.KafkaMetrics wanted;

  Conventions(HttpSettings.KafkaMetrics wanted) {
    this.wanted = wanted;
  }

  @Override
  public MeterFilterReply accept(Meter.Id id) {
    return OTHER_UNITS.matcher(id.getName()).matches() || isOfPart(id) && !isWanted()
        ? MeterFilterReply.DENY
        : MeterFilterReply.NEUTRAL;
  }

  private boolean isWanted() {
    return wanted == HttpSettings.KafkaMetrics.ALL;
  }

  private static boolean isOfPart(Meter.Id id) {
    return id.getName().startsWith("kafka.")
        && id.getTags().stream().anyMatch(tag -> OF_PARTS.matcher(tag.getKey()).matches());
  }

  @Override
  public Meter.Id map(Meter.Id id) {
    boolean described = id.getDescription() != null && !id.getDescription().isBlank();
    return described
        ? id
        : new Meter.Id(
            id.getName(),
            Tags.of(id.getTags()),
            id.getBaseUnit(),
            "As Kafka's documentation of " + id.getName().replace('.', '-') + " says",
            id.getType());
  }

  /**
   * Names as Prometheus shows them. Not the names that meters have: by those who binds Kafka's
   * metrics knows them again when partitions come and go, and would bind them twice.
   */
  static NamingConvention names() {
    return new PrometheusNamingConvention() {
      @Override
      public String name(String name, Meter.Type type, String baseUnit) {
        boolean count = name.endsWith(COUNT) && type == Meter.Type.GAUGE;
        return super.name(
            count ? name.substring(0, name.length() - COUNT.length()) + "s" : name, type, baseUnit);
      }
    };
  }
}
