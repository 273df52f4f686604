// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.estimate.continual.Horizon;
import io.sfumato.pipeline.ValueType.Text;
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

  private static final String RUNNING_RULE =
      "a whole number from 2 to " + Horizon.MOST_WINDOWS + ", or " + FOREVER;

  /** Since when sums run. */
  public static final FieldSpec<?> RUNNING =
      FieldSpec.typed(
              "running",
              FieldTypes.either(
                  RUNNING_RULE,
                  FieldTypes.type("integer").put("minimum", 2).put("maximum", Horizon.MOST_WINDOWS),
                  FieldTypes.type("string").put("const", FOREVER)))
          .optional()
          .means(
              "Sums run over so many windows and are then reset; or `forever`"
                  + " ([guide](../guides/moving-sums.md)).")
          .example("365");

  /** How many last windows are added up. */
  public static final FieldSpec<Integer> OVER =
      FieldSpec.count("over", 2, Horizon.MOST_LAST)
          .optional()
          .means(
              "Beside each window's own values, publishes the sums of the last so many windows, from"
                  + " the same draws. Without `running`, the noise is optimized for these.")
          .example("7");

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
    return fields
        .optional(RUNNING.as(new Text(WORDS, RUNNING_RULE)))
        .map(
            word -> {
              int windows = WHOLE.matcher(word).matches() ? Integer.parseInt(word) : 0;
              if (windows >= 2 && windows <= Horizon.MOST_WINDOWS) {
                return new Horizon.Until(windows);
              }
              if (windows > 0) {
                fields.problem("running", "found '" + word + "'", RUNNING_RULE);
              }
              return new Horizon.Forever();
            });
  }

  private static OptionalInt last(Fields fields) {
    return fields.count(OVER);
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
