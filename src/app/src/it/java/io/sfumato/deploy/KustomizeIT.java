// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.PipelineFile;
import io.sfumato.runtime.Processes;
import io.sfumato.runtime.TestCluster;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The overlays as kubectl renders them, without a cluster: Debian's is from 2021. To try others
 * beside it, name them in {@code -Dsfumato.kubectl=kubectl:/path/to/another}.
 */
@Tag("release")
class KustomizeIT {
  private static final String PIPELINE = "pipeline.yaml";

  /** What Kustomize appends to the name of a generated object. */
  private static final String HASH = "-[a-z0-9]{10}\"";

  private static final Map<String, List<JsonNode>> RENDERED = new HashMap<>();

  @TempDir Path folder;

  private static List<String> kubectls() {
    return List.of(System.getProperty("sfumato.kubectl", "kubectl").split(File.pathSeparator));
  }

  private List<JsonNode> rendered(String overlay) throws Exception {
    return rendered(kubectls().get(0), overlay);
  }

  private List<JsonNode> rendered(String kubectl, String overlay) throws Exception {
    String key = kubectl + " " + overlay;
    if (!RENDERED.containsKey(key)) {
      Path out = Files.createTempFile(folder, "rendered", ".yaml");
      Path err = Files.createTempFile(folder, "error", ".log");
      ProcessBuilder builder =
          new ProcessBuilder(
                  kubectl, "kustomize", DeployedFiles.KUBERNETES.resolve(overlay).toString())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().put("KUBECONFIG", "/dev/null");
      builder.environment().put("HOME", folder.toString());
      Process process = builder.start();
      boolean ended = process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      Processes.kill(List.of(process));
      assertThat(ended && process.exitValue() == 0)
          .as("%s: %s", key, Files.readString(err))
          .isTrue();
      RENDERED.put(key, DeployedFiles.documents(out));
    }
    return RENDERED.get(key).stream().map(object -> object.<JsonNode>deepCopy()).toList();
  }

  private static List<JsonNode> of(String kind, List<JsonNode> objects) {
    return new ClusterObjects(objects).of(kind);
  }

  private static Set<String> kinds(List<JsonNode> objects) {
    Set<String> kinds = new TreeSet<>();
    objects.forEach(object -> kinds.add(object.path("kind").asText()));
    return kinds;
  }

  @ParameterizedTest
  @ValueSource(strings = {"trial", "production", "twenty-tenants"})
  void shouldRenderWhatClustersTake(String overlay) throws Exception {
    for (String kubectl : kubectls()) {
      List<JsonNode> objects = rendered(kubectl, overlay);
      assertThat(objects).as("%s with %s", overlay, kubectl).hasSizeGreaterThan(4);
      for (JsonNode object : objects) {
        assertThat(DeploymentSchemas.objectViolations(object)).as(object.toString()).isEmpty();
        assertThat(ClusterObjects.namespace(object)).as(object.toString()).isNotEmpty();
      }
      assertThat(ClusterRules.problems(objects, DeployedFiles.createdSecrets())).isEmpty();
      assertThat(comparable(objects)).isEqualTo(comparable(rendered(overlay)));
    }
  }

  /** Versions of kubectl differ in order, in hashes and in what they leave empty. */
  private static List<String> comparable(List<JsonNode> objects) {
    List<String> comparable = new ArrayList<>();
    for (JsonNode object : objects) {
      ObjectNode metadata = (ObjectNode) object.path("metadata");
      for (String map : List.of("annotations", "labels")) {
        if (metadata.path(map).isEmpty()) {
          metadata.remove(map);
        }
      }
      comparable.add(object.toString().replaceAll(HASH, "\""));
    }
    comparable.sort(Comparator.naturalOrder());
    return comparable;
  }

  @Test
  void shouldKeepATrialToItself() throws Exception {
    List<JsonNode> trial = rendered("trial");
    assertThat(kinds(trial))
        .containsExactly(
            "ConfigMap", "NetworkPolicy", "PodDisruptionBudget", "Service", "StatefulSet");
    JsonNode pod = of("StatefulSet", trial).get(0).at("/spec/template/spec");
    assertThat(pod.findValues("secret")).as("a trial needs no secret").isEmpty();
    assertThat(PodRules.containers(pod))
        .hasSize(2)
        .allSatisfy(
            container -> {
              assertThat(container.path("image").asText()).isEqualTo("sfumato-demo:trial");
              assertThat(DeployedFiles.texts(container.path("args"))).doesNotContain("--host");
            });
    // The file beside it is the one that the program shows by itself.
    assertThat(DeployedFiles.documents(DeployedFiles.KUBERNETES.resolve("trial/" + PIPELINE)))
        .isEqualTo(DeployedFiles.documents(Path.of("topology/demo.yaml")));
  }

  @Test
  void shouldSurviveANodeAndAZoneInProduction() throws Exception {
    List<JsonNode> production = rendered("production");
    assertThat(kinds(production))
        .containsExactly(
            "ConfigMap",
            "NetworkPolicy",
            "PodDisruptionBudget",
            "Service",
            "ServiceMonitor",
            "StatefulSet");
    JsonNode set = of("StatefulSet", production).get(0);
    assertThat(set.at("/spec/replicas").asInt()).isGreaterThan(1);
    assertThat(
            set.at("/spec/template/spec/topologySpreadConstraints").findValuesAsText("topologyKey"))
        .containsExactly("kubernetes.io/hostname", "topology.kubernetes.io/zone");
    assertThat(set.at("/spec/template/spec/terminationGracePeriodSeconds").asInt())
        .isGreaterThan(30);
    assertThat(set.findValuesAsText("image"))
        .singleElement()
        .asString()
        .as("the digest is yours to write")
        .matches("registry\\.example\\.com/sfumato@sha256:0{64}");
  }

  /** Namespaces keep them apart: nobody mounts a secret of another one. */
  @Test
  void shouldGiveEachTenantANamespaceOfItsOwn() throws Exception {
    List<JsonNode> tenants = rendered("twenty-tenants");
    List<JsonNode> sets = of("StatefulSet", tenants);
    assertThat(sets).hasSize(20);
    assertThat(sets.stream().map(ClusterObjects::namespace).distinct()).hasSize(20);
    Set<String> names = new HashSet<>();
    for (JsonNode map : of("ConfigMap", tenants)) {
      Path file = folder.resolve(ClusterObjects.namespace(map) + ".yaml");
      Files.writeString(file, map.path("data").path(PIPELINE).asText());
      Pipeline pipeline = PipelineFile.read(file);
      assertThat(pipeline.name()).isEqualTo(ClusterObjects.namespace(map));
      List<String> own = new ArrayList<>(pipeline.writtenTopics());
      own.add(pipeline.controlTopic());
      own.add(pipeline.candidatesTopic());
      own.add("budget " + pipeline.budget().name());
      pipeline.input().topics().names().forEach(topic -> own.add("input " + topic));
      assertThat(own)
          .hasSizeGreaterThan(5)
          .allSatisfy(name -> assertThat(names.add(name)).isTrue());
    }
    // What one tenant has, all have.
    for (String kind : kinds(tenants)) {
      assertThat(of(kind, tenants).stream().map(ClusterObjects::namespace).distinct())
          .as(kind)
          .hasSize(20);
    }
  }
}
