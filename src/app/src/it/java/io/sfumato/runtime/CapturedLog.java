// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.sfumato.release.Plan;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.LoggerFactory;

/** Everything that this JVM logs at INFO and above, with stack traces. */
final class CapturedLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {
  private final ConcurrentLinkedQueue<Line> lines = new ConcurrentLinkedQueue<>();
  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  private final Level level = root.getLevel();

  CapturedLog() {
    start();
    root.addAppender(this);
    root.setLevel(Level.INFO);
  }

  @Override
  protected void append(ILoggingEvent event) {
    lines.add(
        new Line(
            event.getThreadName(),
            event.getFormattedMessage()
                + (event.getThrowableProxy() == null
                    ? ""
                    : ThrowableProxyUtil.asString(event.getThrowableProxy()))));
  }

  private record Line(String thread, String text) {}

  List<String> lines() {
    return lines.stream().map(Line::text).toList();
  }

  /**
   * Lines of one pipeline's stream threads. Those of an earlier test class, whose cluster went away
   * before it, may live on in this process for minutes.
   */
  List<String> linesOf(Plan plan) {
    String threads = plan.pipeline().applicationId() + "-";
    return lines.stream()
        .filter(line -> line.thread().startsWith(threads))
        .map(Line::text)
        .toList();
  }

  @Override
  public void close() {
    root.detachAppender(this);
    root.setLevel(level);
  }
}
