// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.release.Plan;
import io.sfumato.topology.roster.Roster;
import io.sfumato.topology.store.Scan;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;

/**
 * Deletes memories that this version will never read: of outputs that the file has no more, and
 * data of subjects that are not released any more. They are looked for once after each start, a few
 * at a time; where anybody may come back, the rows of an output that stays are skipped.
 */
public final class DroppedMemories {
  private static final Bytes FRONT = Bytes.wrap(new byte[] {0});

  /** Behind any key: none begins with two such bytes, which would be a length of thousands. */
  private static final Bytes BACK = Bytes.wrap(new byte[] {-1, -1});

  private final DrawMemories memories;

  /** Who is released; empty where subjects are observed. */
  private final Optional<Roster> roster;

  /** Where the search is; empty once nothing is to be found. */
  private Optional<Scan> scan;

  private DroppedMemories(DrawMemories memories, Optional<Roster> roster) {
    this.memories = memories;
    this.roster = roster;
    this.scan = memories.store().map(store -> new Scan(store, FRONT));
  }

  /** Those that a plan does not need. */
  public static DroppedMemories of(Plan plan, DrawMemories memories, Roster roster) {
    return new DroppedMemories(
        memories, plan.pipeline().subjects().isFixed() ? Optional.of(roster) : Optional.empty());
  }

  /**
   * Looks through some.
   *
   * @return how many; fewer than {@code most} only when none is left
   */
  public int drop(int most) {
    int looked = 0;
    while (scan.isPresent() && looked < most) {
      List<KeyValue<Bytes, byte[]>> found = scan.get().next(BACK, most - looked);
      looked += looked(found);
      if (found.isEmpty()) {
        scan = Optional.empty();
      }
    }
    return looked;
  }

  private int looked(List<KeyValue<Bytes, byte[]>> found) {
    int looked = 0;
    for (KeyValue<Bytes, byte[]> entry : found) {
      DrawMemory.Key key = DrawMemory.Key.read(entry.key);
      looked++;
      if (!memories.mayBeRead(key, this::mayComeBack)) {
        memories.store().orElseThrow().delete(entry.key);
      } else if (roster.isEmpty()) {
        scan.orElseThrow().pass(key.behindOutput());
        return looked;
      }
      scan.orElseThrow().pass(entry.key);
    }
    return looked;
  }

  private boolean mayComeBack(String subject) {
    return roster.map(members -> members.contains(subject)).orElse(true);
  }
}
