// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.pipeline.Pipeline;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices when a topic that a running pipeline writes to is deleted: producers alone would wait for
 * it for ever, and nobody would know why nothing comes. Nor would anybody know that the cluster is
 * lost.
 */
final class OutputWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OutputWatch.class);
  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(2);

  private final Admin admin;
  private final Contact contact;
  private final Set<String> topics;
  private final Consumer<Set<String>> missing;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "output-watch");
            thread.setDaemon(true);
            return thread;
          });

  /** Topics that were missing at the last look: a new leader may not know a topic for a moment. */
  private Set<String> suspected = Set.of();

  OutputWatch(KafkaSettings settings, Pipeline pipeline, Consumer<Set<String>> missing) {
    this.admin = Admin.create(settings.admin());
    this.contact = new Contact(settings.bootstrapServers(), LOG::warn);
    this.topics = new TreeSet<>(pipeline.writtenTopics());
    this.missing = missing;
    timer.scheduleWithFixedDelay(
        this::poll, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void poll() {
    try {
      Set<String> gone = new TreeSet<>(topics);
      gone.removeAll(admin.listTopics().names().get(INTERVAL.toMillis(), TimeUnit.MILLISECONDS));
      contact.heard();
      Set<String> certain = new TreeSet<>(gone);
      certain.retainAll(suspected);
      suspected = gone;
      if (!certain.isEmpty()) {
        missing.accept(certain);
        timer.shutdown();
      }
    } catch (ExecutionException | TimeoutException e) {
      suspected = Set.of(); // the cluster does not answer: no topic is missed
      contact.missed();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Looks no more. */
  void stop() {
    timer.shutdownNow();
  }

  /** Whether the cluster answers now. */
  boolean isAnswered() {
    try {
      admin.listTopics().names().get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (ExecutionException | TimeoutException | IllegalStateException e) {
      return false; // or was closed before
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    stop();
    admin.close(Duration.ofSeconds(5));
  }
}
