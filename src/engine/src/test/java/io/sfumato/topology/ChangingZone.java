// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * A zone whose data a test may change, as an update of the JDK does: the clocks of Berlin, up to a
 * time from which on they never change again.
 */
public final class ChangingZone extends ZoneRulesProvider {
  /** Its name in pipeline files. */
  public static final String NAME = "Test/Changing";

  /** In which clocks change for the first time, where nobody says otherwise. */
  public static final int USUAL_YEAR = 1981;

  private static volatile int firstYear = USUAL_YEAR;

  private static volatile ZoneRules rules = ZoneOffset.ofHours(1).getRules();

  static {
    ZoneRulesProvider.registerProvider(new ChangingZone());
  }

  private ChangingZone() {}

  /** Of what {@link #changesUntil} is asked from now on, clocks change first in a year. */
  public static void changesSince(int year) {
    firstYear = year;
  }

  /** Every file that is read from now on has clocks that change last before a time. */
  public static void changesUntil(String time) {
    Instant end = Instant.parse(time);
    List<ZoneOffsetTransition> changes = new ArrayList<>();
    ZoneRules berlin = ZoneId.of("Europe/Berlin").getRules();
    Instant begin = Instant.parse(firstYear + "-01-01T00:00:00Z");
    for (ZoneOffsetTransition change = berlin.nextTransition(begin);
        change.getInstant().isBefore(end);
        change = berlin.nextTransition(change.getInstant())) {
      changes.add(change);
    }
    ZoneOffset winter = ZoneOffset.ofHours(1);
    rules = ZoneRules.of(winter, winter, List.of(), changes, List.of());
  }

  @Override
  protected Set<String> provideZoneIds() {
    return Set.of(NAME);
  }

  /** Nothing to be cached: it changes. */
  @Override
  protected ZoneRules provideRules(String zone, boolean forCaching) {
    return forCaching ? null : rules;
  }

  @Override
  protected NavigableMap<String, ZoneRules> provideVersions(String zone) {
    return new TreeMap<>(Map.of("now", rules));
  }
}
