// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.kafka.KafkaClientMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sfumato.ops.http.HttpSettings.KafkaMetrics;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** Kafka's metrics as Prometheus has them, while partitions come and go. */
class ConventionsTest {
  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());

  private void measure(String name, Map<String, String> tags) {
    MetricName id = new MetricName(name, "producer-metrics", "", tags);
    producer.setMockMetrics(
        id,
        new Metric() {
          @Override
          public MetricName metricName() {
            return id;
          }

          @Override
          public Object metricValue() {
            return 3.0;
          }
        });
  }

  @Test
  void shouldBindEachMetricOnceAndShowItUnderTheRightName() {
    Logger logger = (Logger) LoggerFactory.getLogger(MeterRegistry.class);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    Level before = logger.getLevel();
    logger.setLevel(Level.DEBUG);
    logger.addAppender(log);
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry
        .config()
        .namingConvention(Conventions.names())
        .meterFilter(new Conventions(KafkaMetrics.OF_CLIENTS));
    try (KafkaClientMetrics metrics = new KafkaClientMetrics(producer)) {
      measure("connection-count", Map.of("client-id", "a"));
      measure("record-rate", Map.of("client-id", "a"));
      metrics.bindTo(registry);
      // Partitions came: Kafka has more metrics, and all are looked at again.
      measure("connection-count", Map.of("client-id", "b"));
      metrics.bindTo(registry);
      assertThat(registry.scrape())
          .contains("kafka_producer_connections{client_id=\"b\"", "kafka_producer_record_rate{")
          .doesNotContain("kafka_producer_connection_count");
    } finally {
      logger.detachAppender(log);
      logger.setLevel(before);
    }
    assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage).isEmpty();
  }

  /** With 64 partitions a scrape had 33,641 series and took longer than Prometheus waits. */
  @ParameterizedTest
  @CsvSource({"OF_CLIENTS, false", "ALL, true"})
  void shouldExportMetricsOfPartsOnlyWhenAskedFor(KafkaMetrics wanted, boolean exported) {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.config().namingConvention(Conventions.names()).meterFilter(new Conventions(wanted));
    List<String> parts =
        List.of(
            "task-id", "topic", "partition", "node-id", "rocksdb-state-id", "processor-node-id");
    try (KafkaClientMetrics metrics = new KafkaClientMetrics(producer)) {
      measure("record-rate", Map.of("client-id", "a"));
      parts.forEach(part -> measure("rate-of-" + part, Map.of("client-id", "a", part, "1")));
      metrics.bindTo(registry);
      assertThat(registry.scrape()).contains("kafka_producer_record_rate{client_id=\"a\"");
      for (String part : parts) {
        assertThat(registry.scrape().contains("kafka_producer_rate_of_" + part.replace('-', '_')))
            .as(part)
            .isEqualTo(exported);
      }
    }
  }
}
