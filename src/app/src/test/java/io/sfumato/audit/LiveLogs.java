// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.release.PipelineFile;
import io.sfumato.release.Plan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * Writes the log of a new file among the live states of the resources, and nothing else: arguments
 * are a pipeline file and the file to write. What comes is made up once and then stays.
 */
final class LiveLogs {
  private LiveLogs() {}

  public static void main(String[] arguments) throws Exception {
    Plan plan = Plan.of(arguments[0], PipelineFile.read(Path.of(arguments[0])));
    StringBuilder lines = new StringBuilder();
    for (AuditScenario scenario : new Scenes(plan, 6).all(1, 1)) {
      if (scenario.name().contains("spread")) {
        scenario.log().entries().forEach(entry -> lines.append(line(plan, entry)));
      }
    }
    Files.writeString(Path.of(arguments[1]), lines);
  }

  private static String line(Plan plan, AuditLog.Entry entry) {
    String topic =
        switch (entry.channel()) {
          case RECORDS -> plan.pipeline().input().topics().names().get(0);
          case CONTROL -> plan.pipeline().controlTopic();
          case CANDIDATES -> plan.pipeline().candidatesTopic();
        };
    String tick = entry.tick().isPresent() ? " tick=" + entry.tick().getAsLong() : "";
    return "in %s %d %s %s%s%n"
        .formatted(topic, entry.timestamp(), hex(entry.key()), hex(entry.value()), tick);
  }

  private static String hex(byte[] bytes) {
    return bytes == null ? "-" : HexFormat.of().formatHex(bytes);
  }
}
