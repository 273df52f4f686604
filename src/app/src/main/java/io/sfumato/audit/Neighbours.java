// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.accounting.Period;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.audit.AuditLog.Entry;
import io.sfumato.audit.AuditLog.Fact;
import io.sfumato.pipeline.Pipeline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/** Neighbours of a log, by the unit of the budget: worst cases first. */
final class Neighbours {
  /** Of this many windows every pattern is tried. */
  private static final int ALL_PATTERNS = 4;

  private final PrivacyUnit unit;
  private final Period period;
  private final RecordMaker records;
  private final String target;
  private final Random random;

  Neighbours(Pipeline pipeline, long seed) {
    this.unit = pipeline.budget().unit();
    this.period = pipeline.budget().period();
    this.records = new RecordMaker(pipeline);
    this.target = new MadeUpNames(pipeline).doer(Scenes.TARGET);
    this.random = new Random(seed);
  }

  /** Neighbours of a log, at most {@code most}. */
  List<Neighbour> of(AuditLog log, int most) {
    List<Neighbour> all =
        switch (unit) {
          case RECORD -> replaced(log);
          case USER -> absent(log);
          case DATASET -> others(log);
        };
    if (all.size() <= most) {
      return all;
    }
    // The worst first, the rest by chance.
    List<Neighbour> kept = new ArrayList<>(all.subList(0, (most + 1) / 2));
    List<Neighbour> rest = new ArrayList<>(all.subList((most + 1) / 2, all.size()));
    Collections.shuffle(rest, random);
    kept.addAll(rest.subList(0, most - kept.size()));
    return kept;
  }

  /** One user's records, of one window or of patterns of a period's windows, or none. */
  private List<Neighbour> absent(AuditLog log) {
    List<Neighbour> all = new ArrayList<>();
    for (String who : people(log)) {
      // Of spans with windows of both versions the whole ones first, and then their parts.
      TreeMap<Integer, List<Neighbour>> byPlace = new TreeMap<>();
      for (List<Long> windows : windowsByPeriod(log, who)) {
        boolean both = !parts(windows, log).isEmpty();
        int place = 0;
        for (Set<Long> pattern : patterns(windows, log)) {
          BiPredicate<Integer, Fact> hers = (i, fact) -> fact.who().equals(who);
          BiPredicate<Integer, Fact> inPeriod =
              hers.and((i, fact) -> windows.contains(fact.windowStart()));
          AuditLog first =
              log.blanked(inPeriod.and((i, fact) -> !pattern.contains(fact.windowStart())));
          byPlace
              .computeIfAbsent(both ? place++ : Integer.MAX_VALUE, at -> new ArrayList<>())
              .add(
                  new Neighbour(
                      "all records of user %s are removed, in %s".formatted(who, shown(pattern)),
                      first,
                      log.blanked(inPeriod)));
        }
      }
      byPlace.values().forEach(all::addAll);
    }
    return all;
  }

  /** The target first; nobody who does nothing. */
  private List<String> people(AuditLog log) {
    Set<String> people = new TreeSet<>();
    log.entries().forEach(entry -> entry.fact().ifPresent(fact -> people.add(fact.who())));
    List<String> ordered = new ArrayList<>(people);
    ordered.sort((x, y) -> Boolean.compare(!x.equals(target), !y.equals(target)));
    return ordered;
  }

  /**
   * Windows with records of somebody, by the period of the ledger: each alone if that is one. Spans
   * overlap: there is one from each of the windows on.
   */
  private List<List<Long>> windowsByPeriod(AuditLog log, String who) {
    TreeMap<Long, TreeSet<Long>> periods = byPeriod(log, who);
    return periods.keySet().stream()
        .<List<Long>>map(
            first ->
                periods.subMap(first, true, period.lastWith(first), true).values().stream()
                    .flatMap(Set::stream)
                    .toList())
        .sorted(Comparator.comparing(windows -> parts(windows, log).isEmpty()))
        .toList();
  }

  /** Windows of the former version, and those of the next one; nothing unless there are both. */
  private static List<Set<Long>> parts(List<Long> windows, AuditLog log) {
    if (log.takeover().isEmpty()) {
      return List.of();
    }
    TreeSet<Long> all = new TreeSet<>(windows);
    long from = log.takeover().get().from();
    return all.isEmpty() || all.first() >= from || all.last() < from
        ? List.of()
        : List.of(all.headSet(from), all.tailSet(from));
  }

