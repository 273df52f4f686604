// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client.export;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * One order of windows over all topics: a window is complete once every pipeline of every topic has
 * released all windows through its end. An empty topic says nothing of its pipeline, so it holds
 * back all windows until its first release, or until somebody says which pipeline it is of.
 */
final class OrderedWindows {
  /** The pipelines of each topic; none of one that is empty. */
  private final Map<String, Set<String>> pipelines = new LinkedHashMap<>();

  /** Through which window end each pipeline has released everything, if through any. */
  private final Map<String, Optional<Instant>> released = new HashMap<>();

  private final boolean holdsForEmpty;

  /**
   * @param holdsForEmpty whether an empty topic holds back windows; else it is passed over, since
   *     nobody waits for its releases
   */
  OrderedWindows(List<String> topics, boolean holdsForEmpty) {
    topics.forEach(topic -> pipelines.put(topic, new TreeSet<>()));
    this.holdsForEmpty = holdsForEmpty;
  }

  /** A topic has outputs of a pipeline. */
  void belongs(String topic, String pipeline) {
    pipelines.get(topic).add(pipeline);
    released.putIfAbsent(pipeline, Optional.empty());
  }

  /** A pipeline has released all windows that end by then. */
  void releasedThrough(String pipeline, Optional<Instant> end) {
    released.put(pipeline, end);
  }

  /** Whether nothing will come any more of a window or of those before it. */
  boolean isComplete(ExportWindow window) {
    return (!holdsForEmpty || empty().isEmpty())
        && released.keySet().stream().allMatch(pipeline -> isPast(pipeline, window));
  }

  private boolean isPast(String pipeline, ExportWindow window) {
    return released.get(pipeline).filter(end -> !window.end().isAfter(end)).isPresent();
  }

  /** Topics that may be of any pipeline. */
  List<String> empty() {
    return pipelines.entrySet().stream()
        .filter(topic -> topic.getValue().isEmpty())
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Pipelines that have not said yet that any window is complete. */
  List<String> silent() {
    return released.entrySet().stream()
        .filter(pipeline -> pipeline.getValue().isEmpty())
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  /**
   * What holds a window back that is complete in other topics: a sentence for people, without its
   * end; nothing where it is not complete in any, or in all.
   */
  Optional<String> heldBackBy(ExportWindow window) {
    List<String> behind = new ArrayList<>();
    boolean isElsewhereComplete = false;
    for (Map.Entry<String, Set<String>> topic : pipelines.entrySet()) {
      boolean isPast = topic.getValue().stream().allMatch(pipeline -> isPast(pipeline, window));
      if (topic.getValue().isEmpty()) {
        behind.addAll(holdsForEmpty ? List.of(words(topic.getKey())) : List.of());
      } else if (isPast) {
        isElsewhereComplete = true;
      } else {
        behind.add(words(topic.getKey(), topic.getValue()));
      }
    }
    return isElsewhereComplete && !behind.isEmpty()
        ? Optional.of(String.join("; ", behind))
        : Optional.empty();
  }

  private static String words(String empty) {
    return "topic '" + empty + "' has no release yet";
  }

  private static String words(String topic, Set<String> pipelines) {
    return "topic '%s' is behind (pipeline %s)"
        .formatted(
            topic,
            pipelines.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", ")));
  }
}
