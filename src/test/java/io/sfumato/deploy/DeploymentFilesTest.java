// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
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
import org.yaml.snakeyaml.Yaml;

/** What can be said of the deployment's files without an engine that runs them. */
class DeploymentFilesTest {
  private static final Path DOCKER = Path.of("docker");
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Pattern VARIABLE = Pattern.compile("SFUMATO_[A-Z_]+");
  private static final String KAFKA = "SFUMATO_KAFKA_";

  @Test
  void shouldSetNoVariableThatNobodyReads() throws Exception {
    Set<String> read = new TreeSet<>();
    try (Stream<Path> files = Files.walk(Path.of("src/main"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Matcher matcher = VARIABLE.matcher(Files.readString(file));
        while (matcher.find()) {
          read.add(matcher.group());
        }
      }
    }
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
    for (JsonNode container : containers()) {
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
    Set<String> configs = names(compose.path("configs"));
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
              service
                  .path("configs")
                  .forEach(c -> assertThat(configs).contains(c.path("source").asText()));
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
    }
    assertThat(probes)
        .containsEntry("startupProbe", "/startupz")
        .containsEntry("livenessProbe", "/livez")
        .containsEntry("readinessProbe", "/readyz");
  }

  private static JsonNode compose() throws Exception {
    // Read by SnakeYAML itself, which knows merge keys.
    Object read = new Yaml().load(Files.readString(DOCKER.resolve("compose.yaml")));
    return new ObjectMapper().valueToTree(read);
  }

  private static List<JsonNode> containers() throws Exception {
    List<JsonNode> containers = new ArrayList<>();
    try (MappingIterator<JsonNode> documents =
        YAML.readerFor(JsonNode.class)
            .readValues(DOCKER.resolve("kubernetes/sfumato.yaml").toFile())) {
      while (documents.hasNext()) {
        documents.next().at("/spec/template/spec/containers").forEach(containers::add);
      }
    }
    return containers;
  }

  private static Set<String> names(JsonNode node) {
    Set<String> names = new TreeSet<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }
}
