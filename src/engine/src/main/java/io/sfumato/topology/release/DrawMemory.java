// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.gate.Memory;
import io.sfumato.topology.store.StagedWrites;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.utils.Bytes;

/** What the next draw of a subject depends on, of one output. */
public final class DrawMemory {
  private final StagedWrites store;
  private final String output;
  private final boolean holdsData;

  /**
   * @param output under the name that its release keeps memories by
   * @param holdsData whether memories hold data of records, rather than follow from outputs alone
   */
  public DrawMemory(StagedWrites store, String output, boolean holdsData) {
    this.store = store;
    this.output = output;
    this.holdsData = holdsData;
  }

  /**
   * Where a memory lies.
   *
   * @param output under the name that its release keeps memories by
   */
  record Key(String output, String subject) {
    Bytes encode() {
      return Bytes.wrap(
          new ByteWriter().text(output).raw(subject.getBytes(StandardCharsets.UTF_8)).toBytes());
    }

    /** Behind all keys of the output: no byte of UTF-8 is so large. */
    Bytes behindOutput() {
      return Bytes.wrap(new ByteWriter().text(output).fixed8(0xff).toBytes());
    }

    static Key read(Bytes bytes) {
      ByteReader in = new ByteReader(bytes.get());
      return new Key(in.text(), in.restAsText());
    }
  }

  /** What the last draw of a subject left; nothing before the first. */
  public Memory get(String subject) {
    byte[] bytes = store.get(key(subject));
    if (bytes == null) {
      return Memory.NONE;
    }
    return holdsData ? Memory.ofData(bytes) : Memory.ofOutputs(bytes);
  }

  /** Keeps what a draw leaves to the next. */
  public void put(String subject, Memory memory) {
    store.put(key(subject), memory.stored());
  }

  /** Deletes what a subject's draws have left: the next one begins anew. */
  public void delete(String subject) {
    // Most have nothing: they cost no write.
    if (store.get(key(subject)) != null) {
      store.delete(key(subject));
    }
  }

  private Bytes key(String subject) {
    return new Key(output, subject).encode();
  }
}
