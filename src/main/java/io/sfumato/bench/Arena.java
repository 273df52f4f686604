package io.sfumato.bench;

import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Where alternatives meet: one cluster, one disk.
 *
 * @param settings of the cluster
 * @param folder for state
 * @param partitions of every topic
 * @param threads of every application
 */
record Arena(KafkaSettings settings, Path folder, int partitions, int threads) {
  /** Writes a workload into its topic, once. */
  void provide(Workload workload) throws RefusedException {
    try (Cluster cluster = new Cluster(settings)) {
      if (cluster.exists(workload.topic())) {
        return;
      }
      cluster.createIfMissing(workload.topic(), partitions);
    }
    Map<String, Object> config = new HashMap<>(settings.producer());
    config.put(ProducerConfig.BATCH_SIZE_CONFIG, 1 << 18);
    config.put(ProducerConfig.LINGER_MS_CONFIG, 50);
    try (var producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      workload.generate(
          event ->
              producer.send(new ProducerRecord<>(workload.topic(), event.key(), event.value())));
    }
  }
}
