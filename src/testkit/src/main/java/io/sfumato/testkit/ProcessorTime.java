// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.testkit;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * Writes to {@code target/processor-time.csv} how many seconds of processor time each class of
 * tests took: of its own process, and of processes that it started and that have ended. Machines
 * that build are shared: what takes long by the clock may have waited for others.
 */
public final class ProcessorTime implements BeforeAllCallback, AfterAllCallback {
  private static final Path FILE = Path.of("target", "processor-time.csv");
  private static final Namespace NAMESPACE = Namespace.create(ProcessorTime.class);

  private static final String HEADER = "class,own_seconds,started_seconds%n".formatted();

  /** Ticks of Linux's clock in a second. */
  private static final double TICKS = 100;

  private record Spent(double own, double started) {
    static Spent now() throws IOException {
      var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
      Path stat = Path.of("/proc/self/stat");
      double started = 0;
      if (Files.exists(stat)) {
        String line = Files.readString(stat);
        // Behind the name, which may have spaces, the third field comes first.
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
        started = (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) / TICKS;
      }
      return new Spent(system.getProcessCpuTime() * 1e-9, started);
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    context.getStore(NAMESPACE).put(context.getUniqueId(), Spent.now());
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    Spent before = context.getStore(NAMESPACE).get(context.getUniqueId(), Spent.class);
    Spent after = Spent.now();
    String line =
        "%s,%.2f,%.2f%n"
            .formatted(
                context.getRequiredTestClass().getName(),
                after.own() - before.own(),
                after.started() - before.started());
    Files.createDirectories(FILE.getParent());
    String header = Files.exists(FILE) ? "" : HEADER;
    Files.writeString(FILE, header + line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
