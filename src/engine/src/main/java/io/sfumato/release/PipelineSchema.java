// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * The JSON Schema of pipeline files, made of the fields that their readers ask for. Editors
 * complete and check files by it. It rejects unknown fields, wrong types and values out of range;
 * what fields say of each other is for the program to check.
 */
public final class PipelineSchema {
  /** Usual name of its file. */
  public static final String FILE = "pipeline.schema.json";

  private static final String TITLE = "Sfumato pipeline file";
  private static final String DRAFT = "http://json-schema.org/draft-07/schema#";

  private PipelineSchema() {}

  /** Whether a text is the schema, of this program or another version of it. */
  public static boolean isOne(String text) {
    return text.contains(TITLE);
  }

  /** The schema as JSON text, with a line break at its end. */
  public static String text() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    schema.put("$schema", DRAFT);
    schema.put("title", TITLE);
    schema.setAll(FileSections.file().schema());
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
    printer.indentObjectsWith(new DefaultIndenter("  ", "\n"));
    try {
      return new JsonMapper().writer(printer).writeValueAsString(schema) + "\n";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
