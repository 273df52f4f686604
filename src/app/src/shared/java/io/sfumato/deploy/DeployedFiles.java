// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.Yaml;

/** What stands in the deployment's files. */
final class DeployedFiles {
  static final Path DOCKER = Path.of("docker");
  static final Path KUBERNETES = DOCKER.resolve("kubernetes");

  private static final Pattern CREATED =
      Pattern.compile("create secret generic ([\\w-]+) --from-file=(?:\\S*/)?([\\w.-]+)");

  private static final ObjectMapper JSON = new ObjectMapper();

  private DeployedFiles() {}

  static JsonNode compose() throws IOException {
    return documents(DOCKER.resolve("compose.yaml")).get(0);
  }

  /** The dev container for authors of pipeline files: JSON with comments. */
  static JsonNode devContainer() throws IOException {
    return JsonMapper.builder()
        .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
        .build()
        .readTree(Files.readString(Path.of(".devcontainer", "devcontainer.json")));
  }

  /** The documents of a YAML file. */
  static List<JsonNode> documents(Path file) throws IOException {
    return documents(Files.readString(file));
  }

  /** The documents of a YAML text, read by SnakeYAML itself, which knows merge keys. */
  static List<JsonNode> documents(String text) {
    List<JsonNode> documents = new ArrayList<>();
    for (Object read : new Yaml().loadAll(text)) {
      documents.add(JSON.valueToTree(read));
    }
    return documents;
  }

  /** What the resources of a kustomization are, as they are before anything is rendered. */
  static List<JsonNode> resources(String kustomization) throws IOException {
    Path folder = KUBERNETES.resolve(kustomization);
    List<JsonNode> resources = new ArrayList<>();
    for (String file :
        texts(documents(folder.resolve("kustomization.yaml")).get(0).path("resources"))) {
      resources.addAll(documents(folder.resolve(file)));
    }
    return resources;
  }

  /** The stateful set that all overlays share. */
  static JsonNode statefulSet() throws IOException {
    return resources("base").stream()
        .filter(resource -> resource.path("kind").asText().equals("StatefulSet"))
        .findFirst()
        .orElseThrow();
  }

  /** The containers of its pods. */
  static List<JsonNode> containers() throws IOException {
    List<JsonNode> containers = new ArrayList<>();
    statefulSet().at("/spec/template/spec/containers").forEach(containers::add);
    return containers;
  }

  /** Secrets that the page for operators creates, with the names of their files. */
  static Map<String, Set<String>> createdSecrets() throws IOException {
    Map<String, Set<String>> created = new TreeMap<>();
    CREATED
        .matcher(Files.readString(Path.of("docs", "operate", "kubernetes.md")))
        .results()
        .forEach(
            found ->
                created
                    .computeIfAbsent(found.group(1), secret -> new TreeSet<>())
                    .add(found.group(2)));
    return created;
  }

  static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }
}
