// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.bytes.ByteWriter;
import io.sfumato.topology.store.StagedStore;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/** What the next draw of a subject depends on, of one output. Key: output, subject. */
public final class DrawMemory {
  private final StagedStore store;
  private final String output;

  public DrawMemory(StagedStore store, String output) {
    this.store = store;
    this.output = output;
  }

  /** What the last draw of a subject left; nothing before the first. */
  public Optional<byte[]> get(String subject) {
    return Optional.ofNullable(store.get(key(subject)));
  }

  /** Keeps what a draw leaves to the next. */
  public void put(String subject, byte[] memory) {
    store.put(key(subject), memory);
  }

  private Bytes key(String subject) {
    return Bytes.wrap(
        new ByteWriter().text(output).raw(subject.getBytes(StandardCharsets.UTF_8)).toBytes());
  }
}
