// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Kubernetes objects that are applied together. */
record ClusterObjects(List<JsonNode> all) {
  List<JsonNode> of(String kind) {
    return all.stream().filter(object -> object.path("kind").asText().equals(kind)).toList();
  }

  /** The objects of a kind and a name in another object's namespace. */
  List<JsonNode> beside(JsonNode other, String kind, String name) {
    return of(kind).stream()
        .filter(object -> namespace(object).equals(namespace(other)))
        .filter(object -> object.at("/metadata/name").asText().equals(name))
        .toList();
  }

  /** Whether an object selects the pods of a stateful set, which are in the same namespace. */
  boolean selects(JsonNode object, String selector, JsonNode set) {
    return namespace(object).equals(namespace(set)) && matches(object.at(selector), labels(set));
  }

  static String namespace(JsonNode object) {
    return object.at("/metadata/namespace").asText();
  }

  static String name(JsonNode object) {
    return "%s %s/%s"
        .formatted(
            object.path("kind").asText(), namespace(object), object.at("/metadata/name").asText());
  }

  /** Labels of a stateful set's pods. */
  static JsonNode labels(JsonNode set) {
    return set.at("/spec/template/metadata/labels");
  }

  /** By name, the ports of a stateful set's pods. */
  static Map<String, Integer> ports(JsonNode set) {
    Map<String, Integer> ports = new HashMap<>();
    for (JsonNode container : PodRules.containers(set.at("/spec/template/spec"))) {
      for (JsonNode port : container.path("ports")) {
        ports.put(port.path("name").asText(), port.path("containerPort").asInt());
      }
    }
    return ports;
  }

  /** A selector that is there and empty matches everything; these files have labels alone. */
  static boolean matches(JsonNode selector, JsonNode labels) {
    return selector.isObject()
        && !selector.has("matchExpressions")
        && hasLabels(selector.path("matchLabels"), labels);
  }

  static boolean hasLabels(JsonNode wanted, JsonNode labels) {
    return wanted.properties().stream()
        .allMatch(label -> label.getValue().equals(labels.path(label.getKey())));
  }
}
