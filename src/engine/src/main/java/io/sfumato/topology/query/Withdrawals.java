// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.query;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.topology.store.StagedWrites;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.kafka.common.utils.Bytes;

/**
 * Activations that took windows from this version while candidates may have waited for them: until
 * all of these are refused.
 */
public final class Withdrawals {
  private static final int FORMAT = 1;
  private static final byte KIND = 'e';

  private final StagedWrites store;
  private final List<Withdrawal> all = new ArrayList<>();

  /**
   * One activation.
   *
   * @param position of its entry in the journal
   * @param from start of the first window that it took
   * @param timestamp Kafka timestamp of its entry
   * @param time in the journal when it came
   */
  public record Withdrawal(long position, long from, long timestamp, long time) {}

  public Withdrawals(StagedWrites store) {
    this.store = store;
    store.each(
        KIND,
        (key, value) -> {
          ByteReader in = new ByteReader(value).format(FORMAT, "a withdrawal");
          all.add(new Withdrawal(key.sortable(), in.signed(), in.signed(), in.signed()));
          in.end();
        });
  }

  void add(Withdrawal withdrawal) {
    all.add(withdrawal);
    store.put(
        key(withdrawal),
        new ByteWriter()
            .fixed8(FORMAT)
            .signed(withdrawal.from())
            .signed(withdrawal.timestamp())
            .signed(withdrawal.time())
            .toBytes());
  }

  /** In the order of the journal. */
  public List<Withdrawal> all() {
    return all;
  }

  /** Start of the first window that was taken; nothing if none was. */
  public OptionalLong from() {
    return all.stream().mapToLong(Withdrawal::from).min();
  }

  /** All that waited for these windows is refused. */
  public void settle() {
    all.forEach(withdrawal -> store.delete(key(withdrawal)));
    all.clear();
  }

  private static Bytes key(Withdrawal withdrawal) {
    return Bytes.wrap(new ByteWriter().fixed8(KIND).sortable(withdrawal.position()).toBytes());
  }
}
