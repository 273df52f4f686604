// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.ops.http.HttpSettings;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The dev container for authors of pipeline files. ImageIT runs its command in the image that it
 * names.
 */
class DevContainerTest {
  @Test
  void shouldBeADevContainer() throws Exception {
    assertThat(DeploymentSchemas.devContainerViolations(DeployedFiles.devContainer())).isEmpty();
  }

  @Test
  void shouldNoticeWhatAnEditorWouldRefuse() throws Exception {
    List<ObjectNode> wrong = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      wrong.add((ObjectNode) DeployedFiles.devContainer());
    }
    wrong.get(0).put("remoteUsr", "sfumato");
    wrong.get(1).remove("image");
    wrong.get(2).put("securityOpt", "no-new-privileges:true");
    wrong.get(3).putArray("forwardPorts").add(80_850);
    ((ObjectNode) wrong.get(4).at("/portsAttributes/8085")).put("onAutoForward", "tell");
    for (ObjectNode file : wrong) {
      assertThat(DeploymentSchemas.devContainerViolations(file)).as(file.toString()).isNotEmpty();
    }
  }

  /** It needs neither a checkout nor a build: nothing is copied, mounted or downloaded. */
  @Test
  void shouldNeedTheImageAlone() throws Exception {
    JsonNode file = DeployedFiles.devContainer();
    assertThat(file.path("image").asText()).isEqualTo("sfumato-demo");
    for (String more : List.of("build", "dockerComposeFile", "features", "mounts", "runArgs")) {
      assertThat(file.has(more)).as(more).isFalse();
    }
    String dockerfile = Files.readString(DeployedFiles.DOCKER.resolve("Dockerfile"));
    String user = file.path("remoteUser").asText();
    assertThat(dockerfile).contains(" --shell /usr/sbin/nologin " + user + " ");
    assertThat(file.at("/containerEnv/SHELL").asText())
        .as("a user without a shell")
        .isEqualTo("/bin/bash");
    assertThat(file.path("forwardPorts")).hasSize(1);
    assertThat(file.path("forwardPorts").get(0).asInt()).isEqualTo(HttpSettings.DEFAULT_PORT);
    assertThat(file.path("portsAttributes").has(Integer.toString(HttpSettings.DEFAULT_PORT)))
        .isTrue();
  }

  /** The editor reads the schema where the first command has written it. */
  @Test
  void shouldCompleteWithTheSchemaOfTheImage() throws Exception {
    JsonNode file = DeployedFiles.devContainer();
    String home = "/var/lib/sfumato";
    assertThat(Files.readString(DeployedFiles.DOCKER.resolve("Dockerfile")))
        .contains("--home-dir " + home + " ");
    assertThat(file.path("postCreateCommand").asText())
        .isEqualTo("sfumato schema > ~/pipeline.schema.json");
    JsonNode vscode = file.at("/customizations/vscode");
    assertThat(DeployedFiles.texts(vscode.path("extensions"))).contains("redhat.vscode-yaml");
    assertThat(vscode.path("settings").path("yaml.schemas").properties())
        .singleElement()
        .satisfies(schema -> assertThat(schema.getKey()).isEqualTo(home + "/pipeline.schema.json"));
  }
}
