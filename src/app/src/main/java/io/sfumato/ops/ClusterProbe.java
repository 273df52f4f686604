// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.runtime.KafkaSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.KafkaException;

/**
 * Asks the cluster every few seconds whether it is there, and who works on the pipeline: Kafka
 * Streams itself stays RUNNING for minutes without a broker, and knows of no other instance.
 */
final class ClusterProbe implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  /** Stream threads, which are members of the group, have names that begin with their process'. */
  private static final String THREAD = "-StreamThread-";

  private final KafkaSettings settings;
  private final String group;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "cluster-probe");
            thread.setDaemon(true);
            return thread;
          });

  /** Brokers that the cluster names; 0 while it does not answer. */
  private volatile int brokers;

  private volatile int mostBrokers;

  private volatile OptionalInt instances = OptionalInt.empty();

  /** None while the cluster's names do not resolve. */
  private volatile Optional<Admin> admin = Optional.empty();

  /**
   * @param group of the pipeline's instances
   */
  ClusterProbe(KafkaSettings settings, String group) {
    this.settings = settings;
    this.group = group;
    timer.scheduleWithFixedDelay(this::poll, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  int brokers() {
    return brokers;
  }

  /** As many as there ever were since the start. */
  int mostBrokers() {
    return mostBrokers;
  }

  /** Instances of the pipeline that the cluster knows of, when it was asked last. */
  OptionalInt instances() {
    return instances;
  }

  private void poll() {
    lookForBrokers();
    if (brokers > 0) {
      lookForInstances(admin.orElseThrow());
    }
  }

  private void lookForInstances(Admin asked) {
    try {
      var options = new DescribeConsumerGroupsOptions().timeoutMs((int) PATIENCE.toMillis());
      long found =
          asked
              .describeConsumerGroups(List.of(group), options)
              .describedGroups()
              .get(group)
              .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
              .members()
              .stream()
              .map(MemberDescription::clientId)
              .map(client -> client.split(THREAD, 2)[0])
              .distinct()
              .count();
      instances = OptionalInt.of((int) found);
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      instances = OptionalInt.empty(); // nobody has started yet, or the right is missing
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void lookForBrokers() {
    try {
      if (admin.isEmpty()) {
        admin = Optional.of(Admin.create(settings.admin()));
      }
      var options = new DescribeClusterOptions().timeoutMs((int) PATIENCE.toMillis());
      brokers =
          admin
              .get()
              .describeCluster(options)
              .nodes()
              .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
              .size();
      mostBrokers = Math.max(mostBrokers, brokers);
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      brokers = 0; // whatever the reason, it does not answer
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    admin.ifPresent(a -> a.close(Duration.ofSeconds(1)));
  }
}
