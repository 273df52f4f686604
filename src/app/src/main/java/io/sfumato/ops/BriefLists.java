// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.pipeline.OutputView;
import io.sfumato.release.Releases;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.generic.IndexedRecord;

/**
 * Puts lists together that are too long for one record, and keeps no more of them than cards show.
 * The records of one list stand behind each other in their partition.
 */
final class BriefLists {
  /** More parts than any list has; whoever writes them is not this program. */
  private static final int MOST_HELD = 2_000;

  private record Place(String output, String subject, Instant from) {}

  private final Map<Place, List<IndexedRecord>> begun = new HashMap<>();
  private int held;

  /** Reading begins somewhere else: what was begun has no end there. */
  void begin() {
    begun.clear();
    held = 0;
  }

  /**
   * The next record.
   *
   * @return what is shown of the list that it completes, or of itself; nothing yet in the middle
   */
  Optional<IndexedRecord> add(IndexedRecord record) {
    Optional<OutputView> view = Releases.viewOf(record);
    if (view.isEmpty()) {
      return Optional.of(record);
    }
    int parts = view.get().parts(record);
    if (parts == 1) {
      return Optional.of(view.get().brief(record));
    }
    if (held == MOST_HELD) {
      begin();
    }
    Place place = new Place(Courses.output(record), Courses.subject(record), Courses.from(record));
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
    return Optional.of(view.get().brief(view.get().together(came)));
  }
}
