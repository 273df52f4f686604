// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs;

import io.sfumato.pipeline.FieldSpec;
import io.sfumato.pipeline.Section;
import io.sfumato.pipeline.ValueType;
import io.sfumato.release.FileSections;
import java.util.ArrayList;
import java.util.List;

/**
 * A declared field of the pipeline file, and where it is.
 *
 * @param pointer to it, as JSON Pointer; of a list to the first item
 */
public record DeclaredField(String pointer, FieldSpec<?> field) {
  /** All of them. */
  public static List<DeclaredField> all() {
    List<DeclaredField> all = new ArrayList<>();
    gather("", FileSections.file(), all);
    return all;
  }

  private static void gather(String path, Section section, List<DeclaredField> all) {
    for (FieldSpec<?> field : section.fields()) {
      String at = path + "/" + field.name();
      all.add(new DeclaredField(at, field));
      if (field.type() instanceof ValueType.Mapping mapping) {
        gather(at, mapping.section(), all);
      } else if (field.type() instanceof ValueType.Shape shape) {
        shape
            .parts()
            .forEach(
                (suffix, part) ->
                    gather(at + suffix.replace("[]", "/0").replace('.', '/'), part, all));
      }
    }
  }

  /** As messages name it, without places in lists: {@code releases.count.by}. */
  public String path() {
    return pointer.substring(1).replace("/0", "").replace('/', '.');
  }

  @Override
  public String toString() {
    return path();
  }
}
