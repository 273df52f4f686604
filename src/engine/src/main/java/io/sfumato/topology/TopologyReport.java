// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.pipeline.InputTopics;
import io.sfumato.release.Plan;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.SourceTopics;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyDescription;
import org.apache.kafka.streams.TopologyDescription.Processor;
import org.apache.kafka.streams.TopologyDescription.Sink;
import org.apache.kafka.streams.TopologyDescription.Source;

/**
 * A pipeline's topology as text, as JSON and as a Mermaid diagram; needs no broker and no secret.
 */
public final class TopologyReport {
  private TopologyReport() {}

  /** Kafka Streams' own description. */
  public static String text(Plan plan) {
    return describe(plan).toString();
  }

  /** A Mermaid flow chart. */
  public static String mermaid(Plan plan) {
    StringBuilder out = new StringBuilder("flowchart LR\n");
    Set<String> edges = new TreeSet<>();
    for (TopologyDescription.Subtopology part : describe(plan).subtopologies()) {
      StringBuilder nodes = new StringBuilder();
      for (TopologyDescription.Node node : sorted(part.nodes())) {
        nodes.append("    ").append(id(node.name())).append("[").append(node.name()).append("]\n");
        if (node instanceof Source source) {
          source.topicSet().forEach(topic -> edges.add(topic(topic) + " --> " + id(node.name())));
        } else if (node instanceof Sink sink) {
          edges.add(id(node.name()) + " --> " + topic(sink.topic()));
        } else if (node instanceof Processor processor) {
          processor
              .stores()
              .forEach(
                  store ->
                      edges.add(id(node.name()) + " <-.-> " + id(store) + "[(" + store + ")]"));
        }
        node.successors().forEach(next -> edges.add(id(node.name()) + " --> " + id(next.name())));
      }
      out.append("  subgraph part").append(part.id()).append("[sub-topology ").append(part.id());
      out.append("]\n").append(nodes).append("  end\n");
    }
    edges.forEach(edge -> out.append("  ").append(edge).append('\n'));
    return out.toString();
  }

  /** Nodes and edges. */
  public static ObjectNode json(Plan plan) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    TopologyDrawing.write(describe(plan), json);
    return json;
  }

  private static List<TopologyDescription.Node> sorted(Set<TopologyDescription.Node> nodes) {
    return nodes.stream().sorted(Comparator.comparing(TopologyDescription.Node::name)).toList();
  }

  static TopologyDescription describe(Plan plan) {
    Topology topology =
        PipelineTopology.build(
            plan,
            Deployment.of(sources(plan), NoiseSecret.random().derive(), PipelineMeters.none()));
    return topology.describe();
  }

  /** Topics that a pattern stands for are not known before a version starts: its words do. */
  private static SourceTopics sources(Plan plan) {
    InputTopics topics = plan.pipeline().input().topics();
    List<String> names =
        topics.isUnresolved() ? List.of(topics.pattern().orElseThrow()) : topics.names();
    return new SourceTopics(
        names.stream().map(name -> new SourceTopics.Topic(name, "", 1)).toList());
  }

  private static String topic(String name) {
    return "topic_" + id(name) + "([" + name + "])";
  }

  private static String id(String name) {
    return name.replaceAll("[^A-Za-z0-9]", "_");
  }
}
