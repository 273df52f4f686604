// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.pipeline.OutputView;
import io.sfumato.release.Releases;
import io.sfumato.rows.OutputHead;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.generic.IndexedRecord;

/**
 * Puts lists together that are too long for one record. The records of one list stand behind each
 * other in their partition.
 */
public final class ListParts {
  /** More parts than any list has; whoever writes them is not this program. */
  private static final int MOST_HELD = 2_000;

  private record Place(String output, String subject, Instant from) {}

  private final Map<Place, List<IndexedRecord>> begun = new HashMap<>();
  private int held;

  /** Reading begins somewhere else: what was begun has no end there. */
  public void begin() {
    begun.clear();
    held = 0;
  }

  /**
   * The next record.
   *
   * @return the list that it completes, or itself; nothing yet in the middle
   */
  public Optional<IndexedRecord> add(IndexedRecord record) {
    Optional<OutputView> view = Releases.viewOf(record);
    if (view.isEmpty()) {
      return Optional.of(record);
    }
    int parts = view.get().parts(record);
    if (parts == 1) {
      return Optional.of(record);
    }
    if (held == MOST_HELD) {
      begin();
    }
    OutputHead head = OutputHead.of(record);
    Place place = new Place(head.output(), head.subject(), head.windowStart());
    int part = view.get().part(record);
    if (part == 0) {
      // What an earlier draw of the window had begun, under another budget, has no end.
      held -= Optional.ofNullable(begun.remove(place)).map(List::size).orElse(0);
    }
    List<IndexedRecord> came = begun.getOrDefault(place, new ArrayList<>());
    if (part != came.size()) {
      return Optional.empty();
    }
    came.add(record);
    begun.put(place, came);
    held++;
    if (came.size() < parts) {
      return Optional.empty();
    }
    begun.remove(place);
    held -= came.size();
    return Optional.of(view.get().together(came));
  }
}
