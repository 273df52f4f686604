// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.release.Plan;
import io.sfumato.topology.PipelineTopology;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;

/** Makes Kafka Streams for an instance: it changes what it is given, so each start gets its own. */
record StreamsMaker(
    Plan plan,
    Deployment deployment,
    PipelineRun.Instance instance,
    FencingClients clients,
    Time wallClock,
    LocalCopies copies) {
  /**
   * Before the first start: local state is of use only if it was read from these changelogs, and is
   * not older than they keep deletions.
   */
  void prepare() throws RefusedException {
    String application = plan.pipeline().applicationId();
    List<String> changelogs = Names.changelogTopics(plan.pipeline());
    try (Cluster cluster = new Cluster(instance.settings())) {
      copies.deletionsAreKept(cluster.safety().deletionsKept(application));
      new LocalOrigin(instance.stateFolder(), application)
          .require(cluster.topics().ids(changelogs));
    }
  }

  Topology topology() {
    CommittedMeters counts = new CommittedMeters(deployment.meters(), clients.transactions());
    return PipelineTopology.build(plan, deployment.with(counts), copies);
  }

  KafkaStreams streams() {
    Properties settings = StreamsSettings.of(plan.pipeline().applicationId(), instance);
    settings.putIfAbsent(StreamsConfig.CLIENT_ID_CONFIG, ClientName.next(plan.pipeline()));
    return new KafkaStreams(topology(), settings, clients, new SteadyTime(wallClock));
  }
}
