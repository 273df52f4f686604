// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.estimate.running.Extent;
import io.sfumato.mechanism.running.NoisyRunningRows;
import io.sfumato.mechanism.running.RunningMechanism;
import io.sfumato.mechanism.running.RunningSums;
import io.sfumato.pipeline.Footprint.Part;
import java.util.List;
import java.util.Optional;

/**
 * How far a subject's sums over windows are.
 *
 * @param since start of their first window
 * @param terms name what draws their rows, what windows hold, and the share that pays: sums that
 *     began under others are begun anew
 * @param sums the sums
 */
public record RunningMemory(long since, String terms, RunningSums sums) {
  /** Trees of counts have 4. */
  private static final int FORMAT = 2;

  /**
   * Windows that follow each other.
   *
   * @param mechanism of their rows
   * @param told what windows hold, and the share that pays for them: rows of several shares lose
   *     more together than the shares do (docs/privacy.md, "Beginning anew")
   * @param running over which windows sums run, then to begin anew; empty where they go on
   * @param windowMillis length of a window
   */
  public record Sequence(
      RunningMechanism mechanism, String told, Optional<Extent> running, long windowMillis) {
    /** What goes on in a window: what the last one left, or a beginning. */
    public RunningMemory goingOn(Optional<byte[]> memory, long windowStart, int groups) {
      return memory
          .flatMap(bytes -> decode(bytes, groups))
          .filter(left -> goesOn(left, windowStart))
          .orElseGet(
              () ->
                  new RunningMemory(
                      windowStart, terms(), RunningSums.start(mechanism.lags(), groups)));
    }

    private String terms() {
      return termsOf(mechanism.charge().mechanism(), told);
    }

    private Optional<RunningMemory> decode(byte[] bytes, int groups) {
      ByteReader in = new ByteReader(bytes);
      if (in.fixed8() != FORMAT) {
        return Optional.empty();
      }
      long since = in.signed();
      String terms = in.text();
      return terms.equals(terms())
          ? RunningSums.decode(in.rest(), mechanism.lags(), groups)
              .map(sums -> new RunningMemory(since, terms(), sums))
          : Optional.empty();
    }

    private boolean goesOn(RunningMemory left, long windowStart) {
      long windows = left.sums().windows();
      return left.since() + windows * windowMillis == windowStart
          && windows < running.map(Extent::most).orElse(Long.MAX_VALUE);
    }

    /** Start of the first of the last windows, or of all if there are fewer. */
    public long since(RunningMemory memory, long last) {
      long before = Math.max(0, memory.sums().windows() - last);
      return memory.since() + before * windowMillis;
    }
  }

  /** With one window more, as {@link RunningSums#plus} says. */
  public RunningMemory plus(long[] window, NoisyRunningRows noisy, int digits, int keep) {
    return new RunningMemory(since, terms, sums.plus(window, noisy, digits, keep));
  }

  /** As stores keep it. */
  public byte[] encode() {
    return new ByteWriter().fixed8(FORMAT).signed(since).text(terms).raw(sums.encode()).toBytes();
  }

  /** As rows of stores have them. */
  public static String termsOf(String mechanism, String told) {
    return mechanism + "; " + told;
  }

  /**
   * The largest row of it.
   *
   * @param output whose it is
   * @param told as sequences have it
   * @param bins most bins of the past
   * @param keep of how many windows sums are kept
   * @param groups that are summed up apart, by a setting
   * @param advice what makes it smaller
   */
  public static Footprint footprint(
      String output,
      String mechanism,
      String told,
      int bins,
      int keep,
      int groups,
      String setting,
      String advice) {
    long fixed =
        Bytes.text(output)
            + FieldLimits.SUBJECT
            + 2
            + Bytes.SIGNED
            + Bytes.text(termsOf(mechanism, told))
            + Bytes.text(mechanism)
            + 4L * Bytes.UNSIGNED;
    long numbers = (long) groups * Bytes.SIGNED * (2L * bins + 2 + keep);
    return new Footprint(
        Footprint.Kind.ROW,
        "running-store",
        fixed,
        List.of(new Part(setting, groups, numbers, advice)));
  }
}
