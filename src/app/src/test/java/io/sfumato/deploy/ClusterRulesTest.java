// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * The rules hold of the files before they are rendered, and each of them notices its mistake.
 * KustomizeIT has what kubectl makes of them.
 */
class ClusterRulesTest {
  private static final String POD = "/spec/template/spec";
  private static final String CONTAINER = POD + "/containers/0";
  private static final String OPEN =
      "{podSelector: {matchLabels: {app: sfumato}}, policyTypes: [%s], %s: [%s]}";

  private static List<JsonNode> objects() throws IOException {
    List<JsonNode> objects = new ArrayList<>(DeployedFiles.resources("base"));
    objects.addAll(DeployedFiles.resources("production"));
    objects.addAll(
        DeployedFiles.documents(
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: sfumato-pipeline},"
                + " data: {pipeline.yaml: ''}}"));
    return objects;
  }

  @Test
  void shouldHoldBeforeAnythingIsRendered() throws Exception {
    assertThat(ClusterRules.problems(objects(), DeployedFiles.createdSecrets())).isEmpty();
  }

  @Test
  void shouldNoticeAPodWithRights() throws Exception {
    assertNoticed(at("StatefulSet", POD + "/securityContext", n -> n.put("runAsUser", 0)));
    assertNoticed(at("StatefulSet", POD + "/securityContext", n -> n.put("runAsGroup", 0)));
    assertNoticed(at("StatefulSet", POD + "/securityContext", n -> n.remove("runAsNonRoot")));
    assertNoticed(at("StatefulSet", POD + "/securityContext", n -> n.remove("seccompProfile")));
    assertNoticed(at("StatefulSet", POD, n -> n.remove("automountServiceAccountToken")));
    assertNoticed(at("StatefulSet", POD, n -> n.put("hostNetwork", true)));
    assertNoticed(
        at("StatefulSet", POD, n -> n.withArray("volumes").addObject().putObject("hostPath")));
    String context = CONTAINER + "/securityContext";
    assertNoticed(at("StatefulSet", context, n -> n.remove("readOnlyRootFilesystem")));
    assertNoticed(at("StatefulSet", context, n -> n.remove("allowPrivilegeEscalation")));
    assertNoticed(at("StatefulSet", context, n -> n.put("privileged", true)));
    assertNoticed(at("StatefulSet", context, n -> n.put("runAsUser", 0)));
    assertNoticed(at("StatefulSet", context, n -> n.remove("capabilities")));
    assertNoticed(
        at("StatefulSet", context + "/capabilities", n -> n.putArray("add").add("NET_ADMIN")));
    assertNoticed(
        at(
            "StatefulSet",
            POD,
            n -> n.putArray("initContainers").addObject().put("name", "first").put("image", "x")));
    assertNoticed(at("StatefulSet", CONTAINER + "/resources/limits", n -> n.remove("memory")));
    assertNoticed(
        at("StatefulSet", CONTAINER + "/startupProbe/httpGet", n -> n.put("path", "/livez")));
    assertNoticed(
        at("StatefulSet", CONTAINER + "/readinessProbe/httpGet", n -> n.put("port", "http")));
  }

  @Test
  void shouldNoticeASecretThatIsNotThere() throws Exception {
    String noise = POD + "/volumes/2/secret";
    assertNoticed(at("StatefulSet", noise, n -> n.put("secretName", "sfumato-nose")));
    assertNoticed(at("StatefulSet", noise, n -> n.put("defaultMode", 0444)));
    assertNoticed(
        at("StatefulSet", CONTAINER, n -> n.withArray("args").add("/etc/sfumato/noise/other")));
    assertNoticed(
        at("StatefulSet", CONTAINER, n -> n.withArray("args").add("/etc/sfumato/more/x.key")));
    assertNoticed(
        at(
            "StatefulSet",
            CONTAINER + "/env/0",
            n -> n.putObject("valueFrom").putObject("secretKeyRef").put("name", "sfumato-noise")));
    assertNoticed(
        at(
            "ServiceMonitor",
            "/spec/endpoints/0/authorization/credentials",
            n -> n.put("key", "token")));
    assertNoticed(
        at("StatefulSet", POD, n -> n.withArray("volumes").addObject().putObject("projected")));
    assertNoticed(at("ConfigMap", "/metadata", n -> n.put("name", "another")));
    assertThat(ClusterRules.problems(objects(), Map.of("sfumato-noise", Set.of("noise.key"))))
        .as("two are not created then")
        .hasSizeGreaterThan(1);
  }

  @Test
  void shouldNoticeASelectorThatSelectsNothing() throws Exception {
    for (String place :
        List.of(
            "StatefulSet /spec/selector/matchLabels",
            "Service /spec/selector",
            "PodDisruptionBudget /spec/selector/matchLabels",
            "ServiceMonitor /spec/selector/matchLabels")) {
      String[] parts = place.split(" ");
      assertNoticed(at(parts[0], parts[1], n -> n.put("app", "another")));
    }
    assertNoticed(
        object("sfumato-brokers", "/spec/podSelector/matchLabels", n -> n.put("app", "x")));
    assertNoticed(at("PodDisruptionBudget", "/metadata", n -> n.put("namespace", "another")));
    assertNoticed(at("PodDisruptionBudget", "/spec", n -> n.put("maxUnavailable", 0)));
    assertNoticed(
        objects -> {
          find(objects, "PodDisruptionBudget").withObject("/spec").put("maxUnavailable", 2);
          find(objects, "StatefulSet").withObject("/spec").put("replicas", 2);
        });
    assertNoticed(at("Service", "/spec", n -> n.put("clusterIP", "10.0.0.1")));
    assertNoticed(at("Service", "/spec/ports/0", n -> n.put("port", 8080)));
    assertNoticed(at("ServiceMonitor", "/spec/endpoints/0", n -> n.put("port", "probes")));
    assertNoticed(
        at(
            "StatefulSet",
            POD,
            n ->
                n.putArray("topologySpreadConstraints")
                    .addObject()
                    .putObject("labelSelector")
                    .putObject("matchLabels")
                    .put("app", "another")));
    assertNoticed(objects -> objects.add(find(objects, "Service").deepCopy()));
  }

  @Test
  void shouldNoticeAnOpenPort() throws Exception {
    assertNoticed(objects -> objects.removeIf(o -> named(o, "default-deny")));
    assertNoticed(objects -> objects.removeIf(o -> named(o, "sfumato-metrics")));
    String peer = "/spec/ingress/0/from/0";
    assertNoticed(object("sfumato-metrics", peer, n -> n.remove("podSelector")));
    assertNoticed(object("sfumato-metrics", peer, n -> n.remove("namespaceSelector")));
    assertNoticed(object("sfumato-metrics", "/spec/ingress/0", n -> n.remove("from")));
    assertNoticed(object("sfumato-metrics", "/spec/ingress/0", n -> n.remove("ports")));
    assertNoticed(
        object("sfumato-metrics", "/spec/ingress/0/ports/0", n -> n.put("endPort", 9100)));
    assertNoticed(
        object("sfumato-metrics", "/spec/ingress/0/ports/0", n -> n.put("port", "probes")));
    assertNoticed(policy("Ingress", "ingress", "{from: [{podSelector: {}}]}"));
    assertNoticed(policy("Egress", "egress", "{}"));
    assertNoticed(policy("Egress", "egress", "{ports: [{port: 9093}]}"));
    assertNoticed(
        policy("Egress", "egress", "{ports: [{port: 1}], to: [{ipBlock: {cidr: 0.0.0.0/0}}]}"));
    assertNoticed(
        policy("Egress", "egress", "{ports: [{port: 1}], to: [{namespaceSelector: {}}]}"));
  }

  private static void assertNoticed(Consumer<List<JsonNode>> mistake) throws IOException {
    List<JsonNode> objects = objects();
    mistake.accept(objects);
    assertThat(objects).isNotEqualTo(objects());
    assertThat(ClusterRules.problems(objects, DeployedFiles.createdSecrets())).isNotEmpty();
  }

  private static Consumer<List<JsonNode>> at(
      String kind, String place, Consumer<ObjectNode> mistake) {
    return objects -> mistake.accept((ObjectNode) find(objects, kind).at(place));
  }

  private static Consumer<List<JsonNode>> object(
      String name, String place, Consumer<ObjectNode> mistake) {
    return objects ->
        objects.stream()
            .filter(object -> named(object, name))
            .forEach(object -> mistake.accept((ObjectNode) object.at(place)));
  }

  private static Consumer<List<JsonNode>> policy(String type, String direction, String rule) {
    return objects ->
        objects.addAll(
            DeployedFiles.documents(
                "{kind: NetworkPolicy, metadata: {name: more}, spec: "
                    + OPEN.formatted(type, direction, rule)
                    + "}"));
  }

  private static ObjectNode find(List<JsonNode> objects, String kind) {
    return (ObjectNode)
        objects.stream()
            .filter(object -> object.path("kind").asText().equals(kind))
            .findFirst()
            .orElseThrow();
  }

  private static boolean named(JsonNode object, String name) {
    return object.at("/metadata/name").asText().equals(name);
  }
}
