// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.dataset;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.topology.store.Scan;
import io.sfumato.topology.store.StagedWrites;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.apache.kafka.common.utils.Bytes;

/**
 * Subjects that are forgotten while closed windows of theirs are still to be released: these are
 * released all the same, deleted then, and answer no query from the forgetting on. Two entries for
 * each: by subject, and by window end, so that what is done with can be found.
 */
public final class ForgottenSubjects {
  private static final int FORMAT = 1;
  private static final byte SUBJECT = 'f';
  private static final byte END = 'g';
  private static final Bytes FRONT = Bytes.wrap(new byte[] {END});
  private static final Bytes BACK = Bytes.wrap(new byte[] {END + 1});

  private final StagedWrites store;
  private final Scan scan;

  /** Whether there may be any: it spares looking for one. */
  private boolean any;

  public ForgottenSubjects(StagedWrites store) {
    this.store = store;
    this.scan = new Scan(store, FRONT);
    this.any = !scan.next(BACK, 1).isEmpty();
  }

  /** Remembers that a subject's windows that end by a time are forgotten. */
  public void add(String subject, long through) {
    through(subject).ifPresent(before -> store.delete(endKey(before, subject)));
    Bytes byEnd = endKey(through, subject);
    store.put(byEnd, new byte[] {FORMAT});
    scan.written(byEnd);
    store.put(subjectKey(subject), new ByteWriter().fixed8(FORMAT).signed(through).toBytes());
    any = true;
  }

  /** Whether a subject's window is forgotten, though its dataset may still be there. */
  public boolean contains(String subject, long windowEnd) {
    return any && windowEnd <= through(subject).orElse(Long.MIN_VALUE);
  }

  private OptionalLong through(String subject) {
    byte[] bytes = any ? store.get(subjectKey(subject)) : null;
    return bytes == null
        ? OptionalLong.empty()
        : OptionalLong.of(new ByteReader(bytes).format(FORMAT, "a forgotten subject").signed());
  }

  /**
   * Every window that ends by a time is decided: nothing is left there of those who are forgotten.
   *
   * @return how many are settled with that; fewer than {@code most} only when none is left
   */
  public int settle(long through, int most) {
    if (!any || most < 1) {
      return 0;
    }
    int done =
        scan.take(
            endKey(through + 1, ""),
            most,
            entry -> {
              ByteReader key = new ByteReader(entry.key.get());
              key.fixed8();
              key.sortable();
              store.delete(subjectKey(key.restAsText()));
              store.delete(entry.key);
            });
    if (done < most) {
      any = !scan.next(BACK, 1).isEmpty();
    }
    return done;
  }

  private static Bytes subjectKey(String subject) {
    return Bytes.wrap(
        new ByteWriter().fixed8(SUBJECT).raw(subject.getBytes(StandardCharsets.UTF_8)).toBytes());
  }

  private static Bytes endKey(long end, String subject) {
    return Bytes.wrap(
        new ByteWriter()
            .fixed8(END)
            .sortable(end)
            .raw(subject.getBytes(StandardCharsets.UTF_8))
            .toBytes());
  }
}
