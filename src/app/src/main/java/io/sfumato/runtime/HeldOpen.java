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
    return "somebody's transaction is open in topic '%s' at %s, and hides what was written behind it"
        .formatted(topic, servers);
  }

  /** How long it lasts at most, who it is, and what ends it. */
  public String fix() {
    return ("Try again when it is over: a writer that was killed holds it for"
            + " seconds, one that means to for as long as the brokers let it (transaction.max.timeout.ms, 15"
            + " minutes unless set). Who it is: kafka-transactions.sh --bootstrap-server %s --command-config admin.properties describe-producers"
            + " --topic %s --partition %d; 'find-hanging' and 'abort' end one that hangs")
        .formatted(servers, topic, partition);
  }
}
