// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.roster;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.topology.store.Scan;
import io.sfumato.topology.store.StagedWrites;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;

/** The roster: for every subject the windows in which it is enrolled. */
public final class SubjectStore implements Roster {
  private static final int FORMAT = 1;

  private final StagedWrites store;

  public SubjectStore(StagedWrites store) {
    this.store = store;
  }

  /** Window starts from {@code from}, inclusive, to {@code to}, exclusive. */
  public record Span(long from, long to) {
    /** Whether a window lies in it. */
    public boolean covers(long windowStart) {
      return from <= windowStart && windowStart < to;
    }
  }

  /** A subject and its spans, in order and apart. */
  public record Enrolled(String subject, List<Span> spans) implements Member {
    /** First window of the stretch in which a window lies that it covers. */
    public long since(long windowStart) {
      return spans.stream()
          .filter(span -> span.covers(windowStart))
          .mapToLong(Span::from)
          .findFirst()
          .orElseThrow();
    }

    @Override
    public boolean covers(long windowStart) {
      return spans.stream().anyMatch(span -> span.covers(windowStart));
    }
  }

  /** The subject is released from a window on. */
  public void enrol(String subject, long from) {
    List<Span> spans = new ArrayList<>(get(subject).spans());
    if (!spans.isEmpty() && spans.get(spans.size() - 1).to() >= from) {
      Span last = spans.remove(spans.size() - 1);
      spans.add(new Span(Math.min(last.from(), from), Long.MAX_VALUE));
    } else {
      spans.add(new Span(from, Long.MAX_VALUE));
    }
    put(subject, spans);
  }

  /** The subject is not released any more from a window on. */
  public void leave(String subject, long from) {
    List<Span> spans = new ArrayList<>();
    for (Span span : get(subject).spans()) {
      if (span.from() < from) {
        spans.add(new Span(span.from(), Math.min(span.to(), from)));
      }
    }
    put(subject, spans);
  }

  /** How many are released from some window on without an end. */
  public int staying() {
    int staying = 0;
    try (KeyValueIterator<Bytes, byte[]> all = store.range(key(""), null)) {
      while (all.hasNext()) {
        List<Span> spans = decode(all.next().value);
        staying += spans.get(spans.size() - 1).to() == Long.MAX_VALUE ? 1 : 0;
      }
    }
    return staying;
  }

  private Enrolled get(String subject) {
    return new Enrolled(subject, decode(store.get(key(subject))));
  }

  @Override
  public boolean covers(String subject, long windowStart) {
    return get(subject).covers(windowStart);
  }

  @Override
  public boolean contains(String subject) {
    return !get(subject).spans().isEmpty();
  }

  @Override
  public List<Member> after(String subject, int most) {
    List<Member> members = new ArrayList<>();
    for (var next : store.first(Scan.after(key(subject)), null, most)) {
      members.add(
          new Enrolled(new String(next.key.get(), StandardCharsets.UTF_8), decode(next.value)));
    }
    return members;
  }

  @Override
  public void forgetBefore(Member member, long windowStart) {
    List<Span> all = get(member.subject()).spans();
    List<Span> left = all.stream().filter(span -> span.to() > windowStart).toList();
    // Who comes and goes for years has a row that stays as short as what is still to come.
    if (left.size() < all.size()) {
      put(member.subject(), left);
    }
  }

  private void put(String subject, List<Span> spans) {
    if (spans.isEmpty()) {
      store.delete(key(subject));
      return;
    }
    ByteWriter out = new ByteWriter().fixed8(FORMAT);
    spans.forEach(span -> out.signed(span.from()).signed(span.to()));
    store.put(key(subject), out.toBytes());
  }

  private static List<Span> decode(byte[] bytes) {
    List<Span> spans = new ArrayList<>();
    if (bytes != null) {
      ByteReader in = new ByteReader(bytes).format(FORMAT, "a roster entry");
      while (!in.atEnd()) {
        spans.add(new Span(in.signed(), in.signed()));
      }
    }
    return spans;
  }

  /** Of a subject: sorts as UTF-8 does. */
  public static Bytes key(String subject) {
    return Bytes.wrap(subject.getBytes(StandardCharsets.UTF_8));
  }
}
