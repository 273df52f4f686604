// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.draft.CrowdDraft;
import io.sfumato.draft.Draft;
import io.sfumato.draft.Guess;
import io.sfumato.draft.Sample;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.PipelineFile;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plan;
import io.sfumato.pipeline.PlanReport;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.Console;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "new",
    mixinStandardHelpOptions = true,
    description = {
      "Writes a commented pipeline file from a look at some records.",
      "On a terminal it asks what it cannot find; elsewhere it takes what it finds."
    },
    footer = {
      "",
      "Examples:",
      "  sfumato new diary.yaml --csv diary.csv.gz",
      "  sfumato new clicks.yaml --from-topic clicks --bootstrap-servers kafka:9092",
      "  sfumato new wards.yaml --csv admissions.csv --user patient --subject ward --window 1d",
      "  sfumato new steps.yaml --subject user --time at --category kind --categories walk,run,ride --window 1d"
    })
final class NewCommand implements Callable<Integer> {
  private static final Pattern WINDOW = Pattern.compile("(\\d{1,6})([smhd])");

  @Parameters(paramLabel = "FILE", description = "Pipeline file to write; it must not exist.")
  private Path file;

  @Mixin private ClusterOptions cluster;

  @Option(names = "--csv", paramLabel = "FILE", description = "CSV to look at, plain or gzipped.")
  private Optional<Path> csv = Optional.empty();

  @Option(names = "--from-topic", paramLabel = "TOPIC", description = "Topic of JSON to look at.")
  private Optional<String> fromTopic = Optional.empty();

  @Option(names = "--topic", description = "Topic of the records; by default the one looked at.")
  private Optional<String> topic = Optional.empty();

  @Option(names = "--subject", paramLabel = "FIELD", description = "Whose privacy it is.")
  private Optional<String> subject = Optional.empty();

  @Option(
      names = "--user",
      paramLabel = "FIELD",
      description =
          "Whose privacy it is, where many users feed one subject: writes a pipeline of such"
              + " populations.")
  private Optional<String> user = Optional.empty();

  @Option(
      names = "--subjects",
      split = ",",
      description =
          "With --user: the subjects. By default those that at least 10 users of the sample have:"
              + " the list becomes public.")
  private List<String> subjects = List.of();

  @Option(
      names = "--begin",
      paramLabel = "TIME",
      description =
          "With --user: start of the first window that counts, a day or a time; by default that of"
              + " the sample's earliest record. It becomes public.")
  private Optional<Instant> begin = Optional.empty();

  @Option(names = "--time", paramLabel = "FIELD", description = "Event time.")
  private Optional<String> time = Optional.empty();

  @Option(names = "--category", paramLabel = "FIELD", description = "What is counted.")
  private Optional<String> category = Optional.empty();

  @Option(
      names = "--categories",
      split = ",",
      description =
          "Allowed categories. By default those that at least 10 subjects of the sample have: the"
              + " list becomes public.")
  private List<String> categories = List.of();

  @Option(names = "--window", description = "Length of a window, such as 1h or 7d.")
  private Optional<String> window = Optional.empty();

  @Option(names = "--epsilon", description = "Of the budget; by default 4.")
  private double epsilon = 4;

  @Option(
      names = "--lifetime",
      paramLabel = "WINDOWS",
      description =
          "One budget for a subject's lifetime that affords so many windows; by default each"
              + " window has a budget of its own.")
  private int lifetime = 0;

  @Override
  public Integer call() throws RefusedException, PipelineFileException {
    if (!(epsilon > 0) || Double.isInfinite(epsilon)) {
      throw new RefusedException(
          ExitCode.USAGE, "--epsilon: found " + epsilon + ", allowed is a number above 0");
    }
    if (categories.size() == 1) {
      throw new RefusedException(
          ExitCode.USAGE, "--categories: found one, allowed are at least two: --categories a,b");
    }
    Sample sample =
        csv.isPresent()
            ? Sample.ofCsv(csv.get())
            : fromTopic.isPresent()
                ? Sample.ofTopic(fromTopic.get(), cluster.reach(Map.of()))
                : new Sample(Set.of(), List.of());
    Guess guess = new Guess(sample);
    String name = name();
    String from =
        decide("topic of the records", topic.or(() -> fromTopic), Optional.of(name), "--topic");
    String who = decide("field of the subject", subject, guess.subject(), "--subject");
    String when = decide("field of the event time", time, guess.time(), "--time");
    String what =
        decide("field of the category", category, guess.category(who, when), "--category");
    String person = user.orElse(who);
    for (String field : List.of(who, when, what, person)) {
      requireField(sample, field);
    }
    List<String> allowed = categories.isEmpty() ? guess.categories(what, person) : categories;
    if (allowed.size() < 2) {
      throw new RefusedException(
          ExitCode.USAGE,
          "fewer than 2 categories that at least %d subjects have were found: name them with --categories a,b,..."
              .formatted(Guess.LEAST_SUBJECTS));
    }
    Guess.Window found =
        window.isPresent()
            ? guess.window(who, when, duration(window.get()))
            : guess.window(who, when);
    Duration size = found.size();
    int records = found.records() > 1 ? found.records() : 40;
    String yaml =
        user.isPresent()
            ? crowd(name, from, who, when, what, allowed, size, records, guess)
            : new Draft(name, from, who, when, what, allowed, size, records, epsilon, lifetime)
                .yaml();
    // Whatever comes out must be a file that runs.
    Plan plan = Plan.of(file.toString(), PipelineFile.parse(file.toString(), yaml));
    write(yaml);
    System.out.printf("wrote %s; read it: the categories in it become public%n%n", file);
    System.out.printf(
        "It counts '%s' (--category) of each '%s' (--subject) by the time in '%s' (--time), in windows of%n"
            + "%s (--window). What you did not give was chosen by a look at the records%s.%n"
            + "To change it, edit the file before its first start, or remove it and say these options.%n%n",
        what, who, when, Draft.length(size), typical(found, size));
    System.out.print(PlanReport.text(plan));
    return 0;
  }

