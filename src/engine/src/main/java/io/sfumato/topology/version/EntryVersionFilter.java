// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import io.sfumato.serde.Stamp;
import io.sfumato.topology.context.PipelineStopException;
import java.util.Optional;

/**
 * Whose journal entries a keeper takes in: those that were written under its own file and key, and
 * under the versions that went before. Another file may read other fields or give categories other
 * places: what it wrote is not what this one means by it.
 */
public final class EntryVersionFilter {
  private final Stamp mine;
  private final MetaStore meta;

  public EntryVersionFilter(StateIdentity.Maker maker, MetaStore meta) {
    this.mine = maker.stamp();
    this.meta = meta;
  }

  /**
   * Throws if an entry is foreign.
   *
   * @param stamp of the entry; those of earlier programs have none
   */
  public void require(Optional<Stamp> stamp) {
    if (stamp.isPresent() && !stamp.get().equals(mine)) {
      requireEarlier(stamp.get());
    }
  }

  /** Whether an entry that is not foreign is an earlier version's. */
  public boolean isEarlier(Optional<Stamp> stamp) {
    return stamp.isPresent() && !stamp.get().equals(mine);
  }

  private void requireEarlier(Stamp other) {
    if (other.version() > mine.version()) {
      throw new PipelineStopException(
          "version %d of the file has taken over, this instance has version %d; run the newer file"
              .formatted(other.version(), mine.version()));
    }
    boolean known =
        other.version() < mine.version()
            && meta.former(other.version()).map(other::equals).orElse(meta.isOlderThanStamps());
    if (!known) {
      throw new PipelineStopException(
          ("the journal holds entries of another file or noise key under version %d: another "
                  + "instance was started with it at the same time. Categories or fields may "
                  + "differ there, so its entries are ignored. Stop that instance. This budget's "
                  + "releases cannot be recalled: continue with new names for the pipeline and "
                  + "its budget")
              .formatted(other.version()));
    }
  }
}
