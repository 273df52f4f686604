// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.release.count.NextBound;
import io.sfumato.schema.CountRelease;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.avro.generic.IndexedRecord;

/**
 * Published numbers of users beyond bounds, of the last windows of each output. Numbers that were
 * released under another version of the file are about other bounds, and left out.
 */
public final class UsersBeyond {
  private final int version;
  private final int last;
  private final Map<String, TreeMap<Instant, Map<String, Long>>> outputs = new HashMap<>();

  /**
   * @param version of the pipeline file
   * @param last so many windows, at least 1
   */
  public UsersBeyond(int version, int last) {
    this.version = version;
    this.last = last;
  }

  /** An output was read. */
  public void add(IndexedRecord output) {
    if (output instanceof CountRelease release
        && release.getGuarantee().getPipelineVersion() == version) {
      TreeMap<Instant, Map<String, Long>> windows =
          outputs.computeIfAbsent(release.getOutput(), name -> new TreeMap<>());
      windows
          .computeIfAbsent(release.getWindowStart(), start -> new HashMap<>())
          .put(release.getSubject(), release.getCounts().get(0));
      if (windows.size() > last) {
        windows.pollFirstEntry();
      }
    }
  }

  /** How many windows of an output were read. */
  public int windows(String output) {
    return outputs.getOrDefault(output, new TreeMap<>()).size();
  }

  /** How many numbers of an output were read. */
  public long numbers(String output) {
    return counts(output).size();
  }

  /** Users of a subject and window who are beyond the bound of an output; empty where unknown. */
  public OptionalDouble mean(String output) {
    return counts(output).stream().mapToLong(Long::longValue).average();
  }

  /** The means of all outputs of which there are numbers, by their bounds. */
  public SortedMap<Integer, Double> means(List<NextBound.Threshold> thresholds) {
    SortedMap<Integer, Double> means = new TreeMap<>();
    thresholds.forEach(
        threshold ->
            mean(threshold.output()).ifPresent(mean -> means.put(threshold.records(), mean)));
    return means;
  }

  private List<Long> counts(String output) {
    return outputs.getOrDefault(output, new TreeMap<>()).values().stream()
        .flatMap(subjects -> subjects.values().stream())
        .toList();
  }
}
