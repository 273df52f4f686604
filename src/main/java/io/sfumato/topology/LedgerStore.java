package io.sfumato.topology;

import io.sfumato.accounting.Ledger;
import io.sfumato.serde.ByteReader;
import io.sfumato.serde.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;

/** Charge counts. Key: budget period (sortable), share, subject. */
final class LedgerStore {
  private static final int FORMAT = 1;
  private static final int OPEN = 0;
  private static final int EXHAUSTED = 1;

  private final StagedStore store;

  LedgerStore(StagedStore store) {
    this.store = store;
  }

  record Key(long period, String share, String subject) {
    static Key decode(byte[] bytes) {
      ByteReader in = new ByteReader(bytes);
      return new Key(in.sortable(), in.text(), in.restAsText());
    }

    Bytes encode() {
      return Bytes.wrap(
          new ByteWriter()
              .sortable(period)
              .text(share)
              .raw(subject.getBytes(StandardCharsets.UTF_8))
              .toBytes());
    }
  }

  /**
   * A ledger and whether its end was announced.
   *
   * @param status whether the one EXHAUSTED refusal was published
   */
  record Entry(Ledger ledger, Status status) {
    static final Entry EMPTY = new Entry(Ledger.EMPTY, Status.OPEN);

    byte[] encode() {
      ByteWriter out = new ByteWriter().fixed8(FORMAT);
      out.fixed8(status == Status.EXHAUSTED ? LedgerStore.EXHAUSTED : LedgerStore.OPEN);
      for (Map.Entry<Integer, Long> count : ledger.counts().entrySet()) {
        out.unsigned(count.getKey()).unsigned(count.getValue());
      }
      return out.toBytes();
    }

    static Entry decode(byte[] bytes) {
      ByteReader in = new ByteReader(bytes).format(FORMAT, "a ledger");
      Status status = in.fixed8() == LedgerStore.EXHAUSTED ? Status.EXHAUSTED : Status.OPEN;
      TreeMap<Integer, Long> counts = new TreeMap<>();
      while (!in.atEnd()) {
        counts.put((int) in.unsigned(), in.unsigned());
      }
      return new Entry(new Ledger(counts), status);
    }
  }

  enum Status {
    OPEN,
    EXHAUSTED
  }

  Entry get(Key key) {
    byte[] bytes = store.get(key.encode());
    return bytes == null ? Entry.EMPTY : Entry.decode(bytes);
  }

  void put(Key key, Entry entry) {
    store.put(key.encode(), entry.encode());
  }
}
