// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.TreeSet;
import org.apache.kafka.streams.TopologyDescription;
import org.apache.kafka.streams.TopologyDescription.Node;
import org.apache.kafka.streams.TopologyDescription.Processor;
import org.apache.kafka.streams.TopologyDescription.Sink;
import org.apache.kafka.streams.TopologyDescription.Source;

/** A topology as nodes and edges in JSON; where they stand is its reader's affair. */
public final class TopologyDrawing {
  private final ArrayNode nodes;
  private final ArrayNode edges;
  private final TreeSet<String> topics = new TreeSet<>();

  private TopologyDrawing(ObjectNode into) {
    nodes = into.putArray("nodes");
    edges = into.putArray("edges");
  }

  /**
   * Puts {@code nodes} (id, label, kind, stores; part, the number of their sub-topology, unless
   * they are topics) and {@code edges} (pairs of ids) into an object.
   */
  public static void write(TopologyDescription topology, ObjectNode into) {
    TopologyDrawing drawing = new TopologyDrawing(into);
    record Placed(Node node, int part) {}

    topology.subtopologies().stream()
        .flatMap(part -> part.nodes().stream().map(node -> new Placed(node, part.id())))
        .sorted(Comparator.comparing(placed -> placed.node().name()))
        .forEach(placed -> drawing.node(placed.node(), placed.part()));
  }

  private void node(Node node, int part) {
    ObjectNode json =
        nodes.addObject().put("id", node.name()).put("label", node.name()).put("part", part);
    if (node instanceof Source source) {
      json.put("kind", "source");
      new TreeSet<>(source.topicSet()).forEach(topic -> edge(topic(topic), node.name()));
    } else if (node instanceof Sink sink) {
      json.put("kind", "sink");
      edge(node.name(), topic(sink.topic()));
    } else if (node instanceof Processor processor) {
      json.put("kind", "processor");
      ArrayNode stores = json.putArray("stores");
      new TreeSet<>(processor.stores()).forEach(stores::add);
    }
    node.successors().stream()
        .sorted(Comparator.comparing(Node::name))
        .forEach(next -> edge(node.name(), next.name()));
  }

  private String topic(String name) {
    String id = "topic:" + name;
    if (topics.add(name)) {
      nodes.addObject().put("id", id).put("label", name).put("kind", "topic");
    }
    return id;
  }

  private void edge(String from, String to) {
    edges.addArray().add(from).add(to);
  }
}
