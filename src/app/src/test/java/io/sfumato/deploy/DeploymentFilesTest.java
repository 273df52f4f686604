// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import static io.sfumato.deploy.DeployedFiles.DOCKER;
import static io.sfumato.deploy.DeployedFiles.compose;
import static io.sfumato.deploy.DeployedFiles.containers;
import static io.sfumato.deploy.DeployedFiles.statefulSet;
import static io.sfumato.deploy.DeployedFiles.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sfumato.ops.http.HttpSettings;
import io.sfumato.release.PipelineFile;
import io.sfumato.testkit.Places;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What can be said of the deployment's files without an engine that runs them. */
class DeploymentFilesTest {
  private static final Pattern VARIABLE = Pattern.compile("SFUMATO_[A-Z_]+");
  private static final String KAFKA = "SFUMATO_KAFKA_";

  @Test
  void shouldSetNoVariableThatNobodyReads() throws Exception {
    Set<String> read = new TreeSet<>();
    for (Path file : Places.java(Places.main())) {
      Matcher matcher = VARIABLE.matcher(Files.readString(file));
      while (matcher.find()) {
        read.add(matcher.group());
      }
    }
    read.addAll(
        VARIABLE
            .matcher(Files.readString(Path.of("src/app/src/main/resources/logback.xml")))
            .results()
            .map(r -> r.group())
            .toList());
    read.addAll(
        VARIABLE
            .matcher(Files.readString(Path.of("bin/sfumato")))
            .results()
            .map(r -> r.group())
            .toList());
    Set<String> set = new TreeSet<>();
    compose()
        .path("services")
        .forEach(service -> service.path("environment").fieldNames().forEachRemaining(set::add));
    trial()
        .path("services")
        .forEach(service -> service.path("environment").fieldNames().forEachRemaining(set::add));
    DeployedFiles.devContainer().path("containerEnv").fieldNames().forEachRemaining(set::add);
    List<JsonNode> containers = new ArrayList<>(containers());
    DeployedFiles.documents(DeployedFiles.KUBERNETES.resolve("trial/pod.yaml"))
        .get(0)
        .at("/spec/template/spec/containers")
        .forEach(containers::add);
    for (JsonNode container : containers) {
      container.path("env").forEach(variable -> set.add(variable.path("name").asText()));
    }
    VARIABLE
        .matcher(Files.readString(DOCKER.resolve("Dockerfile")))
        .results()
        .forEach(result -> set.add(result.group()));
    Set<String> ours =
        set.stream().filter(n -> n.startsWith("SFUMATO_")).collect(Collectors.toSet());
    assertThat(ours).hasSizeGreaterThan(3);
    for (String name : ours) {
      // A prefix names any Kafka setting.
      assertThat(read.contains(name) || name.startsWith(KAFKA) && read.contains(KAFKA))
          .as(name)
          .isTrue();
    }
  }

  @Test
  void shouldReferToWhatIsThere() throws Exception {
    JsonNode compose = compose();
    Set<String> services = names(compose.path("services"));
    Set<String> volumes = names(compose.path("volumes"));
    Set<String> secrets = names(compose.path("secrets"));
    assertThat(secrets).containsExactly("http.token", "noise.key");
    Set<String> ports = new HashSet<>();
    assertThat(services)
        .contains("kafka-1", "kafka-2", "kafka-3", "app-1", "app-2", "prometheus", "grafana");
    compose
        .path("services")
        .properties()
        .forEach(
            entry -> {
              JsonNode service = entry.getValue();
              assertThat(service.path("image").asText())
                  .as(entry.getKey())
                  .matches("sfumato|[a-z/]+:v?\\d+(\\.\\d+)+@sha256:[0-9a-f]{64}");
              JsonNode depends = service.path("depends_on");
              assertThat(services).containsAll(depends.isArray() ? texts(depends) : names(depends));
              assertThat(secrets).containsAll(texts(service.path("secrets")));
              for (String mount : texts(service.path("volumes"))) {
                String source = mount.substring(0, mount.indexOf(':'));
                if (source.startsWith(".")) {
                  assertThat(DOCKER.resolve(source)).exists();
                } else {
                  assertThat(volumes).contains(source);
                }
              }
              for (String port : texts(service.path("ports"))) {
                assertThat(port).as("this machine alone").startsWith("127.0.0.1:");
                assertThat(ports.add(port.split(":")[1])).as(port).isTrue();
              }
            });
  }

