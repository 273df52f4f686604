// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.doctor.Rights;
import io.sfumato.pipeline.Pipeline;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/** What {@code doctor --rights} prints: lines for a shell. */
final class PrintedRights {
  /** What a principal does with a pipeline. */
  enum Role {
    APPLICATION,
    OPERATOR,
    PRODUCER,
    TICKER,
    READER,
    MODELLER,
    AUDITOR
  }

  private final Rights needed;
  private final boolean asks;
  private final String principal;
  private final String servers;
  private final Optional<String> imports;

  /**
   * @param servers for the commands
   * @param imports a budget whose ledger is imported
   */
  PrintedRights(Pipeline pipeline, String principal, String servers, Optional<String> imports) {
    this.needed = new Rights(pipeline);
    this.asks = !pipeline.queries().isEmpty();
    this.principal = principal;
    this.servers = servers;
    this.imports = imports;
  }

  /** Commands for what a role needs; comments for what it may need besides. */
  void of(Role role, PrintWriter out) {
    out.println("# " + Rights.ofCommands());
    switch (role) {
      case APPLICATION -> application(out);
      case OPERATOR -> {
        out.println(
            "# operators (activate, forget, skip, tick, offsets, ledger) need, with the noise "
                + "secret or without:");
        commands(out, Rights.Part.APPLICATION, Rights.Part.OPERATOR);
        imported(out);
      }
      case PRODUCER -> {
        out.println("# producers of records need:");
        commands(out, Rights.Part.PRODUCER);
      }
      case TICKER -> {
        out.println("# 'sfumato tick --at TIME --yes' needs (and a tick key: sfumato tick-key):");
        commands(out, Rights.Part.TICKER);
        besides(
            out,
            "without --at it also reads the newest records, which are raw data:",
            Rights.Part.LOOKING_TICKER);
      }
      case READER -> {
        out.println(
            "# 'sfumato consume' of releases needs (other clients:"
                + " isolation.level=read_committed):");
        commands(out, Rights.Part.READER);
      }
      case MODELLER -> {
        out.println(
            asks
                ? "# 'sfumato query' needs:"
                : "# this pipeline answers no queries: it has no release 'abc'");
        commands(out, Rights.Part.MODELLER);
      }
      case AUDITOR -> {
        out.println("# 'sfumato doctor FILE --auditor' needs:");
        commands(out, Rights.Part.AUDITOR);
      }
    }
  }

  private void application(PrintWriter out) {
    out.println("# 'sfumato run' needs:");
    commands(out, Rights.Part.APPLICATION);
    imported(out);
    besides(
        out,
        "to tick by itself ('ticks: here', or --auto-tick) it also needs, on the records' topic:",
        Rights.Part.AUTO_TICK);
    besides(
        out,
        "to tick by itself where producers set the records' timestamps (CreateTime) it also needs,"
            + " to compare clocks:",
        Rights.Part.CLOCK_READER);
    besides(
        out,
        "a principal that runs commands (activate, forget, skip, tick, ledger) also needs (all"
            + " together: --role operator):",
        Rights.Part.OPERATOR);
    besides(
        out,
        "doctor also needs (for an auditor who does not run the pipeline: --role auditor):",
        Rights.Part.DOCTOR);
  }

  private void imported(PrintWriter out) {
    imports.ifPresent(
        budget -> {
          out.println("# to import the ledger of budget " + budget + ":");
          Rights.toImportFrom(budget, principal, servers).forEach(out::println);
        });
  }

  private void commands(PrintWriter out, Rights.Part... parts) {
    needed.commands(principal, servers, parts).forEach(out::println);
  }

  private void besides(PrintWriter out, String who, Rights.Part part) {
    out.println("# " + who);
    List<String> commands = needed.commands(principal, servers, part);
    commands.forEach(line -> out.println("# " + line));
  }
}
