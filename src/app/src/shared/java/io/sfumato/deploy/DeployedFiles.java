// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.yaml.snakeyaml.Yaml;

/** What stands in the deployment's files. */
final class DeployedFiles {
  static final Path DOCKER = Path.of("docker");

  private static final ObjectMapper JSON = new ObjectMapper();

  private DeployedFiles() {}

  static JsonNode compose() throws IOException {
    // Read by SnakeYAML itself, which knows merge keys.
    Object read = new Yaml().load(Files.readString(DOCKER.resolve("compose.yaml")));
    return JSON.valueToTree(read);
  }

  static List<JsonNode> kubernetes() throws IOException {
    List<JsonNode> documents = new ArrayList<>();
    for (Object read :
        new Yaml().loadAll(Files.readString(DOCKER.resolve("kubernetes/sfumato.yaml")))) {
      documents.add(JSON.valueToTree(read));
    }
    return documents;
  }

  /** The containers of all pods. */
  static List<JsonNode> containers() throws IOException {
    List<JsonNode> containers = new ArrayList<>();
    for (JsonNode document : kubernetes()) {
      document.at("/spec/template/spec/containers").forEach(containers::add);
    }
    return containers;
  }

  static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }
}
