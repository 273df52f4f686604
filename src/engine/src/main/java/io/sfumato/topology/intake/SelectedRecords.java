// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.intake;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Selection;
import io.sfumato.pipeline.Selections;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.serde.Event;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.RejectedRecordException;
import io.sfumato.serde.SchemaSource;
import io.sfumato.serde.SourceRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * In which selections of a pipeline's records one of them may count. The file's input decides
 * whether it is a record at all; then each selection decides by itself, so that what one output
 * does not mean changes nothing of what another one does.
 */
final class SelectedRecords {
  private final WindowSpec window;
  private final List<Reader> readers = new ArrayList<>();

  /** Whether outputs are about all records that the file's input reads, and about nothing else. */
  private final boolean isOne;

  /**
   * Of one selection.
   *
   * @param id what states call it
   * @param selection it
   * @param reader nothing is read again where the file's input has read it
   */
  private record Reader(int id, Selection selection, Optional<EventReader> reader) {}

  SelectedRecords(Pipeline pipeline, SchemaSource schemas) {
    Selections asked = Selections.of(pipeline);
    List<Selection> selections = asked.all();
    this.window = pipeline.window();
    this.isOne = selections.size() == 1;
    if (!isOne) {
      List<Integer> ids = asked.ids();
      for (int number : asked.asked()) {
        InputSpec input = selections.get(number).input();
        readers.add(
            new Reader(
                ids.get(number),
                selections.get(number),
                input.equals(pipeline.input())
                    ? Optional.empty()
                    : Optional.of(EventReader.of(pipeline, input, schemas))));
      }
    }
  }

  /**
   * Where a record counts.
   *
   * @param event as the selection has it
   * @param windowStart of the file's window in which it is decided
   * @param selection what states call it; 0 where all outputs are about one selection
   */
  record Selected(Event event, long windowStart, int selection) {}

  /**
   * The selections in which a record may count.
   *
   * @param event as the file's input has it
   */
  List<Selected> of(SourceRecord record, Event event) {
    if (isOne) {
      return List.of(new Selected(event, window.startOf(event.time()), 0));
    }
    List<Selected> selected = new ArrayList<>();
    for (Reader each : readers) {
      own(each, record, event)
          .ifPresent(
              found ->
                  selected.add(
                      new Selected(
                          found, each.selection().decidedIn(window, found.time()), each.id())));
    }
    return selected;
  }

  /** One without a category of a selection is a record all the same, and may count in others. */
  private static Optional<Event> own(Reader selection, SourceRecord record, Event event) {
    if (selection.reader().isEmpty()) {
      return Optional.of(event);
    }
    try {
      return selection.reader().get().read(record);
    } catch (RejectedRecordException e) {
      return Optional.empty();
    }
  }
}
