// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.StringReader;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.CollectionEndEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;

/** The text of a pipeline file as a tree of fields. */
public final class YamlText {
  /** Of a file: some 20 lines have a thousandth of it. */
  public static final int MAX_CHARACTERS = 1 << 20;

  private static final int MAX_DEPTH = 20;

  private YamlText() {}

  /**
   * Reads it.
   *
   * @param name of the file, for people
   * @throws PipelineFileException if it is no YAML, or unfolds to more than it says
   */
  public static JsonNode read(String name, String yaml) throws PipelineFileException {
    try {
      refuseTricks(name, yaml);
      return mapper().readTree(yaml);
    } catch (JacksonException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      throw new PipelineFileException(
          name, List.of("line " + line + ": not YAML: " + e.getOriginalMessage()));
    }
  }

  /** A short file must not unfold to a long or deep one, nor a name stand for something else. */
  private static void refuseTricks(String name, String yaml) throws PipelineFileException {
    try {
      int depth = 0;
      CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
      for (Event event : new Yaml(limits()).parse(new StringReader(yaml))) {
        depth += event instanceof CollectionStartEvent ? 1 : 0;
        depth -= event instanceof CollectionEndEvent ? 1 : 0;
        if (depth > MAX_DEPTH) {
          throw new PipelineFileException(
              name,
              List.of(
                  "line "
                      + (event.getStartMark().getLine() + 1)
                      + ": nested deeper than "
                      + MAX_DEPTH
                      + " levels; a pipeline file needs five"));
        }
        if (event instanceof ScalarEvent scalar && !encoder.canEncode(scalar.getValue())) {
          // All of them would become one name, "?".
          throw new PipelineFileException(
              name,
              List.of(
                  "line "
                      + (event.getStartMark().getLine() + 1)
                      + ": half of a character (a surrogate without its pair) is no text; write the character itself"));
        }
        if (event instanceof NodeEvent node && node.getAnchor() != null) {
          throw new PipelineFileException(
              name,
              List.of(
                  "line "
                      + (event.getStartMark().getLine() + 1)
                      + ": anchors and aliases (&, *) are not allowed; write the value out, or put"
                      + " it in quotes if it begins with such a sign"));
        }
      }
    } catch (YAMLException e) {
      // Whoever reads the tree says what is wrong with it, and where.
      return;
    }
  }

  private static ObjectMapper mapper() {
    return JsonMapper.builder(YAMLFactory.builder().loaderOptions(limits()).build())
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .build();
  }

  private static LoaderOptions limits() {
    LoaderOptions limits = new LoaderOptions();
    limits.setMaxAliasesForCollections(0);
    limits.setAllowDuplicateKeys(false);
    limits.setNestingDepthLimit(MAX_DEPTH);
    limits.setCodePointLimit(MAX_CHARACTERS);
    return limits;
  }
}
