// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.pipeline.Pipeline;
import java.util.ArrayList;
import java.util.List;

/**
 * How somebody else gets a figure of the sheet.
 *
 * @param figure what
 * @param command that shows it
 */
public record Repeat(String figure, String command) {
  static List<Repeat> of(String file, Pipeline pipeline) {
    List<Repeat> all = new ArrayList<>();
    all.add(new Repeat("this sheet in HTML, byte for byte", "sfumato report " + file + " -o html"));
    all.add(new Repeat("this sheet in Markdown, byte for byte", "sfumato report " + file));
    all.add(new Repeat("costs, losses, errors, warnings", "sfumato plan " + file));
    if (pipeline.population().isPresent()) {
      all.add(
          new Repeat(
              "what the bounds leave out, for a guess of how many records users have",
              "sfumato plan " + file + " --plan-records 1,1,2,3,12"));
    }
    all.add(
        new Repeat(
            "audited losses: the whole pipeline over neighbouring logs (minutes)",
            "sfumato audit " + file + " --seed 1 -o json > audit.json"));
    all.add(
        new Repeat(
            "this sheet with what the audit found",
            "sfumato report " + file + " --audit audit.json"));
    for (String role : Access.names()) {
      all.add(
          new Repeat(
              "rights of the " + role + ", as commands",
              "sfumato doctor %s --rights User:%s --role %s".formatted(file, role, role)));
    }
    all.add(
        new Repeat(
            "rights, topics and settings of a cluster as they are",
            "sfumato doctor "
                + file
                + " --bootstrap-servers HOST:9092 --secret-file KEY --principal User:application"));
    all.add(new Repeat("where data flow", "sfumato describe " + file + " -o mermaid"));
    return all;
  }
}
