// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.sfumato.pipeline.FieldSpec;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.YamlText;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.PipelineSchema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every field of the pipeline file is declared once: the program, its JSON Schema and its reference
 * agree.
 */
class PipelineFieldsTest {
  private static final Path SCHEMA = Path.of("schemas", PipelineSchema.FILE);
  private static final Path PAGE = Path.of("docs", "reference", "pipeline-file.md");
  private static final JsonSchema PARSED =
      JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7).getSchema(PipelineSchema.text());

  private static void compare(Path file, String made) throws Exception {
    if ("write".equals(System.getProperty("sfumato.golden"))) {
      Files.writeString(file, made);
    }
    assertThat(Files.readString(file))
        .as("%s: -Dsfumato.golden=write writes it again", file)
        .isEqualTo(made);
  }

  @Test
  void shouldHaveTheSchemaThatTheProgramPrints() throws Exception {
    compare(SCHEMA, PipelineSchema.text());
  }

  @Test
  void shouldHaveAReferenceOfAllFields() throws Exception {
    compare(PAGE, FieldsPage.text());
  }

  static List<Path> examples() throws Exception {
    try (Stream<Path> files = Files.walk(Path.of("topology"))) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  private static JsonNode tree(String name, String yaml) {
    try {
      return YamlText.read(name, yaml);
    } catch (PipelineFileException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void shouldAcceptEveryExampleFile(Path file) throws Exception {
    String yaml = Files.readString(file);
    assertThat(PARSED.validate(tree(file.toString(), yaml))).isEmpty();
    Path schema = file.getParent().relativize(Path.of("schemas", PipelineSchema.FILE));
    assertThat(yaml).startsWith("# yaml-language-server: $schema=%s\n".formatted(schema));
  }

  static List<DeclaredField> declared() {
    return DeclaredField.all();
  }

  /** All but Kafka's properties and filters, which may have any names. */
  static List<DeclaredField> closed() {
    return declared().stream()
        .filter(field -> !field.path().equals("kafka") && !field.field().name().equals("where"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("declared")
  void shouldDescribeEachFieldWithAnExampleThatItAccepts(DeclaredField declared) {
    FieldSpec<?> field = declared.field();
    assertThat(field.about().meaning()).endsWith(".").hasSizeGreaterThan(10);
    assertThat(field.about().example()).isNotEmpty();
    if (field.about().example().contains("…")) {
      return;
    }
    JsonNode example = tree("example", "x: " + field.about().example()).get("x");
    assertThat(field.type().read(example)).as("%s", example).isPresent();
    JsonSchema schema =
        JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7).getSchema(field.type().schema());
    assertThat(schema.validate(example)).as("%s", example).isEmpty();
  }

  /** The program asks for each field that the schema knows, and refuses the others. */
  @ParameterizedTest
  @MethodSource("declared")
  void shouldReadEachField(DeclaredField declared) throws Exception {
    JsonNode file = FieldFiles.with(declared.pointer());
    JsonNode parent = file.at(declared.pointer().substring(0, declared.pointer().lastIndexOf('/')));
    assertThat(parent.isObject())
        .as("a file that has the mapping of %s", declared.pointer())
        .isTrue();
    ((ObjectNode) parent)
        .set(
            declared.field().name(),
            tree("x", "x: " + declared.field().about().example().replace("…", "")).get("x"));
    assertThat(problems(file.toString()))
        .noneMatch(problem -> problem.contains(declared.field().name() + "': unknown"));
    ((ObjectNode) parent).put("no-such-field", 1);
    assertThat(problems(file.toString()))
        .anyMatch(problem -> problem.contains("no-such-field': unknown"));
  }

  private static List<String> problems(String yaml) {
    PipelineFileException refused =
        catchThrowableOfType(PipelineFileException.class, () -> PipelineFile.parse("x", yaml));
    return refused == null ? List.of() : refused.problems();
  }

  /** A mapping of unknown names, a nested list and an empty text are no value of any field. */
  @ParameterizedTest
  @MethodSource("closed")
  void shouldRejectAWrongValueOfEachField(DeclaredField declared) throws Exception {
    JsonSchema schema =
        JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7)
            .getSchema(declared.field().type().schema());
    for (String wrong : List.of("{no-such-field: 1}", "[[[x]]]", "''")) {
      JsonNode file = FieldFiles.with(declared.pointer());
      ObjectNode parent =
          (ObjectNode)
              file.at(declared.pointer().substring(0, declared.pointer().lastIndexOf('/')));
      JsonNode value = tree("x", "x: " + wrong).get("x");
      parent.set(declared.field().name(), value);
      assertThat(problems(file.toString()))
          .as("%s: %s", declared.pointer(), wrong)
          .anyMatch(problem -> problem.contains(declared.field().name()));
      assertThat(schema.validate(value)).as("%s: %s", declared.pointer(), wrong).isNotEmpty();
    }
  }

  /** One broken place each, as people make them. */
  @ParameterizedTest
  @CsvFileSource(resources = "broken-files.csv", delimiter = '|', numLinesToSkip = 1)
  void shouldRejectABrokenFileAsTheProgramDoes(String file, String path, String value)
      throws Exception {
    ObjectNode tree =
        (ObjectNode) tree(file, Files.readString(Path.of("topology", file + ".yaml")));
    ObjectNode parent = (ObjectNode) tree.at(path.substring(0, path.lastIndexOf('/')));
    String name = path.substring(path.lastIndexOf('/') + 1);
    if (value == null) {
      assertThat(parent.remove(name)).as(path).isNotNull();
    } else {
      parent.set(name, tree("x", "x: " + value).get("x"));
    }
    assertThat(problems(tree.toString())).as("the program").isNotEmpty();
    assertThat(PARSED.validate(tree)).as("the schema").isNotEmpty();
  }
}
