// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.release.Plan;
import io.sfumato.topology.PipelineTopology;
import io.sfumato.topology.setting.Deployment;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;

/** Makes Kafka Streams for an instance: it changes what it is given, so each start gets its own. */
record StreamsMaker(
    Plan plan,
    Deployment deployment,
    PipelineRun.Instance instance,
    FencingClients clients,
    Time wallClock,
    LocalCopies copies) {
  Topology topology() {
    CommittedMeters counts = new CommittedMeters(deployment.meters(), clients.transactions());
    return PipelineTopology.build(plan, deployment.with(counts), copies);
  }

  KafkaStreams streams() {
    return new KafkaStreams(
        topology(),
        StreamsSettings.of(plan.pipeline().applicationId(), instance),
        clients,
        new SteadyTime(wallClock));
  }
}
