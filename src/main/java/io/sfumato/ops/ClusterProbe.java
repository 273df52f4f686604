package io.sfumato.ops;

import io.sfumato.runtime.KafkaSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.common.KafkaException;

/**
 * Asks the cluster every few seconds whether it is there: Kafka Streams itself stays RUNNING for
 * minutes without a broker.
 */
final class ClusterProbe implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final KafkaSettings settings;
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

  /** None while the cluster's names do not resolve. */
  private volatile Optional<Admin> admin = Optional.empty();

  ClusterProbe(KafkaSettings settings) {
    this.settings = settings;
    timer.scheduleWithFixedDelay(this::look, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
  }

  int brokers() {
    return brokers;
  }

  /** As many as there ever were since the start. */
  int mostBrokers() {
    return mostBrokers;
  }

  private void look() {
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
