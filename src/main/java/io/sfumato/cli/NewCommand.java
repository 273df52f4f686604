// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.EventTimes;
import io.sfumato.client.Rehearsal;
import io.sfumato.console.Terminal;
import io.sfumato.console.Visible;
import io.sfumato.draft.ArrayItems;
import io.sfumato.draft.CrowdDraft;
import io.sfumato.draft.Draft;
import io.sfumato.draft.Guess;
import io.sfumato.draft.Sample;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.Plan;
import io.sfumato.release.PlanReport;
import io.sfumato.runtime.RefusedException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

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
  /** Planned for where nothing is known. */
  private static final int USUAL = 40;

  @Spec private CommandSpec spec;

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

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description =
          "With --csv: zone of times without an offset, such as Europe/Berlin or UTC; 'produce' takes"
              + " the same option.")
  private Optional<ZoneId> zone = Optional.empty();

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

  private Choices choices = Choices.onTerminal();

  @Override
  public Integer call() throws RefusedException, PipelineFileException {
    checkOptions();
    Sample sample = look();
    if (csv.isEmpty() && fromTopic.isEmpty()) {
      requireAllNamed();
    }
    Guess look = new Guess(sample);
    String name = name();
    String from = topic.or(() -> fromTopic).orElse("");
    from =
        choices.decide(
            "topic of the records",
            Optional.of(from).filter(t -> !t.isEmpty()),
            Optional.of(name),
            "--topic",
            "topic");
    Optional<String> likely =
        user.isPresent()
            ? look.group(user.get(), category.map(Set::of).orElse(Set.of()))
            : look.subject();
    String who = choices.decide("field of the subject", subject, likely, "--subject", "subject");
    String when = choices.decide("field of the event time", time, look.time(), "--time", "time");
    String person = user.orElse(who);
    String what =
        choices.decide(
            "field of the category",
            category,
            look.category(Set.copyOf(List.of(who, when, person))).map(field -> each(sample, field)),
            "--category",
            "category");
    DraftCheck.requireUser(user, what);
    Sample counted = new ArrayItems(sample).unfolded(what);
    for (String field : List.of(who, when, what, person)) {
      DraftCheck.requireField(sample, counted, field);
    }
    EventTimes times = EventTimes.in(zone(sample, when), WindowSpec.MAX_AHEAD);
    Guess guess = new Guess(counted.sent(when, times));
    List<String> allowed = categories(guess, what, person);
    Guess.Window found = window(guess, who, when);
    int records = records(found);
    String yaml =
        user.isPresent()
            ? crowd(name, from, who, when, what, allowed, found.size(), records, guess)
            : new Draft(
                    name,
                    from,
                    who,
                    when,
                    what,
                    allowed,
                    found.size(),
                    records,
                    epsilon,
                    lifetime,
                    choices.guessed())
                .yaml();
    // Whatever comes out must be a file that runs, and that counts these records.
    Plan plan = Plan.of(file.toString(), PipelineFile.parse(file.toString(), yaml));
    List<String> notes =
        new ArrayList<>(DraftCheck.notes(rehearse(plan.pipeline(), sample, times)));
    new NewFile(file).write(yaml);
    PrintWriter out = Terminal.over(spec.commandLine().getOut());
    out.printf("wrote %s; read it: the categories in it become public%n%n", file);
    out.printf(
        "It counts '%s' (--category) of each '%s' (--subject) by the time in '%s' (--time), in windows of%n"
            + "%s (--window). What you did not give was chosen by a look at the records%s,%n"
            + "and is marked GUESSED in the file. To change it, edit the file before its first start, or remove it%n"
            + "and say these options.%n%n",
        what, who, when, Draft.length(found.size()), DraftAdvice.typical(found));
    DraftCheck.utc(times.zone(), found.size()).ifPresent(notes::add);
    notes.forEach(note -> out.printf("%s%n%n", Visible.of(note)));
    out.print(PlanReport.text(plan));
    DraftAdvice advice = new DraftAdvice(file, looked(), user, who, when, what);
    advice.on(guess, found).forEach(line -> out.printf("%n%s%n", line));
    out.printf("%nNext, each in a terminal of its own:%n");
    next(plan, times).commands().forEach(command -> out.printf("  %s%n", command));
    out.flush();
    return 0;
  }

  /** What is wrong whatever the records are. */
  private void checkOptions() throws RefusedException {
    if (!(epsilon > 0) || Double.isInfinite(epsilon)) {
      throw DraftCheck.wrong("--epsilon: found " + epsilon + ", allowed is a number above 0");
    }
    if (categories.size() == 1) {
      throw DraftCheck.wrong("--categories: found one, allowed are at least two: --categories a,b");
    }
    if (csv.isPresent() && fromTopic.isPresent()) {
      throw DraftCheck.wrong("--csv and --from-topic: look at one of them");
    }
    if (zone.isPresent() && fromTopic.isPresent()) {
      throw DraftCheck.wrong(
          "--zone: records of a topic are read as they are; whoever writes them adds the offset");
    }
    if (user.isEmpty() && (!subjects.isEmpty() || begin.isPresent())) {
      throw DraftCheck.wrong("--subjects and --begin: only with --user");
    }
    if (user.isPresent() && lifetime != 0) {
      throw DraftCheck.wrong(
          "--lifetime: with --user, write 'period: lifetime' and 'windows' into the file");
    }
    if (lifetime < 0) {
      throw DraftCheck.wrong(
          "--lifetime: found " + lifetime + ", allowed is a number of windows, at least 1");
    }
    if (window.isPresent()) {
      DraftCheck.duration(window.get());
    }
    new NewFile(file).requireNone();
  }

  /** All at once, where nothing is looked at that could tell and nobody can be asked. */
  private void requireAllNamed() throws RefusedException {
    Map<String, Boolean> given = new LinkedHashMap<>();
    given.put("--subject", subject.isPresent());
    given.put("--time", time.isPresent());
    given.put("--category", category.isPresent());
    given.put("--categories", !categories.isEmpty());
    choices.requireNamed(given, "records to look at: --csv FILE or --from-topic TOPIC");
  }

  private Sample look() throws RefusedException {
    if (csv.isPresent()) {
      return Sample.ofCsv(csv.get());
    }
    return fromTopic.isPresent()
        ? Sample.ofTopic(fromTopic.get(), cluster.reach(Map.of()))
        : Sample.none();
  }

  /** Times without an offset are in a zone that somebody must say. */
  private Optional<ZoneId> zone(Sample sample, String when) throws RefusedException {
    if (zone.isPresent() || !DraftCheck.lacksOffsets(sample, when)) {
      return zone;
    }
    if (fromTopic.isPresent()) {
      throw DraftCheck.wrong(
          "times in field '%s' carry no offset, so that each record would be a dead letter: whoever writes them adds it, as in 2026-01-05T12:00:00+01:00, or writes milliseconds since 1970"
              .formatted(when));
    }
    String said =
        choices.decide(
            "zone of times without an offset (field '%s')".formatted(when),
            Optional.empty(),
            Optional.empty(),
            "--zone, such as --zone Europe/Berlin",
            "zone");
    try {
      zone = Optional.of(ZoneId.of(said));
    } catch (DateTimeException e) {
      throw DraftCheck.wrong(
          "'%s' is no zone, such as Europe/Berlin, UTC or +02:00".formatted(said));
    }
    return zone;
  }

  private List<String> categories(Guess guess, String what, String person) throws RefusedException {
    if (!categories.isEmpty()) {
      return categories;
    }
    choices.guess("categories");
    List<String> found = guess.categories(what, person);
    if (found.size() < 2) {
      throw DraftCheck.wrong(
          "fewer than 2 categories that at least %d subjects have were found: name them with --categories a,b,..."
              .formatted(Guess.LEAST_SUBJECTS));
    }
    return found;
  }

  private Guess.Window window(Guess guess, String who, String when) throws RefusedException {
    if (window.isPresent()) {
      return guess.window(who, when, DraftCheck.duration(window.get()));
    }
    choices.guess("window");
    return guess.window(who, when);
  }

  private int records(Guess.Window found) {
    choices.guess("records");
    return found.records() > 1 ? found.records() : USUAL;
  }

  private Rehearsal rehearse(Pipeline pipeline, Sample sample, EventTimes times)
      throws RefusedException {
    return csv.isPresent()
        ? Rehearsal.ofCsv(pipeline, csv.get(), times, Sample.MOST)
        : Rehearsal.ofRecords(pipeline, sample.originals());
  }

  /** In a population each item may count; a row of CSV has no arrays. */
  private String each(Sample sample, String field) {
    return user.isPresent() && fromTopic.isPresent() ? new ArrayItems(sample).each(field) : field;
  }

  /** Options that name what was looked at, and how. */
  private List<String> looked() {
    List<String> options = new ArrayList<>();
    csv.ifPresent(path -> options.addAll(List.of("--csv", path.toString())));
    fromTopic.ifPresent(name -> options.addAll(List.of("--from-topic", name)));
    zone.ifPresent(id -> options.addAll(List.of("--zone", id.toString())));
    window.ifPresent(size -> options.addAll(List.of("--window", size)));
    options.addAll(clusterOptions());
    return options;
  }

  private List<String> clusterOptions() {
    List<String> options = new ArrayList<>();
    cluster.bootstrapServers.ifPresent(
        servers -> options.addAll(List.of("--bootstrap-servers", servers)));
    cluster.config.ifPresent(path -> options.addAll(List.of("--config", path.toString())));
    return options;
  }

  private NextSteps next(Plan plan, EventTimes times) {
    return new NextSteps(
        file,
        plan.releases().stream().map(release -> release.spec().topic()).toList(),
        csv,
        times.zone(),
        fromTopic,
        clusterOptions(),
        user.isPresent());
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
    if (subjects.isEmpty()) {
      choices.guess("subjects");
    }
    if (begin.isEmpty()) {
      choices.guess("begin");
    }
    List<String> groups = subjects.isEmpty() ? guess.categories(who, user.orElseThrow()) : subjects;
    if (groups.isEmpty()) {
      throw DraftCheck.wrong(
          "no subject that at least %d users have was found: name them with --subjects a,b,..."
              .formatted(Guess.LEAST_SUBJECTS));
    }
    choices.guess("bounds");
    long first =
        DraftCheck.begin(begin, size, guess.earliest(when).orElseGet(System::currentTimeMillis));
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
            WindowSpec.beginText(first),
            records,
            guess.bounds(user.orElseThrow(), who, when, size),
            fromTopic.flatMap(read -> DraftCheck.ahead(first, System.currentTimeMillis())),
            epsilon,
            choices.guessed())
        .yaml();
  }

  private String name() {
    String base = file.getFileName().toString().replaceFirst("\\.ya?ml$", "");
    return base.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
  }
}
