// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TransactionalIds;
import io.sfumato.topology.context.CountedState;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The charge counts of a budget's partitions, in its registry, which survives the topics of its
 * state: with them a copy of the state can be told from an older one. They are signed and encrypted
 * with keys that come from the noise secret; {@link Registry} passes over them.
 */
final class CountLog {
  /** Key of the entries. */
  static final String COUNTED = "counted";

  private final SignedLog log;
  private final CountCodec codec;

  CountLog(KafkaSettings settings, String budget, NoiseKey key) {
    String topic = Registry.topicOf(budget);
    this.codec = new CountCodec(key.countsOf(budget), topic);
    this.log =
        new SignedLog(
            settings,
            topic,
            TransactionalIds.of(Pipeline.applicationIdOf(budget), "counts"),
            Optional.of(key.entriesOf("budget/" + budget)));
  }

  /** Reads what this key signed; the registry must be there. */
  KnownCounts read() throws RefusedException {
    KnownCounts known = new KnownCounts();
    for (SignedLog.Entry entry : log.read()) {
      if (entry.isMine() && entry.key().equals(COUNTED)) {
        codec.read(entry.value()).ifPresent(known::add);
      }
    }
    return known;
  }

  /** Writes counts of committed states, but for those that are behind what is known. */
  void record(Collection<CountedState> counts) throws RefusedException {
    log.appendExclusively(() -> drafts(read().newsOf(counts)));
  }

  /** Signs and encrypts what another key of the budget did, but for what is known already. */
  void takeOver(CountLog former) throws RefusedException {
    log.appendExclusively(
        () -> {
          KnownCounts mine = read();
          List<CountedState> known = mine.counts();
          return drafts(
              mine.newsOf(former.read().counts()).stream()
                  .filter(count -> !known.contains(count))
                  .toList());
        });
  }

  private List<SignedLog.Draft> drafts(List<CountedState> counts) {
    return counts.isEmpty() ? List.of() : List.of(draft(counts));
  }

  /** An entry with these counts. */
  SignedLog.Draft draft(Collection<CountedState> counts) {
    return new SignedLog.Draft(COUNTED, codec.json(counts));
  }
}
