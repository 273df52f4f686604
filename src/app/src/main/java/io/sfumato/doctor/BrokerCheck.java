// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import io.sfumato.pipeline.Plurals;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.Node;

/** The brokers' settings that transactions, offsets and ledgers rest on. */
final class BrokerCheck {
  private BrokerCheck() {}

  /** A setting that must not be below a value. */
  private record Least(String name, long value, String why) {}

  private static final List<Least> LEAST =
      List.of(
          new Least(
              "transaction.state.log.replication.factor",
              3,
              "losing the transaction log loses commits"),
          new Least("transaction.state.log.min.isr", 2, "losing the transaction log loses commits"),
          new Least(
              "offsets.topic.replication.factor",
              3,
              "if offsets are lost, the pipeline stops until 'sfumato offsets FILE --restore' "
                  + "sets them again"),
          new Least(
              "offsets.retention.minutes",
              7 * 24 * 60,
              "if the pipeline is stopped for longer, its offsets expire and it refuses to start"),
          new Least(
              "transaction.max.timeout.ms",
              600_000,
              "'ledger import' writes everything in one " + "transaction"));

  static List<Finding> of(Collection<Node> nodes, Map<Integer, Config> configs) {
    List<Finding> findings = new ArrayList<>();
    findings.add(
        nodes.size() >= 3
            ? Finding.ok("brokers", Plurals.of(nodes.size(), "broker"))
            : Finding.problem(
                "brokers",
                Plurals.of(nodes.size(), "broker"),
                "a ledger needs 3 replicas: use a cluster of 3 or more brokers"));
    configs.forEach(
        (broker, config) -> {
          for (Least least : LEAST) {
            check(broker, config, least, nodes.size(), findings);
          }
        });
    return findings;
  }

  private static void check(
      int broker, Config config, Least least, int brokers, List<Finding> findings) {
    ConfigEntry entry = config.get(least.name());
    if (entry == null || entry.value() == null) {
      return;
    }
    String subject = "broker " + broker + ": " + least.name();
    long value = Long.parseLong(entry.value());
    findings.add(
        value >= least.value()
            ? Finding.ok(subject, entry.value())
            : Finding.problem(
                subject,
                entry.value() + "; " + least.why(),
                "set it to "
                    + least.value()
                    + " or more in the brokers' settings"
                    + (brokers < 3 ? " of a larger cluster" : "")));
  }
}