  private TreeMap<Long, TreeSet<Long>> byPeriod(AuditLog log, String who) {
    TreeMap<Long, TreeSet<Long>> periods = new TreeMap<>();
    for (Entry entry : log.entries()) {
      entry
          .fact()
          .filter(fact -> fact.who().equals(who))
          .ifPresent(
              fact ->
                  periods
                      .computeIfAbsent(period.indexOf(fact.windowStart()), p -> new TreeSet<>())
                      .add(fact.windowStart()));
    }
    return periods;
  }

  /** All windows, the first ones, single ones; every pattern of a few. */
  private List<Set<Long>> patterns(List<Long> windows, AuditLog log) {
    Set<Set<Long>> patterns = new LinkedHashSet<>();
    patterns.add(new TreeSet<>(windows));
    patterns.addAll(parts(windows, log));
    int count = windows.size();
    if (count <= ALL_PATTERNS) {
      for (int bits = 1; bits < 1 << count; bits++) {
        int chosen = bits;
        patterns.add(
            windows.stream()
                .filter(w -> (chosen >> windows.indexOf(w) & 1) == 1)
                .collect(Collectors.toCollection(TreeSet::new)));
      }
    } else {
      for (int first = Integer.highestOneBit(count); first > 0; first /= 2) {
        patterns.add(new TreeSet<>(windows.subList(0, first)));
      }
      patterns.add(new TreeSet<>(windows.subList(count - 1, count)));
      for (int i = 0; i < ALL_PATTERNS; i++) {
        Set<Long> some =
            windows.stream()
                .filter(w -> random.nextBoolean())
                .collect(Collectors.toCollection(TreeSet::new));
        if (!some.isEmpty()) {
          patterns.add(some);
        }
      }
    }
    return new ArrayList<>(patterns);
  }

  private static String shown(Set<Long> windows) {
    return windows.size() > ALL_PATTERNS
        ? windows.size() + " windows"
        : windows.stream()
            .map(start -> Instant.ofEpochMilli(start).toString())
            .collect(Collectors.joining(", "));
  }

  /** One record's contents, in one window or in every window of a period. */
  private List<Neighbour> replaced(AuditLog log) {
    List<Neighbour> all = new ArrayList<>();
    for (String who : people(log)) {
      for (List<Long> windows : windowsByPeriod(log, who)) {
        Set<Integer> oneEach = new TreeSet<>();
        for (long start : windows) {
          List<Integer> places =
              log.places(
                  (i, fact) ->
                      fact.valid() && fact.who().equals(who) && fact.windowStart() == start);
          if (!places.isEmpty()) {
            int place = places.get(random.nextInt(places.size()));
            oneEach.add(place);
            all.add(
                replaced(log, Set.of(place), who, "one record of " + Instant.ofEpochMilli(start)));
          }
        }
        if (oneEach.size() > 1) {
          all.add(
              replaced(
                  log, oneEach, who, "one record of each of %d windows".formatted(oneEach.size())));
        }
      }
    }
    return all;
  }

  private Neighbour replaced(AuditLog log, Set<Integer> places, String who, String what) {
    return new Neighbour(
        "%s of %s has other contents".formatted(what, who),
        log,
        log.changed(
            (i, fact) -> places.contains(i),
            entry -> {
              Fact fact = entry.fact().orElseThrow();
              int moved = 1 + random.nextInt(records.kinds() - 1);
              int other = (fact.kind() + moved) % records.kinds();
              return entry.withValue(records.value(fact.who(), fact.subject(), fact.time(), other));
            }));
  }

  /** Any two datasets: none, all, or those of one half only. */
  private List<Neighbour> others(AuditLog log) {
    List<Neighbour> all = new ArrayList<>();
    for (String who : people(log)) {
      for (List<Long> windows : windowsByPeriod(log, who)) {
        for (Set<Long> pattern : patterns(windows, log)) {
          BiPredicate<Integer, Fact> of =
              (i, fact) -> fact.who().equals(who) && pattern.contains(fact.windowStart());
          String where = "of %s in %s".formatted(who, shown(pattern));
          all.add(new Neighbour("all records " + where + " are removed", log, log.blanked(of)));
          all.add(
              new Neighbour(
                  "records " + where + " of one category, or of all others",
                  log.blanked(of.and((i, fact) -> fact.kind() == 0)),
                  log.blanked(of.and((i, fact) -> fact.kind() != 0))));
        }
      }
    }
    return all;
  }
}
