// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Releases that failed in this process, by the keyed tag of their ids. Their partitions stop in
 * front of them until an operator skips them; the journal is read on. A new process tries again.
 */
public final class HeldReleases {
  private final Set<String> held = ConcurrentHashMap.newKeySet();

  /** Nothing has failed: the usual case, in which nobody computes tags. */
  public boolean isEmpty() {
    return held.isEmpty();
  }

  /** Whether the release of a tag has failed. */
  public boolean contains(String tag) {
    return held.contains(tag);
  }

  /** An operator skips it: nobody stops in front of it any more. */
  public void release(String tag) {
    held.remove(tag);
  }

  /** How many there are. */
  public int size() {
    return held.size();
  }

  /** Tag of a release that waits for an operator, if one does. */
  public Optional<String> first() {
    return held.stream().findFirst();
  }

  /** Holds what failed. */
  public void add(ReleaseFailedException failed) {
    held.add(failed.tag());
  }
}
