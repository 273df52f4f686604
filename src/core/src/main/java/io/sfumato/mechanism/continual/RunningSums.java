// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * How far running sums are: in bins, what the windows held, which is secret, and what noisy rows
 * tell of it, which is public; and the sums that were told before. Immutable.
 *
 * <p>Row t is {@code x_t + sum over bins of c_i X}, i the age of the bin's oldest window and X what
 * the bin holds. A noisy row y tells {@code v_t = y - sum over bins of c_i V}, V what was told of
 * the bin: rounded to 2^-20, as all that follows, in whole numbers.
 */
public final class RunningSums {
  /** Binary digits of what is told: whole steps of 2^-20. */
  public static final int TOLD_DIGITS = 20;

  private static final int FORMAT = 1;

  private final Coefficients coefficients;
  private final long windows;

  /** The latest bins, the oldest first; what lies before them is in no row any more. */
  private final List<Bin> bins;

  /** What was told of the windows before the bins. */
  private final long[] before;

  /** What was told of all windows, after each of the last ones, the latest last. */
  private final List<long[]> told;

  /**
   * @param exact what its windows hold: secret
   * @param told what noisy rows tell of them
   */
  private record Bin(long[] exact, long[] told) {
    Bin plus(Bin other) {
      return new Bin(sum(exact, other.exact), sum(told, other.told));
    }
  }

  private RunningSums(
      Coefficients coefficients, long windows, List<Bin> bins, long[] before, List<long[]> told) {
    this.coefficients = coefficients;
    this.windows = windows;
    this.bins = bins;
    this.before = before;
    this.told = told;
  }

  /**
   * Before the first window.
   *
   * @param groups that are summed up apart, at least 1
   */
  public static RunningSums start(Coefficients coefficients, int groups) {
    return new RunningSums(coefficients, 0, List.of(), new long[groups], List.of());
  }

  /** n, windows so far. */
  public long windows() {
    return windows;
  }

  /**
   * The exact rows of a window: secret.
   *
   * @param window what it holds, one number a group
   * @throws ArithmeticException beyond 2^63
   */
  public Rows rows(long[] window) {
    WideSum[] sums = new WideSum[window.length];
    Arrays.setAll(sums, i -> new WideSum());
    for (int i = 0; i < window.length; i++) {
      sums[i].add(window[i], Coefficients.ONE);
    }
    long[] weights = weights();
    for (int bin = 0; bin < weights.length; bin++) {
      for (int i = 0; i < window.length; i++) {
        sums[i].add(weights[bin], bins.get(bin).exact()[i]);
      }
    }
    return new Rows(sums);
  }

  /** The weight of every bin in the next window's row. */
  private long[] weights() {
    long[] widths = new WindowBins(windows).widths();
    long[] weights = new long[bins.size()];
    long lag = 0;
    for (int bin = bins.size() - 1; bin >= 0; bin--) {
      lag += widths[widths.length - bins.size() + bin];
      weights[bin] = coefficients.at(lag);
    }
    return weights;
  }

  /**
   * With one window more.
   *
   * @param window what it holds: secret
   * @param noisy its rows with noise
   * @param digits binary digits of what windows hold: 0 where they are whole, at most 20
   * @param keep of how many windows before this one the sums are needed, at least 0
   */
  public RunningSums plus(long[] window, NoisyRunningRows noisy, int digits, int keep) {
    long[] latest = new long[window.length];
    long[] weights = weights();
    for (int i = 0; i < latest.length; i++) {
      WideSum sum = new WideSum();
      noisy.addTo(sum, i, TOLD_DIGITS - digits);
      for (int bin = 0; bin < weights.length; bin++) {
        sum.add(-weights[bin], bins.get(bin).told()[i]);
      }
      latest[i] = sum.rounded(Coefficients.DIGITS);
    }
    List<long[]> sums = new ArrayList<>(told.subList(Math.max(0, told.size() - keep), told.size()));
    sums.add(sum(told(), latest));
    return with(new Bin(window.clone(), latest), sums);
  }

