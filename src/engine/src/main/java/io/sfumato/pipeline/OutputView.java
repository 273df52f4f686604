// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.inference.Likelihood;
import io.sfumato.rows.Column;
import io.sfumato.rows.Group;
import io.sfumato.rows.OutputHead;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.Reading;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** The records of one public schema: what in them is drawn, and how they are shown. */
public interface OutputView {
  /** Of the records; its class is generated. */
  Schema schema();

  /**
   * Names of the fields that noise decides; whatever else an output says is a public fact. Unless a
   * kind says otherwise, all fields that not every output has.
   */
  default Set<String> drawn() {
    return schema().getFields().stream()
        .map(Schema.Field::name)
        .filter(name -> !OutputHead.FIELDS.containsKey(name))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /**
   * All that one output says, in rows: every number that noise decides and the public facts that it
   * is read with, exactly as they were published.
   *
   * @param release of the plan that publishes to the topic it was read from, or whose records that
   *     output is made of; nothing where only the output is known
   */
  List<OutputRow> rows(IndexedRecord output, Optional<PlannedRelease> release);

  /**
   * How these rows read best, on terminals and on the operators' page. Unless a kind says
   * otherwise, every measure has a column.
   */
  default Reading reading(IndexedRecord output) {
    return Reading.of(
        rows(output, Optional.empty()).stream()
            .map(row -> row.measure().name())
            .distinct()
            .map(measure -> Column.of(measure, measure, Column.Style.INTERVAL))
            .toArray(Column[]::new));
  }

  /**
   * The fields of groups of its rows, in their order: the columns that a table of them needs.
   * Unless a kind says otherwise, the category alone.
   *
   * @param pipeline whose outputs they are of
   */
  default List<String> categoryFields(Pipeline pipeline) {
    return List.of(Group.CATEGORY);
  }

  /**
   * Whether its records answer queries. An answer can be published after all releases of its
   * window.
   */
  default boolean isAnswer() {
    return false;
  }

  /** Of how many records the list is that this one is of, at least 1: one where it is whole. */
  default int parts(IndexedRecord output) {
    return 1;
  }

  /** Which of these it is, from 0: to be said wherever a list may be of several. */
  default int part(IndexedRecord output) {
    return 0;
  }

  /**
   * A whole list.
   *
   * @param parts all its records, in their order
   */
  default IndexedRecord together(List<IndexedRecord> parts) {
    return parts.get(0);
  }

  /**
   * How likely one output is under pseudo-data; nothing where no density is known.
   *
   * @param release of the plan that published it
   * @throws IllegalArgumentException if a field of it is none that the plan publishes; says which
   */
  default Optional<Likelihood> likelihood(IndexedRecord output, PlannedRelease release) {
    return Optional.empty();
  }
}
