// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.console.Terminal;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.runtime.ClientErrors;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TemporaryFolder;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.SchemasUnavailableException;
import io.sfumato.text.ControlCharEscaper;
import java.io.PrintWriter;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Spec;

/** Entry point. */
@Command(
    name = "sfumato",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    description = "Turns a Kafka topic of per-user events into differentially private topics.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  sfumato demo                               see it work, nothing else needed",
      "  sfumato new mine.yaml --csv mine.csv       a first pipeline file from a look at some"
          + " records",
      "  sfumato plan topology/diary.yaml           what will it cost, how good will it be",
      "  sfumato run topology/diary.yaml --embedded a broker and the pipeline in one process",
      "  sfumato consume weekly-mix                 read what was released",
      "",
      "Exit codes: 0 done, 1 failed (try again), 2 wrong arguments, 3 file or setting refused,",
      "4 cluster refused or unreachable, 5 stopped because going on would break the guarantee."
    })
public final class Main implements Runnable {
  private static final String RUN = "run";

  @Spec private CommandSpec spec;

  private Main() {}

  /** Who gives no command is shown what there is. */
  @Override
  public void run() {
    CommandLine command = spec.commandLine();
    command.usage(Terminal.over(command.getOut()), command.getColorScheme());
  }

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    // What is printed is read by programs and stands in documents: the same on every machine.
    // Texts that outlive a process name the locale themselves, for who uses this as a library.
    Locale.setDefault(Locale.ROOT);
    boolean runs = arguments.length > 0 && arguments[0].equals(RUN);
    boolean logs = runs && Terminal.wantsJson() && !asksForHelp(arguments);
    if (logs) {
      Terminal.logLines();
    }
    TemporaryFolder.makePlace();
    if (runs) {
      Thread.setDefaultUncaughtExceptionHandler(Main::explain);
    }
    CommandLine command = commandLine(arguments);
    // Help has colours of its own, which are no text from elsewhere.
    command.setOut(command.getOut()).setErr(command.getErr());
    if (logs) {
      command.setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
    } else {
      Terminal.guard();
    }
    int code = command.execute(arguments);
    Terminal.end();
    System.exit(code);
  }

  /** Help is for people, whatever the log is for. */
  private static boolean asksForHelp(String... arguments) {
    return Stream.of(arguments).anyMatch(Set.of("--help", "-h", "--version", "-V")::contains);
  }

  /** An exception's own message may quote records: only its kind and its place are said. */
  private static void explain(Thread thread, Throwable thrown) {
    LoggerFactory.getLogger(Main.class)
        .error("thread {} failed: {}", thread.getName(), ProgramFault.kindsAndPlace(thrown));
  }

  /** Of all commands. */
  static CommandLine commandLine() {
    return commandLine(new String[0]);
  }

  /** Of the one command that is asked for, or of all: to look at all options takes long. */
  static CommandLine commandLine(String[] arguments) {
    CommandLine commands = new CommandLine(new Main());
    // As command lines, so that those that transform their model do so.
    Commands.asked(arguments)
        .forEach((name, type) -> commands.addSubcommand(name, new CommandLine(type)));
    Map<String, IHelpSectionRenderer> sections = new HashMap<>(commands.getHelpSectionMap());
    sections.put(UsageMessageSpec.SECTION_KEY_FOOTER, Main::examples);
    return commands
        .setHelpSectionMap(sections) // of all commands below as well
        .registerConverter(Instant.class, Main::time)
        .registerConverter(GivenTime.class, GivenTime::parse)
        .registerConverter(ZoneId.class, Main::zone)
        .registerConverter(Duration.class, WaitingTime::parse)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setParameterExceptionHandler(Main::complain)
        .setExecutionExceptionHandler(Main::explain);
  }

  /** Lines as they were written, so that each command can be copied whole, whatever the width. */
  private static String examples(CommandLine.Help help) {
    return Arrays.stream(help.commandSpec().usageMessage().footer())
        .map(line -> help.colorScheme().ansi().string(line) + System.lineSeparator())
        .collect(Collectors.joining());
  }

  /** A day (UTC), or a time with an offset. */
  static Instant time(String text) {
    return EventReader.parseTime(text.matches("\\d{4}-\\d{2}-\\d{2}") ? text + "T00:00:00Z" : text)
        .filter(time -> time <= EventReader.LATEST)
        .map(Instant::ofEpochMilli)
        .orElseThrow(
            () ->
                new CommandLine.TypeConversionException(
                    "'%s' is neither a day nor a time with an offset, such as 2026-01-05 or 2026-01-05T12:00:00Z"
                        .formatted(text)));
  }

  private static ZoneId zone(String text) {
    try {
      return ZoneId.of(text);
    } catch (DateTimeException e) {
      throw new CommandLine.TypeConversionException(
          "'%s' is not a time zone such as Europe/Berlin, UTC or +02:00".formatted(text));
    }
  }

  /** A wrong argument, and what would be a right one. */
  private static int complain(CommandLine.ParameterException wrong, String[] arguments) {
    CommandLine command = wrong.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(command.getColorScheme().errorText(ControlCharEscaper.lines(wrong.getMessage())));
    if (!CommandLine.UnmatchedArgumentException.printSuggestions(wrong, Terminal.over(err))) {
      Terminal.over(err)
          .println("see '%s --help'".formatted(command.getCommandSpec().qualifiedName()));
    }
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  /** Expected refusals are one clear message; everything else is a defect, with its trace. */
  private static int explain(
      Exception exception, CommandLine command, CommandLine.ParseResult result) {
    PrintWriter err = Terminal.over(command.getErr());
    if (exception instanceof PipelineFileException) {
      err.println(exception.getMessage());
      return ExitCode.REFUSED_FILE.number();
    }
    if (exception instanceof RefusedException refused) {
      err.println(refused.getMessage());
      return refused.code().number();
    }
    if (exception instanceof SchemasUnavailableException) {
      err.println(exception.getMessage());
      return ExitCode.REFUSED_CLUSTER.number();
    }
    if (exception instanceof KafkaException) {
      // With a trace it would quote settings.
      err.println("a Kafka client failed: " + ClientErrors.words(exception));
      return ExitCode.REFUSED_CLUSTER.number();
    }
    err.println(ProgramFault.words(exception));
    return command.getCommandSpec().exitCodeOnExecutionException();
  }

  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"sfumato " + (version == null ? "(from classes)" : version)};
    }
  }
}
