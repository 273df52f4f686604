// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.AutoComplete;
import picocli.CommandLine;

/** The commands by their names, in the order in which help lists them. */
final class Commands {
  static final List<String> NAMES =
      List.of(
          "demo",
          "run",
          "new",
          "plan",
          "report",
          "schema",
          "audit",
          "experiment",
          "describe",
          "calibrate",
          "produce",
          "play",
          "consume",
          "export",
          "serve",
          "top",
          "query",
          "synthesize",
          "fit-reference",
          "estimate",
          "combine",
          "tick",
          "tick-key",
          "enrol",
          "leave",
          "forget",
          "adapt",
          "activate",
          "skip",
          "skip-record",
          "ledger",
          "offsets",
          "drill",
          "doctor",
          "bench",
          "secret");

  private Commands() {}

  /** The one that comes first among the arguments; all where none does. */
  static Map<String, Class<?>> asked(String[] arguments) {
    if (arguments.length > 0 && NAMES.contains(arguments[0])) {
      return Map.of(arguments[0], named(arguments[0]));
    }
    Map<String, Class<?>> all = new LinkedHashMap<>();
    NAMES.forEach(name -> all.put(name, named(name)));
    all.put("generate-completion", AutoComplete.GenerateCompletion.class);
    all.put("help", CommandLine.HelpCommand.class);
    return all;
  }

  private static Class<?> named(String name) {
    return switch (name) {
      case "demo" -> DemoCommand.class;
      case "run" -> RunCommand.class;
      case "new" -> NewCommand.class;
      case "plan" -> PlanCommand.class;
      case "report" -> ReportCommand.class;
      case "schema" -> SchemaCommand.class;
      case "audit" -> AuditCommand.class;
      case "describe" -> DescribeCommand.class;
      case "calibrate" -> CalibrateCommand.class;
      case "produce" -> ProduceCommand.class;
      case "play" -> PlayCommand.class;
      case "consume" -> ConsumeCommand.class;
      case "export" -> ExportCommand.class;
      case "serve" -> ServeCommand.class;
      case "top" -> TopCommand.class;
      case "query" -> QueryCommand.class;
      case "synthesize" -> SynthesizeCommand.class;
      case "fit-reference" -> FitReferenceCommand.class;
      case "estimate" -> EstimateCommand.class;
      case "combine" -> CombineCommand.class;
      case "tick" -> TickCommand.class;
      case "tick-key" -> TickKeyCommand.class;
      case "enrol" -> EnrolCommand.class;
      case "leave" -> LeaveCommand.class;
      case "forget" -> ForgetCommand.class;
      case "adapt" -> AdaptCommand.class;
      case "activate" -> ActivateCommand.class;
      case "skip" -> SkipCommand.class;
      case "skip-record" -> SkipRecordCommand.class;
      case "ledger" -> LedgerCommand.class;
      case "offsets" -> OffsetsCommand.class;
      case "drill" -> DrillCommand.class;
      case "doctor" -> DoctorCommand.class;
      case "bench", "experiment" -> LabPart.command(name);
      case "secret" -> SecretCommand.class;
      default -> throw new IllegalArgumentException(name);
    };
  }
}
