// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.topology.context.PipelineStopException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * Under which file and key a source partition is read, as intake keeps it: who validates records
 * decides what they mean as much as who counts them.
 *
 * @param version of the file
 * @param digest of what the file plans, hexadecimal
 * @param noiseKey tag of the noise key
 */
public record IntakeVersion(int version, String digest, String noiseKey) {
  /** Beside the source partitions' clocks, whose keys are their numbers, and the floor. */
  private static final Bytes KEY =
      Bytes.wrap(ByteBuffer.allocate(Integer.BYTES).putInt(-2).array());

  /** When windows start by the calendar of a zone. */
  private static final Bytes STARTS =
      Bytes.wrap(ByteBuffer.allocate(Integer.BYTES).putInt(-3).array());

  private static final int FORMAT = 1;

  /** That of a program. */
  public static IntakeVersion of(StateIdentity.Maker maker) {
    return new IntakeVersion(maker.version(), maker.digest(), maker.noiseKey());
  }

  /** What the store says; nothing before the first commit. */
  public static Optional<IntakeVersion> in(KeyValueStore<Bytes, byte[]> store) {
    return Optional.ofNullable(store.get(KEY)).map(IntakeVersion::decode);
  }

  /** Keeps it beside the clocks. */
  public void putInto(KeyValueStore<Bytes, byte[]> store) {
    store.put(KEY, encode());
  }

  /** Keeps when windows start by the zone data of the program that reads records. */
  public static void put(KeyValueStore<Bytes, byte[]> store, WindowStarts starts) {
    store.put(STARTS, new ByteWriter().fixed8(FORMAT).text(starts.text()).toBytes());
  }

  /** What {@link #put} kept, if anything. */
  public static Optional<WindowStarts> starts(KeyValueStore<Bytes, byte[]> store) {
    return Optional.ofNullable(store.get(STARTS))
        .map(bytes -> new ByteReader(bytes).format(FORMAT, "starts of windows").text())
        .map(WindowStarts::parse);
  }

  /**
   * Throws if {@code next} must not go on reading for this one.
   *
   * @param advice how a changed file goes on
   */
  public void requireAllows(IntakeVersion next, String advice) {
    if (next.version < version) {
      throw PipelineStopException.wentOnTo(version, next.version);
    }
    if (next.version == version && !next.noiseKey.equals(noiseKey)) {
      throw new PipelineStopException(
          "noise key: the other instances have key %s, this one has %s; give the others' secret"
              .formatted(noiseKey, next.noiseKey));
    }
    if (next.version == version && !next.digest.equals(digest)) {
      throw new PipelineStopException(
          ("the pipeline file differs from that of the other instances under the same version "
                  + "%d (only its digest is stored): run the file that the other instances run, "
                  + "or %s")
              .formatted(version, advice));
    }
  }

  private byte[] encode() {
    return new ByteWriter().fixed8(FORMAT).unsigned(version).text(digest).text(noiseKey).toBytes();
  }

  private static IntakeVersion decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes).format(FORMAT, "an authorship");
    IntakeVersion found = new IntakeVersion((int) in.unsigned(), in.text(), in.text());
    in.end();
    return found;
  }
}
