// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.release.Plan;
import io.sfumato.topology.context.PipelineStopException;

/**
 * A new version that was announced to a partition. The old one releases what starts before {@code
 * from} and nothing else; then the new one may take over.
 *
 * @param version of the file
 * @param from start of its first window
 * @param digest of what the file plans, hexadecimal
 * @param noiseKey tag of the key that it draws with
 * @param ready whether the old version has decided every window before {@code from}
 */
public record VersionHandover(
    int version, long from, String digest, String noiseKey, boolean ready) {
  private static final int FORMAT = 1;

  /** Why a version that nobody announced cannot take over. */
  public static PipelineStopException unannounced(int theirs, int mine) {
    return refused(
        mine, "it was not announced (sfumato activate FILE). " + untilItWaits(theirs, mine));
  }

  /**
   * Refuses a program that was not announced, or that comes too early.
   *
   * @param plan of the program
   * @param theirs version that has released so far
   * @throws PipelineStopException with what differs and what to do about that
   */
  public void requireReadyFor(StateIdentity.Maker maker, Plan plan, int theirs) {
    int mine = maker.version();
    if (version != mine) {
      throw refused(
          mine,
          "version %d was announced. Run that file, or announce this one in its place (sfumato activate FILE) while version %d runs"
              .formatted(version, theirs));
    }
    if (!noiseKey.equals(maker.noiseKey())) {
      throw refused(
          mine,
          "it was announced with noise key %s, and this program was given noise key %s. Give it the secret that 'sfumato activate' was given with --secret-file"
              .formatted(noiseKey, maker.noiseKey()));
    }
    if (!digest.equals(maker.digest())) {
      StateIdentity.requireNotAvro(digest, maker, plan);
      throw refused(
          mine,
          "another file was announced as version %d, or this version of Sfumato plans it differently. Run the announced file, or announce this one (sfumato activate FILE) while version %d runs"
              .formatted(mine, theirs));
    }
    if (!ready) {
      throw refused(
          mine,
          "version %d has windows left to release. ".formatted(theirs)
              + untilItWaits(theirs, mine));
    }
  }

  private static String untilItWaits(int theirs, int mine) {
    return "Run the file of version %d until it says that its partitions wait for version %d"
        .formatted(theirs, mine);
  }

  private static PipelineStopException refused(int mine, String why) {
    return new PipelineStopException(
        "version %d of the file cannot take over: %s".formatted(mine, why));
  }

  VersionHandover nowReady() {
    return new VersionHandover(version, from, digest, noiseKey, true);
  }

  /** As the keeper's store has it. */
  public byte[] encode() {
    return new ByteWriter()
        .fixed8(FORMAT)
        .unsigned(version)
        .signed(from)
        .text(digest)
        .text(noiseKey)
        .fixed8(ready ? 1 : 0)
        .toBytes();
  }

  /** Inverse of {@link #encode}. */
  public static VersionHandover decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes).format(FORMAT, "a takeover");
    VersionHandover handover =
        new VersionHandover(
            (int) in.unsigned(), in.signed(), in.text(), in.text(), in.fixed8() == 1);
    in.end();
    return handover;
  }
}