  /** The file and the image are enough: nothing is built, and nothing of the machine is mounted. */
  @Test
  void shouldTryItWithTheImageAlone() throws Exception {
    JsonNode trial = trial();
    assertThat(names(trial)).containsExactlyInAnyOrder("name", "x-app", "services", "volumes");
    assertThat(names(trial.path("services"))).containsExactlyInAnyOrder("sfumato", "producer");
    for (JsonNode service : trial.path("services")) {
      assertThat(service.path("image").asText()).isEqualTo("${SFUMATO_IMAGE:-sfumato-demo}");
      assertThat(service.has("build")).isFalse();
      assertThat(service.path("read_only").asBoolean()).isTrue();
      assertThat(texts(service.path("cap_drop"))).contains("ALL");
      assertThat(texts(service.path("volumes"))).containsExactly("trial:/var/lib/sfumato");
      for (String port : texts(service.path("ports"))) {
        assertThat(port).as("this machine alone").startsWith("127.0.0.1:");
      }
      for (String argument : texts(service.path("command"))) {
        Path inImage = Path.of("/opt/sfumato");
        if (argument.startsWith("/")) {
          assertThat(inImage.relativize(Path.of(argument))).exists();
        }
      }
    }
  }

  /** One that the program would refuse shows only when a pod starts. */
  @Test
  void shouldHaveAPipelineFileInEveryOverlay() throws Exception {
    Path tenants = DeployedFiles.KUBERNETES.resolve("twenty-tenants");
    Set<String> listed =
        new TreeSet<>(
            texts(
                DeployedFiles.documents(tenants.resolve("kustomization.yaml"))
                    .get(0)
                    .path("bases")));
    assertThat(listed).hasSize(20);
    try (Stream<Path> files = Files.walk(DeployedFiles.KUBERNETES)) {
      List<Path> pipelines = files.filter(file -> file.endsWith("pipeline.yaml")).toList();
      assertThat(pipelines).hasSize(22);
      for (Path pipeline : pipelines) {
        assertThat(PipelineFile.read(pipeline).releases()).as(pipeline.toString()).isNotEmpty();
        assertThat(pipeline.resolveSibling("kustomization.yaml")).exists();
        if (pipeline.startsWith(tenants)) {
          assertThat(listed).contains(pipeline.getParent().getFileName().toString());
        }
      }
    }
  }

  /** Each secret that the page creates is one that a pod mounts or Prometheus sends. */
  @Test
  void shouldCreateNoSecretThatNobodyReads() throws Exception {
    assertThat(DeployedFiles.createdSecrets().keySet())
        .containsExactlyInAnyOrderElementsOf(statefulSet().findValuesAsText("secretName"))
        .hasSize(3);
  }

