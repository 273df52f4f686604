// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import java.util.Optional;
import org.apache.avro.Schema;

/** Where writers' schemas are found by their ids. */
public interface SchemaSource {
  /**
   * A schema.
   *
   * @return nothing if there is none with this id, or it is no Avro schema
   * @throws SchemasUnavailableException if nobody could say, after a bounded number of tries
   */
  Optional<Schema> byId(int id);

  /**
   * A schema of any type.
   *
   * @return nothing if there is none with this id, or it cannot be used
   * @throws SchemasUnavailableException if nobody could say, after a bounded number of tries
   */
  default Optional<RegisteredSchema> ofAnyType(int id) {
    return byId(id).map(RegisteredSchema.Avro::new);
  }

  /**
   * The id under which a schema of this program is registered.
   *
   * @throws IllegalStateException if it was not, before anything was written
   */
  default int idOf(Schema schema) {
    throw new IllegalStateException("no schema registry knows " + schema.getName());
  }

  /** Knows no schema. */
  static SchemaSource none() {
    return id -> Optional.empty();
  }
}
