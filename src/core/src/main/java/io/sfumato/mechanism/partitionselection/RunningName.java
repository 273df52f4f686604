// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.partitionselection;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.mechanism.continual.NoisyRunningRows;
import io.sfumato.mechanism.continual.RunningSums;
import java.util.Optional;
import java.util.OptionalLong;

/** How far the count of one name is in a block. Immutable; secret but for what was published. */
public sealed interface RunningName {
  /** A name that nobody has a record of, or had so far in the block. */
  static RunningName unseen(RunningDiscovery plan) {
    return new Waiting(RunningSums.start(plan.coarse().coefficients(), 1), 0);
  }

  /** A name that was public when the block began. */
  static RunningName known(RunningDiscovery plan) {
    return new Public(0, 0, RunningSums.start(plan.fine().coefficients(), 1));
  }

  /** A name that is not drawn of any more in its block. */
  static RunningName gone() {
    return new Gone();
  }

  /**
   * What a window makes of it.
   *
   * @param next the name from then on
   * @param published its running count in steps of 2^-20, if it is public
   */
  record Step(RunningName next, OptionalLong published) {}

  /**
   * With one window more. A name may be left out as long as nobody had a record of it: then it is
   * {@link #unseen}. From its first record on it has every window, those without records too.
   *
   * @param window of the block, from 1
   * @param records of the name in it: secret
   */
  Step after(RunningDiscovery plan, int window, long records, RowNoise noise);

  /** As stores keep it. */
  byte[] encode();

  /**
   * Not public.
   *
   * @param coarse rows up to the last test
   * @param held records since then
   */
  record Waiting(RunningSums coarse, long held) implements RunningName {
    @Override
    public Step after(RunningDiscovery plan, int window, long records, RowNoise noise) {
      long all = Math.addExact(held, records);
      TestSchedule tests = plan.tests();
      if (!tests.after(window)) {
        return new Step(new Waiting(coarse, all), OptionalLong.empty());
      }
      int test = tests.of(window);
      RunningSums sums = coarse;
      // Rows before a name's first record are drawn as if it had been there, with none.
      while (sums.windows() < test - 1) {
        sums = withRow(plan, sums, 0, noise);
      }
      sums = withRow(plan, sums, all, noise);
      long estimate = sums.told()[0];
      return plan.passes(test, estimate)
          ? new Step(
              new Public(test, estimate, RunningSums.start(plan.fine().coefficients(), 1)),
              OptionalLong.of(estimate))
          : new Step(new Waiting(sums, 0), OptionalLong.empty());
    }

    private static RunningSums withRow(
        RunningDiscovery plan, RunningSums sums, long records, RowNoise noise) {
      int window = plan.tests().last((int) sums.windows() + 1);
      long[] own = {records};
      NoisyRunningRows noisy =
          noise.noisy(
              new RowNoise.Place(RowNoise.Sequence.COARSE, window), plan.coarse(), sums.rows(own));
      return sums.plus(own, noisy, 0, 0);
    }

    @Override
    public byte[] encode() {
      return new ByteWriter()
          .fixed8(Bytes.FORMAT)
          .fixed8(Bytes.WAITING)
          .signed(held)
          .raw(coarse.encode())
          .toBytes();
    }

    @Override
    public String toString() {
      return "Waiting[" + coarse.windows() + " tests]";
    }
  }

  /**
   * Public.
   *
   * @param test at which it was found, from 1; 0 if it was public when the block began
   * @param found its estimate at that test, in steps of 2^-20; 0 if there was none
   * @param fine rows of the windows since
   */
  record Public(int test, long found, RunningSums fine) implements RunningName {
    @Override
    public Step after(RunningDiscovery plan, int window, long records, RowNoise noise) {
      long[] own = {records};
      NoisyRunningRows noisy =
          noise.noisy(
              new RowNoise.Place(RowNoise.Sequence.FINE, window), plan.fine(), fine.rows(own));
      Public next = new Public(test, found, fine.plus(own, noisy, 0, 0));
      return new Step(next, OptionalLong.of(next.told()));
    }

    /** Its running count in steps of 2^-20: public. */
    public long told() {
      return Math.addExact(found, fine.told()[0]);
    }

    @Override
    public byte[] encode() {
      return new ByteWriter()
          .fixed8(Bytes.FORMAT)
          .fixed8(Bytes.PUBLIC)
          .unsigned(test)
          .signed(found)
          .raw(fine.encode())
          .toBytes();
    }

    @Override
    public String toString() {
      return "Public[" + fine.windows() + " windows since test " + test + "]";
    }
  }

  /** Not public in its block any more, whatever counts for it. */
  record Gone() implements RunningName {
    @Override
    public Step after(RunningDiscovery plan, int window, long records, RowNoise noise) {
      return new Step(this, OptionalLong.empty());
    }

    @Override
    public byte[] encode() {
      return new ByteWriter().fixed8(Bytes.FORMAT).fixed8(Bytes.GONE).toBytes();
    }
  }

  /**
   * Inverse of {@link #encode}; nothing where it was made with other coefficients.
   *
   * @param bytes of a store
   * @throws CorruptBytesException for bytes of another format
   */
  static Optional<RunningName> decode(byte[] bytes, RunningDiscovery plan) {
    return Bytes.decode(bytes, plan);
  }

  /** The layout. */
  final class Bytes {
    private static final int FORMAT = 1;
    private static final int WAITING = 0;
    private static final int PUBLIC = 1;
    private static final int GONE = 2;

    private Bytes() {}

    private static Optional<RunningName> decode(byte[] bytes, RunningDiscovery plan) {
      ByteReader in = new ByteReader(bytes).format(FORMAT, "a running name");
      int state = in.fixed8();
      if (state == WAITING) {
        long held = in.signed();
        return RunningSums.decode(in.rest(), plan.coarse().coefficients(), 1)
            .map(coarse -> new Waiting(coarse, held));
      }
      if (state == PUBLIC) {
        int test = (int) in.unsigned();
        long found = in.signed();
        return RunningSums.decode(in.rest(), plan.fine().coefficients(), 1)
            .map(fine -> new Public(test, found, fine));
      }
      if (state == GONE) {
        in.end();
        return Optional.of(new Gone());
      }
      throw new CorruptBytesException("a running name has no state " + state);
    }
  }
}
