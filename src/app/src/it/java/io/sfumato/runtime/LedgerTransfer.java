// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.ledger.LedgerExport;
import io.sfumato.ledger.LedgerExport.Unreleased;
import io.sfumato.ledger.LedgerFile;
import io.sfumato.ledger.LedgerImport;
import io.sfumato.release.Plan;
import io.sfumato.topology.LedgerImage;
import java.io.BufferedReader;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/**
 * Carries a ledger of any size around in a heap of any size: made up in a file, imported, exported,
 * compared. Arguments: servers, folder, number of ledgers, topic of the records.
 */
public final class LedgerTransfer {
  private static final int SUBJECTS_OF_A_PERIOD = 1_000_000;
  private static final Duration PATIENCE = TestCluster.PATIENCE;

  private LedgerTransfer() {}

  public static void main(String[] arguments) throws Exception {
    KafkaSettings settings = TestCluster.settings(arguments[0], Map.of());
    Path folder = Path.of(arguments[1]);
    int ledgers = Integer.parseInt(arguments[2]);
    Plan plan = TestCluster.plan(yaml(arguments[3]));
    Path made = folder.resolve("made.ledger");
    Path exported = folder.resolve("exported.ledger");
    step("made", () -> make(made, plan, ledgers));
    LedgerFile file = step("checked", () -> LedgerFile.read(made));
    step(
        "imported",
        () ->
            new LedgerImport(plan, settings, TestCluster.key(), Cluster.Safety.WAIVED)
                .importFrom(file));
    LedgerFile again =
        step(
            "exported",
            () ->
                new LedgerExport(plan.pipeline(), settings, TestCluster.key(), message -> {})
                    .export(exported, Unreleased.ABANDON, PATIENCE));
    requireSame(made, exported);
    System.out.printf(
        Locale.ROOT,
        "%,d ledgers, %,d MiB each file, the same at both ends; most resident memory %s%n",
        again.ledgers(),
        Files.size(exported) >> 20,
        resident());
  }

  private static String yaml(String topic) {
    return """
        pipeline: transfer
        input: { topic: %s, subject: who, time: at, category: what, categories: [a, b] }
        window: { size: 1h }
        budget: { name: transfer, unit: record, epsilon: 2, delta: 1e-6, period: window }
        releases:
          - histogram: { name: transfer-mix, method: laplace, share: { epsilon: 2, delta: 1e-6, ledger: mix } }
        """
        .formatted(topic);
  }

  /** A million subjects a window, as exports write them: by period, share and subject. */
  private static LedgerFile make(Path file, Plan plan, int ledgers) throws RefusedException {
    return LedgerFile.write(
        file,
        "made",
        LedgerImage.of(plan, 0),
        reader -> {
          for (int ledger = 0; ledger < ledgers; ledger++) {
            reader.accept(
                new LedgerImage.Line(
                    ledger / SUBJECTS_OF_A_PERIOD * 3_600_000L,
                    "mix",
                    "subject-%07d".formatted(ledger % SUBJECTS_OF_A_PERIOD),
                    new TreeMap<>(Map.of(0, 1L)),
                    false));
          }
        });
  }

  private static <T> T step(String what, Callable<T> work) throws Exception {
    ManagementFactory.getMemoryPoolMXBeans().forEach(pool -> pool.resetPeakUsage());
    long began = System.nanoTime();
    T done = work.call();
    System.out.printf(
        Locale.ROOT,
        "%s in %.1f s, most heap %,d MiB of %,d%n",
        what,
        (System.nanoTime() - began) / 1e9,
        ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .mapToLong(pool -> pool.getPeakUsage().getUsed())
                .sum()
            >> 20,
        Runtime.getRuntime().maxMemory() >> 20);
    return done;
  }

  /** All but the first and the last line, which name the budget and its digest. */
  private static void requireSame(Path first, Path second) throws Exception {
    try (BufferedReader a = Files.newBufferedReader(first);
        BufferedReader b = Files.newBufferedReader(second)) {
      a.readLine();
      b.readLine();
      String one = a.readLine();
      String other = b.readLine();
      while (one.startsWith("{\"period\"")) {
        if (!one.equals(other)) {
          throw new IllegalStateException("another ledger came back: " + other);
        }
        one = a.readLine();
        other = b.readLine();
      }
      if (!other.startsWith("{\"ledgers\"")) {
        throw new IllegalStateException("more ledgers came back: " + other);
      }
    }
  }

  private static String resident() throws Exception {
    Path status = Path.of("/proc/self/status");
    return !Files.exists(status)
        ? "unknown"
        : Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("VmHWM:"))
            .map(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024 + " MiB")
            .findFirst()
            .orElse("unknown");
  }
}
