// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.mechanism.continual.NoisyRunningRows;
import io.sfumato.mechanism.continual.RecordsSoFar;
import io.sfumato.mechanism.continual.Rows;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.continual.RunningSums;
import io.sfumato.window.WindowGrid;
import java.util.Optional;

/**
 * How far a subject's sums over windows are: exact sums, which do not leave this class but as
 * {@link #rows}, and what noisy rows told of them, which is public. Immutable.
 */
public final class RunningMemory {
  /** Trees of counts have 4. */
  private static final int FORMAT = 2;

  /** Numbers of records, before the sums. */
  private static final int WITH_RECORDS = 3;

  private final Sequence sequence;
  private final long since;
  private final RecordsSoFar records;
  private final RunningSums sums;

  private RunningMemory(Sequence sequence, long since, RecordsSoFar records, RunningSums sums) {
    this.sequence = sequence;
    this.since = since;
    this.records = records;
    this.sums = sums;
  }

  /**
   * Windows that follow each other.
   *
   * @param mechanism of their rows
   * @param told what windows hold, and the share that pays for them: rows of several shares lose
   *     more together than the shares do (docs/theory/running-sums.md, "Restarts")
   * @param most windows over which sums run, then to begin anew; {@link Long#MAX_VALUE} where they
   *     go on
   * @param windows how time is cut
   * @param keepsRecords whether stored memories begin with public numbers of records
   */
  public record Sequence(
      RunningMechanism mechanism,
      String told,
      long most,
      WindowGrid windows,
      boolean keepsRecords) {
    /**
     * What goes on in a window: what the last one left, or a beginning.
     *
     * @param windowStart milliseconds since 1970
     * @param groups that are summed up apart
     */
    public RunningMemory goingOn(Memory memory, long windowStart, int groups) {
      return memory
          .exact()
          .flatMap(bytes -> decode(new ByteReader(bytes), groups))
          .filter(left -> goesOn(left, windowStart))
          .orElseGet(
              () ->
                  new RunningMemory(
                      this,
                      windowStart,
                      RecordsSoFar.NONE,
                      RunningSums.start(mechanism.coefficients(), groups)));
    }

    private String terms() {
      return termsOf(mechanism.charge().mechanism(), told);
    }

    private Optional<RunningMemory> decode(ByteReader in, int groups) {
      if (!keepsRecords) {
        return decode(in, RecordsSoFar.NONE, groups);
      }
      return in.fixed8() == WITH_RECORDS
          ? decode(in, RecordsSoFar.read(in), groups)
          : Optional.empty();
    }

    private Optional<RunningMemory> decode(ByteReader in, RecordsSoFar records, int groups) {
      if (in.fixed8() != FORMAT) {
        return Optional.empty();
      }
      long since = in.signed();
      return in.text().equals(terms())
          ? RunningSums.decode(in.rest(), mechanism.coefficients(), groups)
              .map(sums -> new RunningMemory(this, since, records, sums))
          : Optional.empty();
    }

    private boolean goesOn(RunningMemory left, long windowStart) {
      return windows.plus(left.since, left.windows()) == windowStart && left.windows() < most;
    }
  }

  /** Start of the first window. */
  public long since() {
    return since;
  }

  /**
   * Start of the first of the last windows, or of all if there are fewer.
   *
   * @param last number of windows, at least 1
   * @return milliseconds since 1970
   */
  public long since(long last) {
    return sequence.windows().plus(since, Math.max(0, windows() - last));
  }

  /** n, windows so far. */
  public long windows() {
    return sums.windows();
  }

  /** Numbers of records, where these are public and kept. */
  public RecordsSoFar records() {
    return records;
  }

  /** What rows have told of all windows so far, in steps of 2^-20. */
  public long[] told() {
    return sums.told();
  }

  /**
   * What rows have told of the last windows.
   *
   * @param last at least 1; all windows if there are fewer
   */
  public long[] toldOf(long last) {
    return sums.toldOf((int) Math.min(last, Integer.MAX_VALUE));
  }

  /**
   * The exact rows of the next window.
   *
   * @param window what it holds, one number a group
   */
  public Secret<Rows> rows(Secret<long[]> window) {
    return window.map(sums::rows);
  }

  /**
   * With one window more, as {@link RunningSums#plus} says.
   *
   * @param keep of how many windows before this one the sums are needed
   */
  public RunningMemory plus(Secret<long[]> window, NoisyRunningRows noisy, int keep) {
    int digits = sequence.mechanism().digits();
    return new RunningMemory(
        sequence, since, records, sums.plus(window.exact(), noisy, digits, keep));
  }

  /**
   * The same, with the public number of records of its last window.
   *
   * @param ofWindow N of its last window, at least 0
   * @param keep of how many windows before this one sums are needed, at least 1
   */
  public RunningMemory withRecords(long ofWindow, int keep) {
    return new RunningMemory(sequence, since, records.plus(ofWindow, keep), sums);
  }

  /** As stores keep it. */
  public Memory memory() {
    ByteWriter out = new ByteWriter();
    if (sequence.keepsRecords()) {
      records.write(out.fixed8(WITH_RECORDS));
    }
    return Memory.ofData(
        out.fixed8(FORMAT).signed(since).text(sequence.terms()).raw(sums.encode()).toBytes());
  }

  /** As rows of stores have them: what draws rows, and what windows hold. */
  public static String termsOf(String mechanism, String told) {
    return mechanism + "; " + told;
  }

  /** Never prints the numbers. */
  @Override
  public String toString() {
    return "RunningMemory[" + windows() + " windows]";
  }
}
