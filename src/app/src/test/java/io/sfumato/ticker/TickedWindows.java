// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ticker;

import io.sfumato.pipeline.WindowSpec;
import java.time.Duration;
import java.util.OptionalLong;

/** Windows of a minute that the program ticks by itself. */
final class TickedWindows {
  static final WindowSpec MINUTES =
      new WindowSpec(
          Duration.ofMinutes(1),
          Duration.ofSeconds(5),
          WindowSpec.MONDAY,
          WindowSpec.Clock.TICKS,
          OptionalLong.of(WindowSpec.MONDAY),
          400,
          Duration.ofDays(1),
          WindowSpec.Ticks.HERE,
          WindowSpec.MAX_AHEAD);

  private TickedWindows() {}
}
