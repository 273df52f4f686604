// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;

/** Waits for a cluster that may not be up yet, and says for how long. */
final class ClusterStartupWait {
  private static final Duration FIRST_KNOCK = Duration.ofSeconds(3);
  private static final Duration BEAT = Duration.ofSeconds(1);

  private final KafkaSettings settings;
  private final Duration patience;
  private final Consumer<String> out;
  private final long began = System.nanoTime();
  private Duration knock = FIRST_KNOCK;

  private ClusterStartupWait(KafkaSettings settings, Duration patience, Consumer<String> out) {
    this.settings = settings;
    this.patience = patience;
    this.out = out;
  }

  /** As {@link Cluster#await}. */
  static Cluster with(KafkaSettings settings, Duration patience, Consumer<String> out)
      throws RefusedException {
    ClusterStartupWait reachability = new ClusterStartupWait(settings, patience, out);
    while (true) {
      Optional<Cluster> cluster = reachability.attempt();
      if (cluster.isPresent()) {
        return cluster.get();
      }
      if (reachability.left().isZero()) {
        throw new RefusedException(
            ExitCode.REFUSED_CLUSTER,
            "no Kafka cluster answers at %s (tried for %d s; wait longer with SFUMATO_WAIT=30s). Check that it is up and --bootstrap-servers is right"
                    .formatted(settings.bootstrapServers(), patience.toSeconds())
                + (settings.bootstrapServers().equals(KafkaSettings.DEFAULT_SERVERS)
                    ? ". For an embedded broker, run 'sfumato run FILE --embedded'; if it was "
                        + "started with --data DIR, give the same --data DIR here"
                    : ""));
      }
      reachability.showWaiting();
      Cluster.pause(ClusterCalls.RETRY);
    }
  }

  private Optional<Cluster> attempt() throws RefusedException {
    Cluster cluster;
    try {
      cluster = new Cluster(settings, Admin.create(settings.admin()));
    } catch (KafkaException e) {
      // Its name may not resolve yet. Anything else will not get better.
      if (Cluster.isUnresolved(e)) {
        return Optional.empty();
      }
      throw Cluster.unusable(settings, e);
    }
    boolean answers = false;
    try {
      answers = answers(cluster.knock(shorter(knock, left())));
      // A handshake and a login may take longer than that, each time anew.
      knock = knock.multipliedBy(2);
      return answers ? Optional.of(cluster) : Optional.empty();
    } finally {
      if (!answers) {
        cluster.close();
      }
    }
  }

  private boolean answers(KafkaFuture<?> knock) throws RefusedException {
    while (true) {
      try {
        knock.get(BEAT.toMillis(), TimeUnit.MILLISECONDS);
        return true;
      } catch (TimeoutException e) {
        // The knock has a limit of its own.
        showWaiting();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof org.apache.kafka.common.errors.TimeoutException) {
          return false;
        }
        throw ClusterCalls.refused("reach the cluster", settings.bootstrapServers(), e.getCause());
      } catch (InterruptedException e) {
        throw ClusterCalls.interrupted();
      }
    }
  }

  private void showWaiting() {
    out.accept(
        "no Kafka cluster answers at %s; waiting, %d of %d s"
            .formatted(
                settings.bootstrapServers(),
                patience.minus(left()).toSeconds(),
                patience.toSeconds()));
  }

  private Duration left() {
    Duration left = patience.minusNanos(System.nanoTime() - began);
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** At least a moment: a wait of no time is still a knock. */
  private static Duration shorter(Duration one, Duration other) {
    Duration shorter = one.compareTo(other) < 0 ? one : other;
    return shorter.compareTo(BEAT) < 0 ? BEAT : shorter;
  }
}
