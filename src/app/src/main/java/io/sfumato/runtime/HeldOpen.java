// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

/**
 * A transaction that somebody holds open: after it a cluster shows no record to whoever reads
 * committed ones.
 *
 * @param topic that it is open in
 * @param partition of that topic, from 0
 * @param servers bootstrap servers, "host:port,..."
 */
public record HeldOpen(String topic, int partition, String servers) {
  /** What it does, as a sentence without an end. */
  public String words() {
    return "an open transaction in topic '%s' at %s hides the records after it"
        .formatted(topic, servers);
  }

  /** How long it lasts at most, who it is, and what to do about one that lasts longer. */
  public String fix() {
    return ("Try again when it has ended: after a killed producer that takes seconds, at most "
            + "transaction.max.timeout.ms of the brokers (15 minutes by default). To find its "
            + "producer: kafka-transactions.sh --bootstrap-server %s --command-config "
            + "admin.properties describe-producers --topic %s --partition %d. If it has lasted longer, "
            + "it may hang: do not abort it before you have read %s")
        .formatted(servers, topic, partition, HangingTransaction.PAGE);
  }
}
