// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The deployment's files against what their readers take; where the schemas come from says the
 * README beside them.
 */
class DeploymentSchemasTest {
  @Test
  void shouldBeAComposeFile() throws Exception {
    List<Path> files;
    try (Stream<Path> all = Files.list(DeployedFiles.DOCKER)) {
      files = all.filter(file -> file.getFileName().toString().startsWith("compose.")).toList();
    }
    assertThat(files).hasSize(2);
    for (Path file : files) {
      assertThat(DeployedFiles.documents(file)).hasSize(1);
      assertThat(DeploymentSchemas.violations("compose", DeployedFiles.documents(file).get(0)))
          .as(file.toString())
          .isEmpty();
    }
  }

  /** What the overlays make of them needs kubectl: KustomizeIT. */
  @Test
  void shouldBeKubernetesObjects() throws Exception {
    List<JsonNode> objects = new ArrayList<>(DeployedFiles.resources("base"));
    objects.addAll(DeployedFiles.resources("production"));
    assertThat(objects)
        .extracting(object -> object.path("kind").asText())
        .containsExactlyInAnyOrder(
            "StatefulSet",
            "PodDisruptionBudget",
            "Service",
            "NetworkPolicy",
            "NetworkPolicy",
            "NetworkPolicy",
            "ServiceMonitor");
    for (JsonNode object : objects) {
      assertThat(DeploymentSchemas.objectViolations(object))
          .as(object.path("kind").asText())
          .isEmpty();
    }
  }

  @Test
  void shouldNoticeWhatAReaderWouldRefuse() throws Exception {
    assertRefused(compose -> compose.put("sevrices", "x"));
    assertRefused(compose -> at(compose, "/services/app-1").put("read_onyl", true));
    assertRefused(compose -> at(compose, "/services/app-1").put("cap_drop", "ALL"));
    assertRefused(compose -> at(compose, "/secrets/noise.key").put("file", 7));
    assertRefusedPod(pod -> pod.put("terminationGracePeriod", 60));
    assertRefusedPod(pod -> at(pod, "/securityContext").put("runAsUser", "10001"));
    assertRefusedPod(pod -> pod.remove("containers"));
    assertRefusedPod(pod -> at(pod, "/containers/0").remove("name"));
    assertRefusedPod(pod -> at(pod, "/containers/0/startupProbe/httpGet").remove("port"));
    assertRefusedPod(pod -> at(pod, "/containers/0/startupProbe").put("periodSeconds", 1.5));
    assertRefusedPod(pod -> pod.putArray("hostAliases").addObject().putArray("hostnames"));
    assertRefusedMonitor(monitor -> at(monitor, "/spec").remove("endpoints"));
    assertRefusedMonitor(monitor -> at(monitor, "/spec").put("selektor", "x"));
    assertRefusedMonitor(monitor -> at(monitor, "/spec/endpoints/0").put("interval", "30 s"));
    assertRefusedMonitor(
        monitor -> at(monitor, "/spec/endpoints/0/authorization/credentials").remove("key"));
  }

  private static void assertRefused(Consumer<ObjectNode> mistake) throws IOException {
    ObjectNode compose = (ObjectNode) DeployedFiles.compose();
    mistake.accept(compose);
    assertThat(DeploymentSchemas.violations("compose", compose)).isNotEmpty();
  }

  private static void assertRefusedPod(Consumer<ObjectNode> mistake) throws IOException {
    assertRefused(DeployedFiles.statefulSet(), "/spec/template/spec", mistake);
  }

  private static void assertRefusedMonitor(Consumer<ObjectNode> mistake) throws IOException {
    JsonNode monitor =
        DeployedFiles.resources("production").stream()
            .filter(object -> object.path("kind").asText().equals("ServiceMonitor"))
            .findFirst()
            .orElseThrow();
    assertRefused(monitor, "", mistake);
  }

  private static void assertRefused(JsonNode object, String place, Consumer<ObjectNode> mistake)
      throws IOException {
    mistake.accept(at(object, place));
    assertThat(DeploymentSchemas.objectViolations(object)).isNotEmpty();
  }

  private static ObjectNode at(JsonNode root, String place) {
    return (ObjectNode) root.at(place);
  }
}
