// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.io.StringReader;
import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * Changes single values of a pipeline file, and leaves comments and everything else as they are.
 */
public final class YamlEdit {
  private final String yaml;

  /**
   * @param yaml that was read as a pipeline file
   */
  public YamlEdit(String yaml) {
    this.yaml = yaml;
  }

  /**
   * The text with another value in place of one that is there.
   *
   * @param path names of fields from the file's first level on
   * @param value as YAML writes it
   * @return nothing where the file does not have the field, or it is no single value
   */
  public Optional<String> with(List<String> path, String value) {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(YamlText.MAX_CHARACTERS);
    Optional<Node> node = Optional.ofNullable(new Yaml(options).compose(new StringReader(yaml)));
    for (String name : path) {
      node = node.flatMap(mapping -> field(mapping, name));
    }
    return node.filter(ScalarNode.class::isInstance)
        .map(
            scalar ->
                yaml.substring(0, at(scalar.getStartMark().getIndex()))
                    + value
                    + yaml.substring(at(scalar.getEndMark().getIndex())));
  }

  /** Marks count characters, not parts of them. */
  private int at(int characters) {
    return yaml.offsetByCodePoints(0, characters);
  }

  private static Optional<Node> field(Node node, String name) {
    return node instanceof MappingNode mapping
        ? mapping.getValue().stream()
            .filter(
                field ->
                    field.getKeyNode() instanceof ScalarNode key && key.getValue().equals(name))
            .map(NodeTuple::getValueNode)
            .findFirst()
        : Optional.empty();
  }
}
