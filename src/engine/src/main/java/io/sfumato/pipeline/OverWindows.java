// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.estimate.continual.Horizon;
import io.sfumato.random.CanonicalEncoder;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Over which windows an output tells sums.
 *
 * @param running since when; empty for the windows' own
 * @param last how many last windows are told together beside; empty for none
 */
public record OverWindows(Optional<Horizon> running, OptionalInt last) {
  /** In the place of a number of windows. */
  private static final String FOREVER = "forever";

  private static final Pattern WHOLE = Pattern.compile("[1-9][0-9]{0,8}");
  private static final Pattern WORDS = Pattern.compile(WHOLE + "|" + FOREVER);

  /** Reads {@code running:} and {@code over:} of a release. */
  public static OverWindows read(Fields fields) {
    OverWindows over = new OverWindows(running(fields), last(fields));
    if (over.last().isPresent() && over.last().getAsInt() >= over.most()) {
      fields.conflict(
          "over",
          "found %d with 'running: %d'".formatted(over.last().getAsInt(), over.most()),
          "fewer windows than 'running' has: the last ones begin anew with it");
    }
    return over;
  }

  private static Optional<Horizon> running(Fields fields) {
    String allowed = "a whole number from 2 to " + Horizon.MOST_WINDOWS + ", or " + FOREVER;
    return fields
        .optionalText("running", WORDS, allowed)
        .map(
            word -> {
              int windows = WHOLE.matcher(word).matches() ? Integer.parseInt(word) : 0;
              if (windows >= 2 && windows <= Horizon.MOST_WINDOWS) {
                return new Horizon.Until(windows);
              }
              if (windows > 0) {
                fields.problem("running", "found '" + word + "'", allowed);
              }
              return new Horizon.Forever();
            });
  }

  private static OptionalInt last(Fields fields) {
    return fields.has("over")
        ? OptionalInt.of((int) fields.whole("over", 2, Horizon.MOST_LAST, Optional.empty()))
        : OptionalInt.empty();
  }

  /** Whether a window's output needs what was drawn before. */
  public boolean needsPast() {
    return running.isPresent() || last.isPresent();
  }

  /** What rows are made for: running sums, or else sums of the last windows. */
  public Horizon horizon() {
    return running.orElseGet(() -> new Horizon.Last(last.orElse(1)));
  }

  /** T where sums begin anew after so many windows. */
  public OptionalInt until() {
    return running.stream()
        .filter(Horizon.Until.class::isInstance)
        .mapToInt(horizon -> ((Horizon.Until) horizon).windows())
        .findFirst();
  }

  /** How many windows are told together at most. */
  public int counted() {
    return (int)
        Math.min(Integer.MAX_VALUE, running.map(Horizon::most).orElse((long) last.orElse(1)));
  }

  /** After how many windows sums begin anew. */
  public long most() {
    return running.map(Horizon::most).orElse(Long.MAX_VALUE);
  }

  /** As digests have it: letter by letter the same for ever. */
  public void digest(CanonicalEncoder digest) {
    digest
        .text("rows")
        .text(
            running
                .map(
                    horizon ->
                        horizon instanceof Horizon.Until until
                            ? Integer.toString(until.windows())
                            : FOREVER)
                .orElse("none"))
        .number(last.orElse(0));
  }
}
