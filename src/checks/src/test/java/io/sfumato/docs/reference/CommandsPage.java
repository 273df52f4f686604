// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs.reference;

import static io.sfumato.docs.reference.Markdown.code;
import static io.sfumato.docs.reference.Markdown.link;
import static io.sfumato.docs.reference.Markdown.words;

import io.sfumato.cli.CommandModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** docs/reference/commands.md, from the commands as they are parsed. */
final class CommandsPage {
  private static final String OF_EVERY = "-h, --help";

  /** A last clause that says what holds without the option. */
  private static final Pattern DEFAULT =
      Pattern.compile("^(.*?)[.,;:] [Bb]y default ((?:[^.;]|\\.(?! |$))+)\\.?$");

  private CommandsPage() {}

  static String text() {
    CommandLine program = CommandModel.all();
    Markdown page =
        new Markdown(
            "Commands",
            "This page is for everyone who runs `sfumato`. It lists every command with its options,"
                + " exit codes and examples, as `sfumato COMMAND --help` shows them.",
            "the program's commands");
    page.paragraph(
        "Every command has "
            + code(OF_EVERY)
            + " and `-V, --version`. Every command ends with one of the"
            + " [exit codes](codes.md#exit-codes); where a code reports what was found, the command"
            + " lists it. Where Kafka settings may be written, and which place wins:"
            + " [deploy](../operate/deploy.md#where-settings-come-from).");
    page.table(
        List.of("command", "what it does"),
        program.getSubcommands().values().stream()
            .map(each -> List.of(link(each.getCommandName()), summary(each)))
            .toList());
    program.getSubcommands().values().forEach(each -> section(page, each, "", 2));
    return page.toString();
  }

  private static String summary(CommandLine command) {
    return words(sentences(command).get(0));
  }

  private static List<String> sentences(CommandLine command) {
    return Stream.of(command.getCommandSpec().usageMessage())
        .flatMap(usage -> Stream.concat(Stream.of(usage.header()), Stream.of(usage.description())))
        .flatMap(text -> Stream.of(text.split("%n")))
        .map(String::strip)
        .filter(text -> !text.isEmpty())
        .toList();
  }

  private static void section(Markdown page, CommandLine command, String parent, int level) {
    CommandSpec spec = command.getCommandSpec();
    String name = (parent + " " + command.getCommandName()).strip();
    page.heading(level, name);
    sentences(command).forEach(text -> page.paragraph(words(text)));
    page.block(
        new CommandLine.Help(spec, CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
            .synopsis(0)
            .lines()
            .toList());
    List<List<String>> rows = rows(spec);
    if (!rows.isEmpty()) {
      page.table(List.of("argument or option", "default", "meaning"), rows);
    }
    if (!command.getSubcommands().isEmpty()) {
      page.table(
          List.of("command", "what it does"),
          command.getSubcommands().values().stream()
              .map(each -> List.of(link(name + " " + each.getCommandName()), summary(each)))
              .toList());
    }
    if (!spec.usageMessage().exitCodeList().isEmpty()) {
      page.table(
          List.of("exit code", "meaning"),
          spec.usageMessage().exitCodeList().entrySet().stream()
              .map(each -> List.of(each.getKey(), words(each.getValue())))
              .toList());
    }
    List<String> examples = examples(spec);
    if (!examples.isEmpty()) {
      page.block(examples);
    }
    command.getSubcommands().values().forEach(each -> section(page, each, name, level + 1));
  }

  /** What stands below the help, as it stands there. */
  private static List<String> examples(CommandSpec spec) {
    List<String> lines = new ArrayList<>(List.of(spec.usageMessage().footer()));
    while (!lines.isEmpty() && lines.get(0).isBlank()) {
      lines.remove(0);
    }
    return lines;
  }

  private static List<List<String>> rows(CommandSpec spec) {
    Stream<ArgSpec> options =
        spec.options().stream()
            .filter(option -> !option.hidden() && !option.usageHelp() && !option.versionHelp())
            .sorted(Comparator.comparing(OptionSpec::longestName))
            .map(ArgSpec.class::cast);
    return Stream.concat(spec.positionalParameters().stream().map(ArgSpec.class::cast), options)
        .map(CommandsPage::row)
        .toList();
  }

  private static List<String> row(ArgSpec argument) {
    String meaning = String.join(" ", argument.description());
    Optional<String> value = value(argument);
    meaning = meaning.replaceFirst("[;,] by default \\$\\{DEFAULT-VALUE}\\.$", ".");
    meaning = meaning.replace("${DEFAULT-VALUE}", value.orElse(""));
    String shown = value.map(Markdown::code).orElse("");
    Matcher last = DEFAULT.matcher(meaning);
    if (last.matches()) {
      meaning = last.group(1) + ".";
      shown = words(last.group(2));
    }
    return List.of(code(name(argument)), argument.required() ? "required" : shown, words(meaning));
  }

  /** What the model has as the default, unless it only means that there is none. */
  private static Optional<String> value(ArgSpec argument) {
    if (argument.defaultValue() != null) {
      return Optional.of(argument.defaultValue());
    }
    return argument.initialValue() instanceof Enum<?> word
        ? Optional.of(word.name().toLowerCase(Locale.ROOT).replace('_', '-'))
        : Optional.empty();
  }

  private static String name(ArgSpec argument) {
    if (argument instanceof PositionalParamSpec parameter) {
      return parameter.paramLabel() + (parameter.arity().max() > 1 ? "..." : "");
    }
    OptionSpec option = (OptionSpec) argument;
    String names = Arrays.stream(option.names()).collect(Collectors.joining(", "));
    return option.arity().max() == 0 ? names : names + "=" + option.paramLabel();
  }
}
