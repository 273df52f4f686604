package io.sfumato.ops;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.TreeSet;
import org.apache.kafka.streams.TopologyDescription;
import org.apache.kafka.streams.TopologyDescription.Node;
import org.apache.kafka.streams.TopologyDescription.Processor;
import org.apache.kafka.streams.TopologyDescription.Sink;
import org.apache.kafka.streams.TopologyDescription.Source;

/** A running topology as nodes and edges; where they stand is the page's affair. */
final class Drawing {
  private final ArrayNode nodes;
  private final ArrayNode edges;
  private final TreeSet<String> topics = new TreeSet<>();

  private Drawing(ObjectNode into) {
    nodes = into.putArray("nodes");
    edges = into.putArray("edges");
  }

  static void write(TopologyDescription topology, ObjectNode into) {
    Drawing drawing = new Drawing(into);
    topology.subtopologies().stream()
        .flatMap(part -> part.nodes().stream())
        .sorted(Comparator.comparing(Node::name))
        .forEach(drawing::node);
  }

  private void node(Node node) {
    ObjectNode json = nodes.addObject().put("id", node.name()).put("label", node.name());
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
