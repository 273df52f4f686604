// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.store.StagedWrites;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/**
 * The dataset of which some outputs are released and others are not yet: a transaction may end
 * between two of them, so that many large outputs of one subject need not fit into one. At most one
 * per partition, the next one after the cursor.
 */
public final class PartialRelease {
  private static final int FORMAT = 1;
  private static final Bytes KEY = Bytes.wrap(new byte[] {'u'});

  private record Done(Key dataset, int outputs) {}

  private final StagedWrites store;
  private Optional<Done> partial;

  public PartialRelease(StagedWrites store) {
    this.store = store;
    this.partial = Optional.ofNullable(store.get(KEY)).map(PartialRelease::decode);
  }

  /** How many outputs of a dataset were released before, in their order. */
  public int outputs(Key dataset) {
    return partial.filter(done -> done.dataset().equals(dataset)).map(Done::outputs).orElse(0);
  }

  /** The first {@code outputs} of a dataset are released. */
  public void put(Key dataset, int outputs) {
    Done done = new Done(dataset, outputs);
    partial = Optional.of(done);
    store.put(
        KEY,
        new ByteWriter().fixed8(FORMAT).unsigned(outputs).raw(dataset.encode().get()).toBytes());
  }

  /** All outputs of the dataset are released. */
  public void clear() {
    if (partial.isPresent()) {
      partial = Optional.empty();
      store.delete(KEY);
    }
  }

  private static Done decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes).format(FORMAT, "a partial release");
    int outputs = Math.toIntExact(in.unsigned());
    return new Done(Key.read(in), outputs);
  }
}
