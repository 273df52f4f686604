// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.sfumato.release.Plan;
import io.sfumato.topology.context.PipelineMeters;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.utils.Time;
import org.slf4j.LoggerFactory;

/**
 * An instance that cannot commit what it has written to a changelog, and dies between closing the
 * store and wiping it.
 */
final class TornApp {
  /** Kafka Streams says this after it has closed the stores of a task, before it wipes them. */
  private static final String WIPING = "Wiping state stores for ACTIVE task 1_0";

  static final int DIED_AT_THE_WIPE = 77;

  private TornApp() {}

  /** Arguments: bootstrap servers, pipeline file, state folder, changelog. */
  public static void main(String[] arguments) throws Exception {
    Plan plan = TestCluster.plan(Files.readString(Path.of(arguments[1])));
    KafkaSettings settings =
        TestCluster.settings(arguments[0], Map.of("session.timeout.ms", "6000"));
    Logger tasks =
        (Logger) LoggerFactory.getLogger("org.apache.kafka.streams.processor.internals.StreamTask");
    tasks.setLevel(Level.DEBUG);
    tasks.addAppender(dying());
    try (PipelineRun run =
        PipelineRun.start(
            plan,
            TestCluster.deployment(plan, 1, PipelineMeters.none()),
            new PipelineRun.Instance(settings, Path.of(arguments[2]), 1, 0),
            new ReplayApp.AbortingClients(Set.of(arguments[3]), 1),
            Time.SYSTEM)) {
      run.awaitEnd(TestCluster.PATIENCE);
    }
  }

  private static AppenderBase<ILoggingEvent> dying() {
    AppenderBase<ILoggingEvent> appender =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent event) {
            if (event.getFormattedMessage().contains(WIPING)) {
              Runtime.getRuntime().halt(DIED_AT_THE_WIPE);
            }
          }
        };
    appender.start();
    return appender;
  }
}
