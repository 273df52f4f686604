// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What is wrong with a file, in three ranks, of which the first that holds anything is told alone:
 * unknown fields, since what was meant by them looks missing; fields that cannot be read; fields
 * that do not fit each other, since what could not be read had a stand-in.
 */
public final class Problems {
  private final Set<String> unknown = new LinkedHashSet<>();
  private final Set<String> unreadable = new LinkedHashSet<>();
  private final Set<String> conflicts = new LinkedHashSet<>();

  /** Tells of a field that nobody knows. */
  public void unknown(String problem) {
    unknown.add(problem);
  }

  /** Tells of a field that cannot be read. */
  public void unreadable(String problem) {
    unreadable.add(problem);
  }

  /** Tells of fields that do not fit each other. */
  public void conflict(String problem) {
    conflicts.add(problem);
  }

  /** How many fields could not be read so far. */
  public int unreadable() {
    return unreadable.size();
  }

  /** What to tell, in the order found; empty if nothing is wrong. */
  public List<String> toReport() {
    if (!unknown.isEmpty()) {
      return List.copyOf(unknown);
    }
    return List.copyOf(unreadable.isEmpty() ? conflicts : unreadable);
  }
}
