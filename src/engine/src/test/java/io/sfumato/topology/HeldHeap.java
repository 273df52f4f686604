// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.topology.context.OpenMemory;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.dataset.DatasetStore;
import io.sfumato.topology.store.StagedWrites;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * By how much open datasets make a heap grow. A program, since a heap is the whole process's: that
 * of tests has what others left, in threads and caches, and takes ten times as long to collect.
 */
final class HeldHeap {
  private static final int MANY = 20_000;
  private static final int FEW = 500;

  private static final String WIDE =
      Fixture.YAML.replace(
          "[a, b, c]",
          IntStream.range(0, 32).mapToObj(i -> "c" + i).toList().toString().replace(" ", ""));

  private static final String FEATURES =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c], values: [x, y] }
      features: { bandwidth: 0.7, count: 16 }
      window: { size: 10s }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6 }
      releases:
        - abc: { name: coin, distance: features, threshold: 0.4, share: { epsilon: 2, delta: 1e-6 }, queries: 2 }
      """;

  private static final String SUMMARIES =
      FEATURES
          .replace("features: { bandwidth: 0.7, count: 16 }\n", "")
          .replace(
              "distance: features",
              "distance: summaries, clip: 3, summaries: [{ mean: x, scale: 1 }, { deviation: y, scale: 1 }]");

  private static final String SAMPLE =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, values: [x, y] }
      reservoir: 8
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      subjects: roster
      budget: { name: test, unit: dataset, epsilon: 12 }
      releases:
        - mollifier: { name: taste, items: 2, share: { epsilon: 12 }, windows: 3, reference: { gaussians: [ { mean: [0, 0], deviation: [1, 1] } ] } }
      """;

  private HeldHeap() {}

  /** Of each kind and number of records of a dataset, measured by a process of its own. */
  static List<Filled> measured(List<String> kinds) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                HeldHeap.class.getName()));
    command.addAll(kinds);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException("nothing was measured: " + told);
    }
    return told.lines()
        .map(line -> line.split(" "))
        .map(words -> new Filled(Long.parseLong(words[0]), Long.parseLong(words[1])))
        .toList();
  }

  /** Prints what is estimated and what is taken, in bytes, for each argument. */
  public static void main(String... kinds) {
    for (String kind : kinds) {
      String[] words = kind.split(" ");
      int records = Integer.parseInt(words[1]);
      // Whatever is loaded at the first turn is there before the second one.
      fill(store(yaml(words[0]), new OpenMemory(1 << 20).share()), yaml(words[0]), 0, FEW, records);
      Filled filled = filled(yaml(words[0]), records);
      System.out.println(filled.estimated + " " + filled.taken);
    }
  }

  private static String yaml(String kind) {
    return switch (kind) {
      case "counts" -> Fixture.YAML;
      case "wide" -> WIDE;
      case "features" -> FEATURES;
      case "summaries" -> SUMMARIES;
      case "sample" -> SAMPLE;
      default -> throw new IllegalArgumentException("no kind " + kind);
    };
  }

  /** What a store says that it holds, and by how much the heap has grown. */
  record Filled(long estimated, long taken) {}

  private static Filled filled(String yaml, int records) {
    DatasetStore store = store(yaml, new OpenMemory(Long.MAX_VALUE).share());
    fill(store, yaml, 0, 1, 1);
    long before = used();
    fill(store, yaml, 1, MANY, records);
    long taken = used() - before;
    if (store.open() != MANY) {
      throw new IllegalStateException("datasets were forgotten: " + store.open() + " are open");
    }
    return new Filled(store.heldBytes(), taken);
  }

  private static long used() {
    Runtime runtime = Runtime.getRuntime();
    long before = Long.MAX_VALUE;
    // Some is collected after it was finalized.
    for (int stable = 0, round = 0; stable < 3 && round < 20; round++) {
      System.gc();
      System.runFinalization();
      long now = runtime.totalMemory() - runtime.freeMemory();
      stable = Math.abs(before - now) < 50_000 ? stable + 1 : 0;
      before = now;
    }
    return before;
  }

  static DatasetStore store(String yaml, OpenMemory.Share share) {
    return new DatasetStore(
        new StagedWrites(MemoryStores.named("below")),
        new Contents.Layout(Fixture.plan(yaml).pipeline()),
        share::bytes);
  }

  static void fill(DatasetStore store, String yaml, int from, int to, int records) {
    boolean numbers = yaml.contains("values");
    for (int i = from; i < to; i++) {
      for (int record = 0; record < records; record++) {
        store.add(
            new Observation(
                "user-%07d".formatted(i),
                Fixture.NOW,
                0,
                numbers ? List.of(0.5, 0.25) : List.of(),
                numbers ? record + 1L : 0));
      }
    }
  }
}
