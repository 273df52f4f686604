// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.ops.RunningCounts;
import io.sfumato.release.Plan;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** An instance of a pipeline that says every half minute what memory it holds. */
public final class SoakApp {
  private static final Duration INTERVAL = Duration.ofSeconds(30);

  private SoakApp() {}

  /** Arguments: bootstrap servers, pipeline file, state folder, partitions. */
  public static void main(String[] arguments) throws Exception {
    Plan plan = TestCluster.plan(Files.readString(Path.of(arguments[1])));
    KafkaSettings settings = TestCluster.settings(arguments[0], Map.of());
    TestCluster.prepare(settings, plan);
    RunningCounts counts = new RunningCounts();
    try (PipelineRun run =
        PipelineRun.start(
            plan,
            TestCluster.deployment(plan, Integer.parseInt(arguments[3]), counts),
            new PipelineRun.Instance(settings, Path.of(arguments[2]), 1, 0))) {
      while (!run.awaitEnd(INTERVAL)) {
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        System.out.printf("MEMORY heap %d resident %d%n", heap, resident());
        System.out.println(counts.line());
      }
      run.failure().ifPresent(failure -> System.out.println("ENDED " + failure.getMessage()));
    }
  }

  private static long resident() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D+", "")) * 1024)
        .sum();
  }
}
