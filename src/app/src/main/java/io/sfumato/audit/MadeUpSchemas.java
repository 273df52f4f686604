// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.serde.SchemaSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/** A registry of schemas without a registry, for files that write with one. */
final class MadeUpSchemas implements SchemaSource {
  private final List<Schema> known = new ArrayList<>();

  @Override
  public Optional<Schema> byId(int id) {
    return id >= 0 && id < known.size() ? Optional.of(known.get(id)) : Optional.empty();
  }

  @Override
  public int idOf(Schema schema) {
    if (!known.contains(schema)) {
      known.add(schema);
    }
    return known.indexOf(schema);
  }
}
