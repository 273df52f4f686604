// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.release.Plan;
import io.sfumato.topology.roster.Roster;
import io.sfumato.topology.store.Scan;
import io.sfumato.topology.store.StagedStore;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;

/**
 * Deletes memories that this version will never read: of outputs that the file has no more, and
 * data of subjects that are not released any more. All are looked through once in a version, a few
 * at a time.
 */
public final class DroppedMemories {
  private static final int FORMAT = 1;

  /** In it: the last version that has looked through all. */
  private static final Bytes DONE = Bytes.wrap(new byte[] {'y'});

  private static final Bytes FRONT = Bytes.wrap(new byte[] {0});

  /** Behind any key: none begins with two such bytes, which would be a length of thousands. */
  private static final Bytes BACK = Bytes.wrap(new byte[] {-1, -1});

  private final StagedStore meta;
  private final DrawMemories memories;
  private final int version;
  private final Predicate<String> released;

  /** Where the search is; empty once nothing is to be found. */
  private Optional<Scan> scan;

  /**
   * @param meta what is done is noted there, among others
   * @param version of the file
   * @param released whether a subject has windows that are still to be released
   */
  private DroppedMemories(
      StagedStore meta, DrawMemories memories, int version, Predicate<String> released) {
    this.meta = meta;
    this.memories = memories;
    this.version = version;
    this.released = released;
    this.scan =
        memories.store().filter(s -> lookedThrough() < version).map(s -> new Scan(s, FRONT));
  }

  /** Of a plan: where subjects are observed, anybody may come back. */
  public static DroppedMemories of(
      Plan plan, StagedStore meta, DrawMemories memories, Roster roster) {
    boolean fixed = plan.pipeline().subjects().isFixed();
    return new DroppedMemories(
        meta, memories, plan.pipeline().version(), subject -> !fixed || roster.contains(subject));
  }

  private long lookedThrough() {
    byte[] bytes = meta.get(DONE);
    return bytes == null ? -1 : new ByteReader(bytes).format(FORMAT, "a version").unsigned();
  }

  /**
   * Looks through some.
   *
   * @return how many; fewer than {@code most} only when none is left
   */
  public int drop(int most) {
    if (scan.isEmpty() || most < 1) {
      return 0;
    }
    List<KeyValue<Bytes, byte[]>> found = scan.get().next(BACK, most);
    for (KeyValue<Bytes, byte[]> entry : found) {
      DrawMemory.Key key = DrawMemory.Key.read(entry.key);
      if (!memories.mayBeRead(key, released)) {
        memories.store().orElseThrow().delete(entry.key);
      }
      scan.get().pass(entry.key);
    }
    if (found.size() < most) {
      scan = Optional.empty();
      meta.put(DONE, new ByteWriter().fixed8(FORMAT).unsigned(version).toBytes());
    }
    return found.size();
  }
}
