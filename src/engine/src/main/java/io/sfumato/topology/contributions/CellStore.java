// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.contributions;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.topology.contributions.Contributions.Cell;
import io.sfumato.topology.store.Scan;
import io.sfumato.topology.store.StagedWrites;
import io.sfumato.window.WindowGrid;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.kafka.common.utils.Bytes;

/**
 * In which window each user was in a cell last, as far as that is one of the last n windows. What
 * is older is not kept, so a user has at most n windows' cells. Windows are decided in their order,
 * so the order of records does not matter.
 *
 * <p>Where a user is forgotten this stays, until it is n windows old: the subjects' counts of the
 * last windows hold the user as long, and would otherwise count the user twice.
 */
final class CellStore {
  private static final int FORMAT = 1;

  /** Keys are users behind a byte, so that the end of all is known. */
  private static final int USERS = 1;

  /** Behind this byte and what states call the cells: users of a question of its own. */
  private static final int USERS_OF_QUESTION = 2;

  /** Before all keys. */
  static final Bytes BEGIN = Bytes.wrap(new byte[] {USERS});

  /** Behind all keys. */
  static final Bytes END = Bytes.wrap(new byte[] {USERS_OF_QUESTION + 1});

  private final StagedWrites store;
  private final int last;
  private final WindowGrid windows;
  private final int id;
  private final long since;

  /** How far rows are looked at for what is too old. */
  private Scan front;

  /** Whether all of them were looked at. */
  private boolean clean;

  /** Whether windows were decided since the look at them began. */
  private boolean again;

  /**
   * @param last n, over how many windows users are counted together
   * @param windows how time is cut
   * @param id what states call the cells; 0 for those of the file's question
   * @param since start of the first window of this version
   */
  CellStore(StagedWrites store, int last, WindowGrid windows, int id, long since) {
    this.store = store;
    this.last = last;
    this.windows = windows;
    this.id = id;
    this.since = since;
    this.front = new Scan(store, key(""));
  }

  /**
   * A user is in cells of a window, which follows all windows of the user that were noted before.
   *
   * @param windowStart of the window
   * @return of each cell how many windows ago the user was there before: n for as many, or more, or
   *     never
   */
  Map<Cell, Integer> visit(String user, long windowStart, List<Cell> cells) {
    Bytes key = key(user);
    long now = windows.number(windowStart);
    Map<Cell, Long> visits = decode(store.get(key));
    Map<Cell, Integer> ago = new LinkedHashMap<>();
    for (Cell cell : cells) {
      long before = visits.getOrDefault(cell, now - last);
      ago.put(cell, (int) Math.max(1, Math.min(last, now - before)));
      visits.put(cell, now);
    }
    visits.values().removeIf(number -> now - number >= last);
    store.put(key, encode(visits));
    return ago;
  }

  /**
   * All windows through this one are decided: what is too old since may be deleted, once the look
   * under way has come to the last row.
   */
  void decided() {
    again = true;
  }

  /**
   * Deletes some of the rows of users who were in none of the last windows. Until this version has
   * decided a window of its own, subjects remember what the one before has counted, perhaps over
   * more windows; and a version that follows may go on with that.
   *
   * @param windowStart of the first window that is not decided
   * @param most rows to look at
   */
  void deleteBefore(long windowStart, int most) {
    if (clean && again) {
      front = new Scan(store, key(""));
      clean = false;
      again = false;
    }
    long next = windows.number(windowStart);
    if (clean || since != Long.MIN_VALUE && next <= windows.number(since)) {
      return;
    }
    int looked =
        front.take(
            end(),
            most,
            row -> {
              if (decode(row.value).values().stream().allMatch(number -> next - number >= last)) {
                store.delete(row.key);
              }
            });
    clean = looked < most;
  }

  private static byte[] encode(Map<Cell, Long> visits) {
    ByteWriter out = new ByteWriter().fixed8(FORMAT);
    visits.forEach(
        (cell, number) -> {
          out.text(cell.subject());
          out.unsigned(cell.category().isPresent() ? cell.category().getAsInt() + 1L : 0);
          out.signed(number);
        });
    return out.toBytes();
  }

  private static Map<Cell, Long> decode(byte[] bytes) {
    Map<Cell, Long> visits = new LinkedHashMap<>();
    if (bytes == null) {
      return visits;
    }
    ByteReader in = new ByteReader(bytes).format(FORMAT, "a user's last windows");
    while (!in.atEnd()) {
      String subject = in.text();
      int category = (int) in.unsigned();
      visits.put(
          new Cell(subject, category == 0 ? OptionalInt.empty() : OptionalInt.of(category - 1)),
          in.signed());
    }
    return visits;
  }

  /** What states call the cells that a key belongs to. */
  static int id(ByteReader key) {
    return key.fixed8() == USERS ? 0 : (int) key.sortable();
  }

  private Bytes key(String user) {
    return Bytes.wrap(head(0).raw(user.getBytes(StandardCharsets.UTF_8)).toBytes());
  }

  private Bytes end() {
    return Bytes.wrap(head(1).toBytes());
  }

  /** What all keys begin with, or those of whatever follows. */
  private ByteWriter head(int behind) {
    return id == 0
        ? new ByteWriter().fixed8(USERS + behind)
        : new ByteWriter().fixed8(USERS_OF_QUESTION).sortable((long) id + behind);
  }
}
