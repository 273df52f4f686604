// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;

/** What the next draw of a subject depends on, of one output. Key: output, subject. */
final class DrawMemory {
  private final StagedStore store;
  private final String output;

  DrawMemory(StagedStore store, String output) {
    this.store = store;
    this.output = output;
  }

  Optional<byte[]> get(String subject) {
    return Optional.ofNullable(store.get(key(subject)));
  }

  void put(String subject, byte[] memory) {
    store.put(key(subject), memory);
  }

  private Bytes key(String subject) {
    return Bytes.wrap(
        new ByteWriter().text(output).raw(subject.getBytes(StandardCharsets.UTF_8)).toBytes());
  }
}
