// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.window;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The time zones of the JDK: of several names for the same clocks one. */
final class Zones {
  static final Instant FIRST = Instant.parse("1970-01-01T00:00:00Z");
  static final Instant LAST = Instant.parse("2100-01-01T00:00:00Z");

  private Zones() {}

  static List<ZoneId> all() {
    Set<ZoneRules> seen = new HashSet<>();
    return new TreeSet<>(ZoneId.getAvailableZoneIds())
        .stream().map(ZoneId::of).filter(zone -> seen.add(zone.getRules())).toList();
  }

  /** Every clock change of a zone between 1970 and 2100. */
  static List<ZoneOffsetTransition> changes(ZoneId zone) {
    List<ZoneOffsetTransition> changes = new ArrayList<>();
    ZoneRules rules = zone.getRules();
    for (ZoneOffsetTransition change = rules.nextTransition(FIRST);
        change != null && change.getInstant().isBefore(LAST);
        change = rules.nextTransition(change.getInstant())) {
      changes.add(change);
    }
    return changes;
  }

  static CalendarWindows windows(ZoneId zone, CalendarUnit unit) {
    boolean months = unit instanceof CalendarUnit.Months;
    return new CalendarWindows(
        zone.getId(), zone.getRules(), unit, LocalDate.of(1970, 1, months ? 1 : 5));
  }

  static CalendarWindows days(String zone) {
    return windows(ZoneId.of(zone), new CalendarUnit.Days(1));
  }

  static long millis(String instant) {
    return Instant.parse(instant).toEpochMilli();
  }
}
