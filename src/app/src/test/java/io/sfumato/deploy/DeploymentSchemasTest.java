// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * The deployment's files against what their readers take; where the schemas come from says the
 * README beside them.
 */
class DeploymentSchemasTest {
  private static final List<String> KINDS =
      List.of("StatefulSet", "PodDisruptionBudget", "Service", "NetworkPolicy");

  @Test
  void shouldBeAComposeFile() throws Exception {
    assertThat(violations("compose", DeployedFiles.compose())).isEmpty();
  }

  @Test
  void shouldBeKubernetesObjects() throws Exception {
    List<JsonNode> documents = DeployedFiles.kubernetes();
    assertThat(documents).extracting(d -> d.path("kind").asText()).isEqualTo(KINDS);
    for (JsonNode document : documents) {
      assertThat(violations("kubernetes", document)).as(document.path("kind").asText()).isEmpty();
    }
  }

  @Test
  void shouldNoticeWhatAReaderWouldRefuse() throws Exception {
    assertRefused(compose -> compose.put("sevrices", "x"));
    assertRefused(compose -> at(compose, "/services/app-1").put("read_onyl", true));
    assertRefused(compose -> at(compose, "/services/app-1").put("cap_drop", "ALL"));
    assertRefused(compose -> at(compose, "/secrets/noise.key").put("file", 7));
    assertRefusedObject(pod -> pod.put("terminationGracePeriod", 60));
    assertRefusedObject(pod -> at(pod, "/securityContext").put("runAsUser", "10001"));
    assertRefusedObject(pod -> pod.remove("containers"));
    assertRefusedObject(pod -> at(pod, "/containers/0").remove("name"));
    assertRefusedObject(pod -> at(pod, "/containers/0/startupProbe/httpGet").remove("port"));
    assertRefusedObject(pod -> at(pod, "/containers/0/startupProbe").put("periodSeconds", 1.5));
    assertRefusedObject(pod -> pod.putArray("hostAliases").addObject().putArray("hostnames"));
  }

  private static void assertRefused(Consumer<ObjectNode> mistake) throws IOException {
    ObjectNode compose = (ObjectNode) DeployedFiles.compose();
    mistake.accept(compose);
    assertThat(violations("compose", compose)).isNotEmpty();
  }

  private static void assertRefusedObject(Consumer<ObjectNode> mistake) throws IOException {
    ObjectNode object = (ObjectNode) DeployedFiles.kubernetes().get(0);
    mistake.accept(at(object, "/spec/template/spec"));
    assertThat(violations("kubernetes", object)).isNotEmpty();
  }

  private static ObjectNode at(JsonNode root, String place) {
    return (ObjectNode) root.at(place);
  }

  /**
   * Each object of Kubernetes is held against its own kind, for messages that say what is wrong.
   */
  private static Set<ValidationMessage> violations(String name, JsonNode document)
      throws IOException {
    try (InputStream in =
        DeploymentSchemasTest.class.getResourceAsStream("/schemas/" + name + ".schema.json")) {
      ObjectNode schema = (ObjectNode) new ObjectMapper().readTree(in);
      // Nobody has to look it up: it is draft 7, as said here.
      schema.remove(List.of("$schema", "$id"));
      if (name.equals("kubernetes")) {
        int kind = KINDS.indexOf(document.path("kind").asText());
        schema.set("allOf", schema.arrayNode().add(schema.remove("oneOf").get(kind)));
      }
      JsonSchema draft7 =
          JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7).getSchema(schema);
      return draft7.validate(document);
    }
  }
}
