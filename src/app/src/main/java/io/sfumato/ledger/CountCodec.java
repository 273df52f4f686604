// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.gate.SealKey;
import io.sfumato.gate.StateEpoch;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.serde.ForeignBytes;
import io.sfumato.topology.context.CountedState;
import io.sfumato.topology.context.PartitionCount;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Charge counts as a registry has them: encrypted, since others may read a registry, and a
 * partition may have one subject. Every number takes eight bytes, so the length says how many
 * partitions there are and nothing else.
 */
final class CountCodec {
  private static final int FORMAT = 1;

  private final SealKey key;
  private final CanonicalEncoder context;

  /**
   * @param topic of the registry: counts of one budget say nothing of another
   */
  CountCodec(SealKey key, String topic) {
    this.key = key;
    this.context = new CanonicalEncoder().text("charge counts").text(topic);
  }

  /** The value of an entry. */
  ObjectNode json(Collection<CountedState> counts) {
    ByteWriter out = new ByteWriter().fixed8(FORMAT);
    for (CountedState counted : counts) {
      PartitionCount count = counted.count();
      out.text(count.place().keeper()).fixed64(count.place().partition());
      out.fixed8(count.epoch().isPresent() ? 1 : 0);
      out.raw(count.epoch().orElse(new StateEpoch(0, 0)).toBytes());
      out.fixed64(count.position()).fixed64(count.charges()).fixed64(count.decided());
      out.fixed64(counted.at());
    }
    return JsonNodeFactory.instance
        .objectNode()
        .put("counts", Base64.getEncoder().encodeToString(key.seal(out.toBytes(), context)));
  }

  /** Inverse of {@link #json}; nothing if another key encrypted it, or it holds no counts. */
  Optional<List<CountedState>> read(JsonNode value) {
    return ForeignBytes.ifReadable(() -> Base64.getDecoder().decode(value.path("counts").asText()))
        .flatMap(text -> key.open(text, context))
        .map(CountCodec::decode);
  }

  private static List<CountedState> decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes).format(FORMAT, "charge counts");
    List<CountedState> counts = new ArrayList<>();
    while (!in.atEnd()) {
      PartitionCount.Place place = new PartitionCount.Place(in.text(), (int) in.fixed64());
      boolean begun = in.fixed8() == 1;
      StateEpoch epoch = StateEpoch.fromBytes(in.raw(StateEpoch.BYTES));
      PartitionCount count =
          new PartitionCount(
              place,
              begun ? Optional.of(epoch) : Optional.empty(),
              in.fixed64(),
              in.fixed64(),
              in.fixed64());
      counts.add(new CountedState(count, in.fixed64()));
    }
    return counts;
  }
}