  private RunningSums with(Bin latest, List<long[]> sums) {
    WindowBins shape = new WindowBins(windows + 1);
    List<Bin> next = new ArrayList<>(bins);
    next.add(latest);
    long[] left = before;
    WindowBins former = new WindowBins(windows);
    int missing = former.count() - bins.size();
    for (int level = 0; level < shape.merging(); level++) {
      int place = former.first(level) - missing;
      if (place >= 0) {
        next.set(place, next.get(place).plus(next.remove(place + 1)));
      } else if (place == -1) {
        left = sum(left, next.remove(0).told());
      } else {
        missing--;
      }
    }
    long[] widths = shape.widths();
    long age = 0;
    int kept = 0;
    while (kept < next.size()) {
      age += widths[widths.length - 1 - kept];
      if (age >= coefficients.band()) {
        break;
      }
      kept++;
    }
    for (int i = next.size() - kept; i > 0; i--) {
      left = sum(left, next.remove(0).told());
    }
    return new RunningSums(coefficients, windows + 1, List.copyOf(next), left, List.copyOf(sums));
  }

  /** What rows have told of all windows so far, in steps of 2^-20. */
  public long[] told() {
    return told.isEmpty() ? before.clone() : told.get(told.size() - 1).clone();
  }

  /**
   * What rows have told of the last windows.
   *
   * @param last at least 1; all windows if there are fewer
   */
  public long[] toldOf(int last) {
    if (last >= windows) {
      return told();
    }
    long[] sum = told();
    long[] earlier = told.get(told.size() - 1 - last);
    Arrays.setAll(sum, i -> sum[i] - earlier[i]);
    return sum;
  }

  private static long[] sum(long[] first, long[] second) {
    long[] sum = new long[first.length];
    Arrays.setAll(sum, i -> Math.addExact(first[i], second[i]));
    return sum;
  }

  /** As stores keep it. */
  public byte[] encode() {
    ByteWriter out =
        new ByteWriter()
            .fixed8(FORMAT)
            .text(coefficients.word())
            .unsigned(windows)
            .unsigned(before.length)
            .unsigned(bins.size());
    for (Bin bin : bins) {
      write(out, bin.exact());
      write(out, bin.told());
    }
    write(out, before);
    out.unsigned(told.size());
    told.forEach(sums -> write(out, sums));
    return out.toBytes();
  }

  private static void write(ByteWriter out, long[] numbers) {
    for (long number : numbers) {
      out.signed(number);
    }
  }

  /**
   * Inverse of {@link #encode}; nothing where it was made with other coefficients, or of other
   * groups.
   *
   * @param bytes of a store
   * @param groups that are summed up apart, at least 1
   */
  public static Optional<RunningSums> decode(byte[] bytes, Coefficients coefficients, int groups) {
    ByteReader in = new ByteReader(bytes).format(FORMAT, "running sums");
    String word = in.text();
    long windows = in.unsigned();
    int kept = (int) in.unsigned();
    if (!word.equals(coefficients.word()) || kept != groups) {
      return Optional.empty();
    }
    List<Bin> bins = new ArrayList<>();
    for (long left = in.unsigned(); left > 0; left--) {
      bins.add(new Bin(numbers(in, groups), numbers(in, groups)));
    }
    long[] before = numbers(in, groups);
    List<long[]> told = new ArrayList<>();
    for (long left = in.unsigned(); left > 0; left--) {
      told.add(numbers(in, groups));
    }
    in.end();
    return Optional.of(new RunningSums(coefficients, windows, bins, before, told));
  }

  private static long[] numbers(ByteReader in, int count) {
    long[] numbers = new long[count];
    Arrays.setAll(numbers, i -> in.signed());
    return numbers;
  }

  /**
   * Most bins that are ever kept, for sums of so many windows.
   *
   * @param windows of a sum, at least 1
   */
  public static int mostBins(Coefficients coefficients, long windows) {
    // As many as lie within the band, or begin there.
    return new WindowBins(Math.min(windows, coefficients.band())).count() + 2;
  }

  /** Never prints the numbers. */
  @Override
  public String toString() {
    return "RunningSums[" + windows + " windows]";
  }
}
