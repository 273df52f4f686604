// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ledgers of any size fit through a small heap: import and export in a process of their own. At
 * full size: {@code mvn verify -Dit.test=LedgerSizeIT -Dsfumato.ledgers=10000000
 * -Dsfumato.ledgers.heap=512m}.
 */
@ExtendWith(SharedBroker.class)
@Tag("cluster")
class LedgerSizeIT {
  /** Held in memory, as they once were, 200,000 do not fit. */
  private static final int LEDGERS = Integer.getInteger("sfumato.ledgers", 300_000);

  private static final String HEAP = System.getProperty("sfumato.ledgers.heap", "64m");

  @TempDir Path folder;

  @Test
  void shouldCarryMoreLedgersThanFitIntoMemory(TestCluster cluster) throws Exception {
    cluster.createTopic("transfer-in", 3);
    Path log = Path.of("target", "ledger-transfer.log");
    Files.deleteIfExists(log);
    Process transfer =
        TestCluster.fork(
            log,
            List.of("-Xmx" + HEAP, "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError"),
            LedgerTransfer.class,
            cluster.servers(),
            folder.toString(),
            Integer.toString(LEDGERS),
            "transfer-in");
    assertThat(transfer.waitFor()).as("see " + log).isZero();
    List<String> told = Files.readAllLines(log);
    told.forEach(System.out::println);
    assertThat(told.get(told.size() - 1))
        .startsWith(String.format(Locale.ROOT, "%,d ledgers", LEDGERS));
  }
}