  /** A file that names other fields would make a dead letter of every record. */
  private static void requireField(Sample sample, String field) throws RefusedException {
    if (!sample.fields().isEmpty()
        && !sample.fields().contains(field)
        && !field.equals(InputSpec.RECORD_KEY)) {
      throw new RefusedException(
          ExitCode.USAGE,
          "no record has a field '%s'; there are %s"
              .formatted(field, String.join(", ", sample.fields())));
    }
  }

  /** Why a window is as long as it is. */
  private String typical(Guess.Window found, Duration size) {
    return found.records() > 1 && found.size().equals(size)
        ? ": in such a%nwindow half of those who have records have %d or more"
            .formatted(found.records())
        : "";
  }

  private String crowd(
      String name,
      String from,
      String who,
      String when,
      String what,
      List<String> allowed,
      Duration size,
      int records,
      Guess guess)
      throws RefusedException {
    if (lifetime > 0) {
      throw new RefusedException(
          ExitCode.USAGE, "--lifetime: write 'period: lifetime' and 'windows' into the file");
    }
    List<String> groups = subjects.isEmpty() ? guess.categories(who, user.orElseThrow()) : subjects;
    if (groups.isEmpty()) {
      throw new RefusedException(
          ExitCode.USAGE,
          "no subject that at least %d users have was found: name them with --subjects a,b,..."
              .formatted(Guess.LEAST_SUBJECTS));
    }
    return new CrowdDraft(
            name,
            from,
            user.orElseThrow(),
            who,
            groups,
            when,
            what,
            allowed,
            size,
            WindowSpec.beginText(
                begin(size, guess.earliest(when).orElseGet(System::currentTimeMillis))),
            records,
            epsilon)
        .yaml();
  }

  /** The start of the window that a time lies in. */
  private long begin(Duration size, long earliest) throws RefusedException {
    long time = begin.map(Instant::toEpochMilli).orElse(earliest);
    long start = WindowSpec.startOf(time, size, WindowSpec.MONDAY);
    if (begin.isPresent() && start != time) {
      throw new RefusedException(
          ExitCode.USAGE,
          "--begin: found %s, within a window: one starts %s, the next %s"
              .formatted(
                  WindowSpec.beginText(time),
                  WindowSpec.beginText(start),
                  WindowSpec.beginText(start + size.toMillis())));
    }
    return start;
  }

  private String name() {
    String base = file.getFileName().toString().replaceFirst("\\.ya?ml$", "");
    return base.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
  }

  private static String decide(
      String what, Optional<String> given, Optional<String> guessed, String option)
      throws RefusedException {
    if (given.isPresent()) {
      return given.get();
    }
    Console console = System.console();
    if (console != null) {
      String answer = console.readLine("%s%s: ", what, guessed.map(g -> " [" + g + "]").orElse(""));
      if (answer != null && !answer.isBlank()) {
        return answer.strip();
      }
    }
    return guessed.orElseThrow(
        () ->
            new RefusedException(ExitCode.USAGE, "the " + what + " was not found: give " + option));
  }

  private static Duration duration(String text) throws RefusedException {
    Matcher matcher = WINDOW.matcher(text);
    if (!matcher.matches()) {
      throw new RefusedException(
          ExitCode.USAGE, "--window: found '" + text + "', allowed are such as 30s, 15m, 1h, 7d");
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }

  private void write(String yaml) throws RefusedException {
    try {
      Files.writeString(file, yaml, StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE, file + " exists already: choose another name, or remove it");
    } catch (IOException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          file + " cannot be written (" + e.getClass().getSimpleName() + ")");
    }
  }
}
