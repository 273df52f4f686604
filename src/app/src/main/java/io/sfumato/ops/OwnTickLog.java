// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.ticker.TickerListener;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What becomes of an instance's own ticks. The log has a line when that changes. */
public final class OwnTickLog implements TickerListener {
  private static final Logger LOG = LoggerFactory.getLogger(OwnTickLog.class);

  private volatile boolean used;
  private volatile Duration ahead = Duration.ZERO;
  private volatile Optional<String> failure = Optional.empty();

  /** Of partitions that do not answer. */
  private volatile Optional<String> silent = Optional.empty();

  @Override
  public void ticked(long time) {
    used = true;
    works();
  }

  private void works() {
    if (failure.isPresent()) {
      LOG.info("ticking resumed");
    }
    failure = Optional.empty();
  }

  @Override
  public void unreachable(int partitions, int all) {
    used = true;
    if (partitions == 0) {
      works();
    }
    Optional<String> found =
        partitions == 0
            ? Optional.empty()
            : Optional.of(
                "this instance cannot tick %d of %d partitions, because their leaders do not answer; the others are still ticked"
                    .formatted(partitions, all));
    if (!found.equals(silent)) {
      found.ifPresentOrElse(LOG::warn, () -> LOG.info("all partitions are ticked again"));
    }
    silent = found;
  }

  @Override
  public void agree() {
    used = true;
    if (!ahead.isZero()) {
      LOG.info("clocks agree again; ticking resumes");
    }
    ahead = Duration.ZERO;
  }

  @Override
  public void differ(Duration found) {
    used = true;
    boolean news = ahead.isZero();
    ahead = found;
    if (news) {
      LOG.warn(words().orElseThrow());
    }
  }

  @Override
  public void failed(String reason) {
    used = true;
    if (!Optional.of(reason).equals(failure)) {
      LOG.warn("cannot write ticks: {}", reason);
    }
    failure = Optional.of(reason);
  }

  /** Whether this instance ticks by itself, or tries to. */
  boolean isUsed() {
    return used;
  }

  /**
   * By how much this machine's clock is ahead of a broker's, where that is too much to tick;
   * negative where it is behind, and otherwise zero.
   */
  Duration ahead() {
    return ahead;
  }

  /** What is wrong, for people. */
  Optional<String> words() {
    Duration difference = ahead;
    if (!difference.isZero()) {
      return Optional.of(
          "this instance has stopped ticking because its clock is %d s %s a broker's. Correct the wrong clock; a window that is closed too early cannot be reopened"
              .formatted(
                  difference.abs().toSeconds(), difference.isNegative() ? "behind" : "ahead of"));
    }
    return failure.map("this instance cannot write ticks: %s"::formatted).or(() -> silent);
  }
}
