package io.sfumato.ops;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
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
    Meter.Id named =
        id.getName().endsWith(COUNT) && id.getType() == Meter.Type.GAUGE
            ? id.withName(id.getName().substring(0, id.getName().length() - COUNT.length()) + "s")
            : id;
    return described
        ? named
        : new Meter.Id(
            named.getName(),
            Tags.of(named.getTags()),
            named.getBaseUnit(),
            "As Kafka's documentation of " + named.getName().replace('.', '-') + " says",
            named.getType());
  }
}
