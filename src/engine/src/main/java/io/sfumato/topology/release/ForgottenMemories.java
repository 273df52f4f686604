// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.topology.store.Scan;
import io.sfumato.topology.store.StagedWrites;
import java.nio.charset.StandardCharsets;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Bytes;

/**
 * Deletes what draws keep of a subject's records. Closed windows of hers that are still to be
 * released are released with it, as if that had been before; the first window that was open at the
 * forgetting begins anew, however far the slices are. Where both may come, an entry says when: one
 * by subject, with the starts of all such windows, and one by start and subject, so that what is
 * done with can be found.
 */
public final class ForgottenMemories {
  private static final int FORMAT = 1;
  private static final byte SUBJECT = 'r';
  private static final byte START = 'x';
  private static final Bytes FRONT = Bytes.wrap(new byte[] {START});
  private static final Bytes BACK = Bytes.wrap(new byte[] {START + 1});

  private final StagedWrites store;
  private final DrawMemories memories;
  private final Scan scan;

  /** Whether there may be any entry: it spares looking for one. */
  private boolean any;

  /**
   * @param store that the entries lie in, among others
   */
  public ForgottenMemories(StagedWrites store, DrawMemories memories) {
    this.store = store;
    this.memories = memories;
    this.scan = new Scan(store, FRONT);
    this.any = !scan.next(BACK, 1).isEmpty();
  }

  /** Deletes at once: nothing of the subject is to be released with it. */
  public void delete(String subject) {
    memories.deleteData(subject);
  }

  /**
   * A subject is forgotten: deletes once every window is released that was closed then.
   *
   * @param start of the first window that is open
   * @param released every window that starts before this is released
   */
  public void forget(String subject, long start, long released) {
    if (start <= released) {
      delete(subject);
    } else if (memories.holdData()) {
      putOff(subject, start);
    }
  }

  private void putOff(String subject, long start) {
    TreeSet<Long> starts = starts(subject);
    starts.add(start);
    put(subject, starts);
    Bytes byStart = startKey(start, subject);
    store.put(byStart, new byte[] {FORMAT});
    scan.written(byStart);
    any = true;
  }

  /** A subject's window is released next: what was forgotten before it is not in it. */
  public void reach(String subject, long windowStart) {
    if (any) {
      passed(subject, windowStart);
    }
  }

  /**
   * Every window that starts before a time is released: what was to be deleted up to then, and was
   * not, belongs to windows before.
   *
   * @return how many entries are settled with that; fewer than {@code most} only when none is left
   */
  public int settle(long through, int most) {
    if (!any || most < 1) {
      return 0;
    }
    int done =
        scan.take(
            startKey(through + 1, ""),
            most,
            entry -> {
              ByteReader key = new ByteReader(entry.key.get());
              key.fixed8();
              long start = key.sortable();
              passed(key.restAsText(), start);
            });
    if (done < most) {
      any = !scan.next(BACK, 1).isEmpty();
    }
    return done;
  }

  private void passed(String subject, long windowStart) {
    TreeSet<Long> starts = starts(subject);
    var due = starts.headSet(windowStart, true);
    if (due.isEmpty()) {
      return;
    }
    memories.deleteData(subject);
    due.forEach(start -> store.delete(startKey(start, subject)));
    due.clear();
    put(subject, starts);
  }

  private TreeSet<Long> starts(String subject) {
    TreeSet<Long> starts = new TreeSet<>();
    byte[] bytes = store.get(subjectKey(subject));
    if (bytes != null) {
      ByteReader in = new ByteReader(bytes).format(FORMAT, "a forgotten memory");
      while (!in.atEnd()) {
        starts.add(in.signed());
      }
    }
    return starts;
  }

  private void put(String subject, TreeSet<Long> starts) {
    if (starts.isEmpty()) {
      store.delete(subjectKey(subject));
      return;
    }
    ByteWriter out = new ByteWriter().fixed8(FORMAT);
    starts.forEach(out::signed);
    store.put(subjectKey(subject), out.toBytes());
  }

  private static Bytes subjectKey(String subject) {
    return Bytes.wrap(
        new ByteWriter().fixed8(SUBJECT).raw(subject.getBytes(StandardCharsets.UTF_8)).toBytes());
  }

  private static Bytes startKey(long start, String subject) {
    return Bytes.wrap(
        new ByteWriter()
            .fixed8(START)
            .sortable(start)
            .raw(subject.getBytes(StandardCharsets.UTF_8))
            .toBytes());
  }
}
