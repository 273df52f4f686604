// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;

/** What readers of the deployment's files accept. The README beside the schemas has the sources. */
final class DeploymentSchemas {
  private static final String KUBERNETES = "kubernetes";

  private DeploymentSchemas() {}

  /** What a reader would refuse of a file. */
  static Set<ValidationMessage> violations(String name, JsonNode document) throws IOException {
    return violations(schema(name), VersionFlag.V7, document);
  }

  /** What an editor would refuse of a dev container: its schema uses a word of a later draft. */
  static Set<ValidationMessage> devContainerViolations(JsonNode document) throws IOException {
    return violations(schema("devContainer"), VersionFlag.V201909, document);
  }

  /** What a cluster would refuse of an object, held against its own kind for clear messages. */
  static Set<ValidationMessage> objectViolations(JsonNode object) throws IOException {
    ObjectNode schema = schema(KUBERNETES);
    JsonNode kinds = schema.remove("oneOf");
    schema.set("allOf", schema.arrayNode().add(ofKind(schema.path("definitions"), kinds, object)));
    return violations(schema, VersionFlag.V7, object);
  }

  private static JsonNode ofKind(JsonNode definitions, JsonNode kinds, JsonNode object) {
    for (JsonNode kind : kinds) {
      String name = kind.path("$ref").asText().substring("#/definitions/".length());
      JsonNode properties = definitions.path(name).path("properties");
      if (properties.at("/kind/const").equals(object.path("kind"))
          && properties.at("/apiVersion/const").equals(object.path("apiVersion"))) {
        return kind;
      }
    }
    throw new IllegalArgumentException("no schema of this kind: " + object);
  }

  private static ObjectNode schema(String name) throws IOException {
    try (InputStream in =
        DeploymentSchemas.class.getResourceAsStream("/schemas/" + name + ".schema.json")) {
      ObjectNode schema = (ObjectNode) new ObjectMapper().readTree(in);
      // Nothing has to be looked up: the caller says which draft it is.
      schema.remove(List.of("$schema", "$id"));
      return schema;
    }
  }

  private static Set<ValidationMessage> violations(
      JsonNode schema, VersionFlag draft, JsonNode document) {
    return JsonSchemaFactory.getInstance(draft).getSchema(schema).validate(document);
  }
}
