// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the network policies of a namespace come to for a stateful set's pods: Prometheus alone
 * reaches the operators' port, nobody another one, and nothing goes out to everybody.
 */
final class NetworkRules {
  /** The peer of a rule without peers. */
  private static final String EVERYBODY = "everybody";

  private static final Map<String, String> DIRECTIONS = Map.of("ingress", "from", "egress", "to");

  private final ClusterObjects objects;
  private final JsonNode set;
  private final List<String> problems = new ArrayList<>();

  private NetworkRules(ClusterObjects objects, JsonNode set) {
    this.objects = objects;
    this.set = set;
  }

  static List<String> problems(ClusterObjects objects, JsonNode set) {
    NetworkRules rules = new NetworkRules(objects, set);
    rules.require(rules.isClosed(), "other pods of the namespace are open");
    rules.checkIngress();
    rules.checkEgress();
    return rules.problems;
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      problems.add(ClusterObjects.name(set) + ": " + otherwise);
    }
  }

  /** Whether one policy denies everything to every pod, whatever labels it has. */
  private boolean isClosed() {
    return objects.of("NetworkPolicy").stream()
        .filter(policy -> ClusterObjects.namespace(policy).equals(ClusterObjects.namespace(set)))
        .map(policy -> policy.path("spec"))
        .anyMatch(
            spec ->
                spec.path("podSelector").isObject()
                    && spec.path("podSelector").isEmpty()
                    && spec.path("policyTypes").size() == 2
                    && !spec.has("ingress")
                    && !spec.has("egress"));
  }

  private void checkIngress() {
    boolean isWatched =
        objects.of("ServiceMonitor").stream()
            .anyMatch(
                monitor -> ClusterObjects.namespace(monitor).equals(ClusterObjects.namespace(set)));
    Set<Integer> ports = new HashSet<>(ClusterObjects.ports(set).values());
    // One that no pod names, such as an embedded broker's.
    ports.add(9092);
    require(ClusterObjects.ports(set).containsKey("http"), "has no operators' port");
    for (int port : ports) {
      Set<String> peers = peers("ingress", port);
      if (isWatched && port == ClusterObjects.ports(set).getOrDefault("http", 0)) {
        require(!peers.isEmpty(), "Prometheus does not reach port " + port);
        require(
            peers.stream().allMatch(NetworkRules::isPrometheus),
            "others than Prometheus reach port %d: %s".formatted(port, peers));
      } else {
        require(peers.isEmpty(), "port %d is open to %s".formatted(port, peers));
      }
    }
  }

  /** Both selectors in one peer: Prometheus' pods, in the namespace of monitoring. */
  private static boolean isPrometheus(String peer) {
    JsonNode found = DeployedFiles.documents(peer).get(0);
    return found.size() == 2
        && found
            .at("/namespaceSelector/matchLabels/kubernetes.io~1metadata.name")
            .asText()
            .equals("monitoring")
        && found
            .at("/podSelector/matchLabels/app.kubernetes.io~1name")
            .asText()
            .equals("prometheus");
  }

  private void checkEgress() {
    for (JsonNode policy : policies("egress")) {
      for (JsonNode rule : policy.at("/spec/egress")) {
        require(!rule.path("ports").isEmpty(), "goes out to every port: " + rule);
        require(!rule.path("to").isEmpty(), "goes out to everybody: " + rule);
        for (JsonNode peer : rule.path("to")) {
          require(isNarrow(peer), "goes out to " + peer);
        }
      }
    }
    for (int port : List.of(22, 80, 443, 6443, 8085)) {
      require(peers("egress", port).isEmpty(), "goes out to port " + port);
    }
  }

  private static boolean isNarrow(JsonNode peer) {
    if (peer.has("ipBlock")) {
      return !peer.at("/ipBlock/cidr").asText().endsWith("/0");
    }
    return !peer.at("/namespaceSelector/matchLabels").isEmpty()
        && !peer.at("/podSelector/matchLabels").isEmpty();
  }

  private List<JsonNode> policies(String direction) {
    return objects.of("NetworkPolicy").stream()
        .filter(policy -> objects.selects(policy, "/spec/podSelector", set))
        .filter(
            policy ->
                DeployedFiles.texts(policy.at("/spec/policyTypes")).stream()
                    .anyMatch(direction::equalsIgnoreCase))
        .toList();
  }

  /** Whom policies let through at a port: everybody, if no policy covers the pods. */
  private Set<String> peers(String direction, int port) {
    Set<String> peers = new HashSet<>();
    List<JsonNode> policies = policies(direction);
    if (policies.isEmpty()) {
      peers.add(EVERYBODY);
    }
    for (JsonNode policy : policies) {
      for (JsonNode rule : policy.at("/spec/" + direction)) {
        if (covers(rule.path("ports"), port)) {
          JsonNode allowed = rule.path(DIRECTIONS.get(direction));
          if (allowed.isEmpty()) {
            peers.add(EVERYBODY);
          }
          allowed.forEach(peer -> peers.add(peer.toString()));
        }
      }
    }
    return peers;
  }

  private boolean covers(JsonNode ports, int port) {
    if (ports.isEmpty()) {
      return true;
    }
    for (JsonNode covered : ports) {
      JsonNode value = covered.path("port");
      int first =
          value.isTextual()
              ? ClusterObjects.ports(set).getOrDefault(value.asText(), 0)
              : value.asInt();
      if (value.isMissingNode() || first <= port && port <= covered.path("endPort").asInt(first)) {
        return true;
      }
    }
    return false;
  }
}
