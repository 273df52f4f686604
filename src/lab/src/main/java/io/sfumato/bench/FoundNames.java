// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.estimate.partitionselection.RunningNameBars;
import io.sfumato.schema.CountedName;
import io.sfumato.schema.NamesRelease;
import io.sfumato.serde.Outputs;
import io.sfumato.workload.NameCounting;
import io.sfumato.workload.NameReport;
import io.sfumato.workload.NameTruth;
import io.sfumato.workload.NameWorkload;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What a pipeline has published of names, as somebody downstream reads it. */
final class FoundNames {
  private final int windows;

  /** By name: after which window it was found. */
  private final Map<Integer, Integer> foundAfter = new HashMap<>();

  /** What the last window tells. */
  private final Map<Integer, NameCounting.Kept> last = new HashMap<>();

  private int lists;

  FoundNames(int windows) {
    this.windows = windows;
  }

  /** Reads everything that is committed, up to the last window's whole list. */
  static FoundNames read(Arena arena, String topic, int windows) {
    FoundNames found = new FoundNames(windows);
    try (Downstream outputs = new Downstream(arena, topic)) {
      while (found.lists < windows) {
        outputs.poll(record -> found.add((NamesRelease) Outputs.decodeAny(record.value())));
      }
    }
    return found;
  }

  /** Takes in one record of a window's list, in their order. */
  void add(NamesRelease release) {
    int window =
        (int) ((release.getWindowEnd().toEpochMilli() - NameStream.BEGIN) / Workload.WINDOW_MILLIS);
    for (CountedName each : release.getNames()) {
      int name = NameStream.name(each.getName());
      if (each.getFound()) {
        foundAfter.put(name, window);
      }
      if (window == windows) {
        last.put(
            name,
            new NameCounting.Kept(
                each.getCount(),
                new RunningNameBars.Interval(each.getLow(), each.getHigh()),
                foundAfter.get(name)));
      }
    }
    if (release.getPart() == release.getParts() - 1) {
      lists++;
    }
  }

  /** How far the last counts are off. */
  NameReport report(NameTruth truth) {
    NameReport report = new NameReport();
    for (int name = 0; name < NameWorkload.NAMES; name++) {
      report.add(
          truth.all(name), truth.counted(name), Optional.ofNullable(last.get(name)), windows / 2);
    }
    return report;
  }
}
