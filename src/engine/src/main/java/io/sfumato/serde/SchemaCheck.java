// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.pipeline.InputSpec;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/** Whether a schema has what a pipeline file names, before any record is read. */
public final class SchemaCheck {
  private SchemaCheck() {}

  /**
   * What does not fit, in words; nothing if all does.
   *
   * @param user field of the user, where records have one beside their subject
   */
  public static List<String> problems(Schema writer, InputSpec spec, Optional<String> user) {
    return AvroProjection.problems(writer, spec, user);
  }
}