  @Test
  void shouldRunTheAppWithoutRights() throws Exception {
    for (String app : List.of("app-1", "app-2")) {
      JsonNode service = compose().path("services").path(app);
      assertThat(service.path("read_only").asBoolean()).isTrue();
      assertThat(texts(service.path("cap_drop"))).contains("ALL");
      assertThat(service.path("stop_grace_period").asText()).isEqualTo("45s");
    }
    String dockerfile = Files.readString(DOCKER.resolve("Dockerfile"));
    assertThat(dockerfile).contains("USER 10001").contains("ENTRYPOINT [").contains("HEALTHCHECK");
    List<JsonNode> containers = containers();
    assertThat(containers).hasSize(1);
    JsonNode container = containers.get(0);
    assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean()).isTrue();
    Map<String, String> probes = new HashMap<>();
    for (String kind : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
      probes.put(kind, container.path(kind).at("/httpGet/path").asText());
      assertThat(container.path(kind).at("/httpGet/port").asText()).isEqualTo("probes");
    }
    assertThat(texts(container.path("args"))).containsSequence("--probe-port", "8086");
    assertThat(container.path("ports"))
        .anySatisfy(
            port -> {
              assertThat(port.path("name").asText()).isEqualTo("probes");
              assertThat(port.path("containerPort").asInt()).isEqualTo(8086);
            });
    assertThat(dockerfile).contains("/dev/tcp/127.0.0.1/" + HttpSettings.DEFAULT_PROBE_PORT);
    assertThat(probes)
        .containsEntry("startupProbe", "/startupz")
        .containsEntry("livenessProbe", "/livez")
        .containsEntry("readinessProbe", "/readyz");
  }

  /** The environment of a process is seen by whoever may inspect it. */
  @Test
  void shouldGiveSecretsAsFilesThatTheProgramIsTold() throws Exception {
    String compose = Files.readString(DOCKER.resolve("compose.yaml"));
    assertThat(compose).doesNotContain("SFUMATO_NOISE_SECRET", "SFUMATO_HTTP_TOKEN");
    for (String app : List.of("app-1", "app-2")) {
      JsonNode service = compose().path("services").path(app);
      assertThat(texts(service.path("secrets"))).containsExactly("noise.key", "http.token");
      assertThat(texts(service.path("command")))
          .containsSequence("--secret-file", "/run/secrets/noise.key")
          .containsSequence("--token-file", "/run/secrets/http.token");
    }
    assertThat(texts(compose().path("services").path("producer").path("secrets"))).isEmpty();
    assertThat(Files.readString(Path.of(".gitignore"))).contains("docker/secrets/");
    for (JsonNode container : containers()) {
      List<String> arguments = texts(container.path("args"));
      List<String> mounted = new ArrayList<>();
      container.path("volumeMounts").forEach(m -> mounted.add(m.path("mountPath").asText()));
      for (String option : List.of("--config", "--secret-file", "--token-file")) {
        Path file = Path.of(arguments.get(arguments.indexOf(option) + 1));
        assertThat(mounted).contains(file.getParent().toString());
      }
      container
          .path("env")
          .forEach(
              e ->
                  assertThat(e.path("name").asText())
                      .doesNotContain("SECRET", "TOKEN", "JAAS", "PASSWORD"));
    }
  }

  /** Kubelet opens what is in a volume to fsGroup, each time anew unless it is told not to. */
  @Test
  void shouldKeepAVolumesStateForItsOwner() throws Exception {
    JsonNode pod = statefulSet().at("/spec/template/spec");
    JsonNode context = pod.path("securityContext");
    assertThat(context.path("fsGroup").asInt()).isEqualTo(10_001);
    assertThat(context.path("runAsUser").asInt()).isEqualTo(10_001);
    assertThat(context.path("runAsGroup").asInt()).isEqualTo(10_001);
    assertThat(context.path("fsGroupChangePolicy").asText()).isEqualTo("OnRootMismatch");
    JsonNode container = containers().get(0);
    List<String> arguments = texts(container.path("args"));
    Path data = Path.of(arguments.get(arguments.indexOf("--data") + 1));
    List<String> mounted = new ArrayList<>();
    container.path("volumeMounts").forEach(m -> mounted.add(m.path("mountPath").asText()));
    assertThat(mounted)
        .as("the volume's root is not the process's")
        .contains(data.getParent().toString())
        .doesNotContain(data.toString());
    pod.path("volumes")
        .forEach(
            volume -> {
              if (volume.has("secret")) {
                assertThat(volume.at("/secret/defaultMode").asInt()).isEqualTo(0440);
              }
            });
  }

  private static JsonNode trial() throws IOException {
    return DeployedFiles.documents(DOCKER.resolve("compose.trial.yaml")).get(0);
  }

  private static Set<String> names(JsonNode node) {
    Set<String> names = new TreeSet<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
