// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.core.instrument.config.NamingConvention;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import java.util.regex.Pattern;

/**
 * Fits foreign metrics to Prometheus' conventions, as {@code promtool check metrics} has them: no
 * count that is no counter, no times in other units than seconds, a help text for each.
 */
final class Conventions implements MeterFilter {
  /** Times in nano- and milliseconds; all that matter exist as rates too. */
  private static final Pattern OTHER_UNITS =
      Pattern.compile("(kafka\\..*\\.(ns|ms)(\\..*)?|process\\.cpu\\.time)");

  private static final String COUNT = ".count";

  @Override
  public MeterFilterReply accept(Meter.Id id) {
    return OTHER_UNITS.matcher(id.getName()).matches()
        ? MeterFilterReply.DENY
        : MeterFilterReply.NEUTRAL;
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
