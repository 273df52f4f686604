// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.common.utils.AppInfoParser;

/** What the measurements were made on. */
final class Machine {
  private Machine() {}

  /** Seconds of processors that this process has taken: they hardly depend on what others do. */
  static double processorSeconds() {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime() / 1e9;
  }

  static Map<String, String> describe() {
    Runtime runtime = Runtime.getRuntime();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("processor", find(Path.of("/proc/cpuinfo"), "model name"));
    facts.put("cores", Integer.toString(runtime.availableProcessors()));
    facts.put("memory", find(Path.of("/proc/meminfo"), "MemTotal"));
    facts.put("heap", (runtime.maxMemory() >> 20) + " MiB");
    facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
    facts.put("collector", ManagementFactory.getGarbageCollectorMXBeans().get(0).getName());
    facts.put("kafka", AppInfoParser.getVersion());
    return facts;
  }

  private static String find(Path file, String name) {
    try {
      return Files.readAllLines(file).stream()
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      // Not on Linux.
      return "unknown";
    }
  }
}
