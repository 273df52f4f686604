// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Shell;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How somebody else gets a figure of the sheet.
 *
 * @param figure what
 * @param command that shows it
 */
public record Reproduction(String figure, String command) {
  /**
   * @param named the file, without folders
   * @param audit what an audit found, if it stands on the sheet
   */
  static List<Reproduction> of(String named, Pipeline pipeline, Optional<Findings> audit) {
    String file = Shell.file(named);
    String with = audit.isPresent() ? " --audit audit.json" : "";
    List<Reproduction> all = new ArrayList<>();
    all.add(
        new Reproduction(
            "this report in HTML, byte for byte (with the same --docs, if any)",
            "sfumato report " + file + " -o html" + with));
    all.add(
        new Reproduction(
            "this report in Markdown, byte for byte (likewise)", "sfumato report " + file + with));
    all.add(
        new Reproduction(
            "odds and composed losses, as numbers", "sfumato report " + file + " -o json" + with));
    all.add(
        new Reproduction("costs, losses of one output, errors, warnings", "sfumato plan " + file));
    if (pipeline.population().isPresent()) {
      all.add(
          new Reproduction(
              "records dropped by the bounds, for assumed numbers of records per user",
              "sfumato plan " + file + " --plan-records 1,1,2,3,12"));
    }
    all.add(
        new Reproduction(
            "audited losses: the whole pipeline on neighbouring logs (minutes)",
            "sfumato audit "
                + file
                + audit.map(Reproduction::options).orElse(" --seed 1")
                + " -o json > audit.json"));
    if (audit.isEmpty()) {
      all.add(
          new Reproduction(
              "this report with the audit's findings",
              "sfumato report " + file + " --audit audit.json"));
    }
    for (String role : ResourceRights.roles(ResourceRights.of(pipeline))) {
      all.add(
          new Reproduction(
              "rights of the " + role + ", as commands",
              "sfumato doctor %s --rights User:%s --role %s".formatted(file, role, role)));
    }
    all.add(
        new Reproduction(
            "actual rights, topics and settings of a cluster",
            "sfumato doctor "
                + file
                + " --bootstrap-servers HOST:9092 --secret-file KEY --principal User:application"));
    all.add(new Reproduction("data flow", "sfumato describe " + file + " -o mermaid"));
    return all;
  }

  private static String options(Findings found) {
    Findings.Effort effort = found.effort();
    return String.format(
        Locale.ROOT,
        " --seed %d --draws %d --failure %s --neighbours %d --windows %d --random-logs %d",
        found.seed(),
        effort.draws(),
        Double.toString(effort.failure()),
        effort.neighbours(),
        effort.windows(),
        effort.randomLogs());
  }
}
