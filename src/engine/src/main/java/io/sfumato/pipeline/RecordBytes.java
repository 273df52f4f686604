// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.pipeline.SizeBound.Part;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;

/** The largest record of a schema: each field is as long as its type allows, or as its cap says. */
public final class RecordBytes {
  private final EncodedBytes bytes;
  private final Schema schema;
  private final Caps caps;
  private final Map<Optional<Caps.Setting>, Long> sums = new HashMap<>();

  /**
   * Adds up.
   *
   * @throws IllegalArgumentException if a text or a list has no cap; says which
   */
  public RecordBytes(Schema schema, OutputFormat format, Caps caps) {
    this.bytes = new EncodedBytes(format);
    this.schema = schema;
    this.caps = caps;
    add(Optional.empty(), bytes.around(schema.getName()));
    fields(schema, "", 1, Optional.empty());
  }

  /** Bytes for which no setting answers. */
  public long fixed() {
    return sums.get(Optional.<Caps.Setting>empty());
  }

  /** Bytes that settings answer for. */
  public List<Part> parts() {
    return caps.settings().stream()
        .map(
            setting ->
                new Part(
                    setting.name(),
                    setting.count(),
                    sums.getOrDefault(Optional.of(setting), 0L),
                    setting.otherwise()))
        .toList();
  }

  private void add(Optional<Caps.Setting> setting, long more) {
    sums.merge(setting, more, Long::sum);
  }

  /** Of so many records at a path. */
  private void fields(Schema record, String path, long times, Optional<Caps.Setting> setting) {
    for (Schema.Field field : record.getFields()) {
      String at = path + field.name();
      Optional<Caps.Setting> own = caps.at(at).flatMap(Caps.Cap::setting).or(() -> setting);
      add(own, times * bytes.field(field.name()));
      value(field.schema(), at, times, own);
    }
  }

  private void value(Schema type, String at, long times, Optional<Caps.Setting> setting) {
    switch (type.getType()) {
      case UNION -> {
        add(setting, times * bytes.ofOptional());
        value(present(type, at), at, times, setting);
      }
      case STRING -> add(setting, cap(at).bytes().applyAsLong(bytes, times));
      case ENUM -> add(setting, symbol(type, at, times));
      case INT, LONG ->
          add(setting, times * (type.getLogicalType() == null ? bytes.ofWhole() : bytes.ofTime()));
      case DOUBLE -> add(setting, times * bytes.ofDecimal());
      case BOOLEAN -> add(setting, times * bytes.ofTruth());
      case RECORD -> {
        add(setting, times * bytes.ofRecord());
        fields(type, at + ".", times, setting);
      }
      case ARRAY -> list(type.getElementType(), at, times, setting);
      default ->
          throw new IllegalArgumentException("field '%s' has the type %s".formatted(at, type));
    }
  }

  private void list(Schema items, String at, long times, Optional<Caps.Setting> setting) {
    Caps.Cap cap = cap(at);
    long all = times * cap.items();
    add(setting, times * bytes.ofList() + cap.bytes().applyAsLong(bytes, all));
    if (items.getType() != Schema.Type.STRING && all > 0) {
      value(items, at, all, setting);
    }
  }

  private Caps.Cap cap(String at) {
    return caps.at(at)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "field '%s' of %s has no cap".formatted(at, schema.getFullName())));
  }

  /** Either a value or nothing, which is shorter. Records have no other unions. */
  private static Schema present(Schema union, String at) {
    List<Schema> values =
        union.getTypes().stream().filter(type -> type.getType() != Schema.Type.NULL).toList();
    if (values.size() != 1) {
      throw new IllegalArgumentException("field '%s' is a union of several types".formatted(at));
    }
    return values.get(0);
  }

  /** The longest one, or what later versions may name. */
  private long symbol(Schema type, String at, long times) {
    return caps.at(at)
        .map(cap -> cap.bytes().applyAsLong(bytes, times))
        .orElseGet(
            () ->
                times
                    * type.getEnumSymbols().stream().mapToLong(bytes::ofText).max().orElseThrow());
  }
}
