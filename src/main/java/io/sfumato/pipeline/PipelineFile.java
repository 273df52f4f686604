// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.Period;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.InputSpec.Format;
import io.sfumato.pipeline.Pipeline.Subjects;
import io.sfumato.pipeline.ReleaseSpec.ShareSpec;
import io.sfumato.pipeline.WindowSpec.Clock;
import io.sfumato.pipeline.WindowSpec.Ticks;
import java.io.IOException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.CollectionEndEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.NodeEvent;

/** Reads pipeline files: YAML to {@link Pipeline}, or everything that is wrong with it. */
public final class PipelineFile {
  private static final int MAX_CHARACTERS = 1 << 20;
  private static final int MAX_DEPTH = 20;
  private static final String TOO_LONG = "larger than 1 MiB; a pipeline file has some 20 lines";
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,62}");
  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,200}");
  private static final Pattern FIELD = Pattern.compile("\\S(.{0,198}\\S)?");
  private static final Pattern DAY = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
  private static final Instant EARLIEST_BEGIN = Instant.parse("1900-01-01T00:00:00Z");
  private static final Instant LATEST_BEGIN = Instant.parse("2400-01-01T00:00:00Z");
  private static final Duration LONGEST_AHEAD = Duration.ofDays(3650);
  private static final String BEGIN_RULE =
      "a day (UTC) or a time with an offset, from 1900 on: 2026-01-05 or 2026-01-05T12:00:00Z";
  private static final String NAME_RULE = "lower-case letters, digits and '-', a letter first";
  private static final String TOPIC_RULE = "a Kafka topic: letters, digits, '.', '_' and '-'";
  private static final List<String> KINDS = List.of("histogram", "count", "abc", "mollifier");
  private static final String FIELD_RULE = "the name of a field in the records";

  private final Problems problems = new Problems();

  private final Optional<BandwidthSource> derived;

  /** Whether window and budget could be read, which say what releases must name. */
  private boolean hasTerms;

  private PipelineFile(Optional<BandwidthSource> derived) {
    this.derived = derived;
  }

  /**
   * Reads a file.
   *
   * @throws PipelineFileException if it cannot be read or anything in it is wrong
   */
  public static Pipeline read(Path file) throws PipelineFileException {
    return read(file, Optional.empty());
  }

  /**
   * Reads a file.
   *
   * @param derived gives the bandwidth if the file names none
   * @throws PipelineFileException if it cannot be read or anything in it is wrong
   */
  public static Pipeline read(Path file, Optional<BandwidthSource> derived)
      throws PipelineFileException {
    try {
      if (Files.size(file) > MAX_CHARACTERS) {
        throw new PipelineFileException(file.toString(), List.of(TOO_LONG));
      }
      return parse(file.toString(), Files.readString(file), derived);
    } catch (NoSuchFileException e) {
      throw new PipelineFileException(
          file.toString(), List.of("no such file; examples lie in the folder topology/"));
    } catch (IOException e) {
      throw new PipelineFileException(
          file.toString(),
          List.of("cannot be read as UTF-8 text: " + e.getClass().getSimpleName()));
    }
  }

  /** Parses the text of a file; {@code name} stands in its error messages. */
  public static Pipeline parse(String name, String yaml) throws PipelineFileException {
    return parse(name, yaml, Optional.empty());
  }

  private static Pipeline parse(String name, String yaml, Optional<BandwidthSource> derived)
      throws PipelineFileException {
    if (yaml.length() > MAX_CHARACTERS) {
      throw new PipelineFileException(name, List.of(TOO_LONG));
    }
    PipelineFile reader = new PipelineFile(derived);
    JsonNode tree;
    try {
      refuseTricks(name, yaml);
      tree = mapper().readTree(yaml);
    } catch (JacksonException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      throw new PipelineFileException(
          name, List.of("line " + line + ": not YAML: " + e.getOriginalMessage()));
    }
    Pipeline pipeline = reader.pipeline(tree);
    List<String> told = reader.problems.told();
    if (!told.isEmpty()) {
      throw new PipelineFileException(name, told);
    }
    return pipeline;
  }

  /** A short file must not unfold to a long or deep one, nor a name stand for something else. */
  private static void refuseTricks(String name, String yaml) throws PipelineFileException {
    try {
      int depth = 0;
      for (Event event : new Yaml(limits()).parse(new StringReader(yaml))) {
        depth += event instanceof CollectionStartEvent ? 1 : 0;
        depth -= event instanceof CollectionEndEvent ? 1 : 0;
        if (depth > MAX_DEPTH) {
          throw new PipelineFileException(
              name,
              List.of(
                  "line "
                      + (event.getStartMark().getLine() + 1)
                      + ": nested deeper than "
                      + MAX_DEPTH
                      + " levels; a pipeline file needs five"));
        }
        if (event instanceof NodeEvent node && node.getAnchor() != null) {
          throw new PipelineFileException(
              name,
              List.of(
                  "line "
                      + (event.getStartMark().getLine() + 1)
                      + ": anchors and aliases (&, *) are not allowed; write the value out, or put"
                      + " it in quotes if it begins with such a sign"));
        }
      }
    } catch (YAMLException e) {
      // Whoever reads the tree says what is wrong with it, and where.
      return;
    }
  }

  private static ObjectMapper mapper() {
    return JsonMapper.builder(YAMLFactory.builder().loaderOptions(limits()).build())
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
        .build();
  }

  private static LoaderOptions limits() {
    LoaderOptions limits = new LoaderOptions();
    limits.setMaxAliasesForCollections(0);
    limits.setAllowDuplicateKeys(false);
    limits.setNestingDepthLimit(MAX_DEPTH);
    limits.setCodePointLimit(MAX_CHARACTERS);
    return limits;
  }

  private Pipeline pipeline(JsonNode tree) {
    Fields file = new Fields(tree, "", problems);
    String name = file.text("pipeline", NAME, NAME_RULE);
    TopicNames.checkPipeline(file, "pipeline", name, NAME_RULE);
    int version = (int) file.whole("version", 1, 1_000_000, Optional.of(1L));
    Fields records = file.section("input");
    InputSpec input = input(records);
    Optional<String> user = records.optionalText("user", FIELD, FIELD_RULE);
    user.ifPresent(field -> checkPath(records, "user", field));
    records.refuseUnknown();
    input.category().ifPresent(category -> EachItem.check(records, category, user));
    Optional<Population> population = population(file, user, input.category());
    Optional<FeatureSpec> features = AbcReader.features(file, input, derived);
    int before = problems.unreadable();
    WindowSpec window = window(file.section("window"));
    List<String> listed = file.isList("subjects") ? listed(file) : List.of();
    Subjects subjects =
        file.isList("subjects")
            ? Subjects.LISTED
            : file.choice(
                "subjects",
                Words.of("observed", Subjects.OBSERVED, "roster", Subjects.ROSTER),
                Optional.of(Subjects.OBSERVED));
    BudgetSpec budget = budget(file.section("budget"));
    hasTerms = problems.unreadable() == before;
    List<ReleaseSpec> releases = releases(file, input, window, budget, population);
    Optional<Integer> reservoir = reservoir(file, input, releases);
    OutputFormat format = format(file);
    Map<String, String> kafka = file.plainValues("kafka");
    file.refuseUnknown();
    checkTopics(name, input, releases);
    checkUnit(window, subjects, budget);
    checkPopulation(input, budget, releases, population);
    checkQueries(budget, releases);
    AbcReader.checkFeatures(file, features, releases);
    checkShares(budget, releases);
    return new Pipeline(
        name,
        version,
        input,
        window,
        features,
        reservoir,
        subjects,
        listed,
        population,
        budget,
        releases,
        format,
        kafka);
  }

  private InputSpec input(Fields fields) {
    // Numbers alone will do; whoever names neither is told of the category.
    boolean categorised =
        fields.mentions("category") || fields.mentions("categories") || !fields.mentions("values");
    InputSpec input =
        new InputSpec(
            fields.text("topic", TOPIC, TOPIC_RULE),
            fields.choice(
                "format",
                Words.of("json", Format.JSON, "avro", Format.AVRO),
                Optional.of(Format.JSON)),
            fields.text("subject", FIELD, FIELD_RULE + ", or $key for the record's key"),
            fields.text("time", FIELD, FIELD_RULE),
            categorised
                ? Optional.of(fields.text("category", FIELD, FIELD_RULE))
                : Optional.empty(),
            categorised ? fields.texts("categories", 2, 10_000) : List.of(),
            fields.optionalText("other", FIELD, "the name of the category for unknown values"),
            fields.optionalTexts("values", 1000),
            (int) fields.whole("max-bytes", 100, 100_000_000, Optional.of(1_000_000L)));
    TopicNames.checkTopic(fields, "topic", input.topic());
    checkPath(fields, "subject", input.subject());
    checkPath(fields, "time", input.time());
    input.values().forEach(name -> checkPath(fields, "values", name));
    if (!categorised && input.other().isPresent()) {
      fields.conflict("other", "found without 'category'", "only where records have a category");
    }
    return input;
  }

  private static void checkPath(Fields fields, String field, String name) {
    FieldPath.refusal(name)
        .ifPresent(allowed -> fields.problem(field, "found '" + name + "'", allowed));
  }

  private WindowSpec window(Fields fields) {
    Duration size = fields.duration("size", Duration.ofMillis(100), Optional.empty());
    Duration grace = fields.duration("grace", Duration.ZERO, Optional.of(Duration.ZERO));
    Clock clock =
        fields.choice(
            "clock",
            Words.of("records", Clock.RECORDS, "ticks", Clock.TICKS),
            Optional.of(Clock.RECORDS));
    String origin = fields.optionalText("origin", DAY, "a day: 2026-01-05").orElse("1970-01-05");
    OptionalLong begin = begin(fields, clock);
    int maxJump = (int) fields.whole("max-jump", 1, 1_000_000, Optional.of(400L));
    Duration ahead = fields.duration("ahead", Duration.ZERO, Optional.of(Duration.ofDays(1)));
    if (fields.has("ahead") && clock != Clock.TICKS) {
      fields.conflict("ahead", "found with clock 'records'", "only with clock 'ticks'");
    }
    Ticks ticks =
        fields.choice(
            "ticks",
            Words.of("signed", Ticks.SIGNED, "trusted", Ticks.TRUSTED),
            Optional.of(Ticks.SIGNED));
    Duration maxAhead = maxAhead(fields);
    fields.refuseUnknown();
    WindowSpec window =
        new WindowSpec(
            size, grace, millisOf(fields, origin), clock, begin, maxJump, ahead, ticks, maxAhead);
    begin.ifPresent(time -> requireWindowStart(fields, window, time));
    return window;
  }

  private static Duration maxAhead(Fields fields) {
    Duration maxAhead =
        fields.duration("max-ahead", Duration.ZERO, Optional.of(WindowSpec.MAX_AHEAD));
    if (maxAhead.compareTo(LONGEST_AHEAD) > 0) {
      fields.problem(
          "max-ahead",
          "found more than 3650d",
          "at most 3650d: it bounds what one record can do to everybody's clock");
      return WindowSpec.MAX_AHEAD;
    }
    return maxAhead;
  }

  private static OptionalLong begin(Fields fields, Clock clock) {
    Optional<String> text = fields.optionalText("begin", FIELD, BEGIN_RULE);
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    if (clock != Clock.TICKS) {
      fields.conflict("begin", "found with clock 'records'", "only with clock 'ticks'");
    }
    OptionalLong time = timeOf(text.get());
    if (time.isEmpty() && !text.get().equals("x")) {
      fields.problem("begin", "found '" + text.get() + "'", BEGIN_RULE);
    }
    return time;
  }

  /** A day (UTC), or a time with an offset, of this or the neighbouring centuries. */
  private static OptionalLong timeOf(String text) {
    try {
      Instant time =
          OffsetDateTime.parse(DAY.matcher(text).matches() ? text + "T00:00:00Z" : text)
              .toInstant();
      return time.isBefore(EARLIEST_BEGIN) || time.isAfter(LATEST_BEGIN)
          ? OptionalLong.empty()
          : OptionalLong.of(time.toEpochMilli());
    } catch (DateTimeParseException e) {
      return OptionalLong.empty();
    }
  }

  /** Where windows begin must be a place where one does. */
  private static void requireWindowStart(Fields fields, WindowSpec window, long begin) {
    long start = window.startOf(begin);
    if (start != begin) {
      fields.conflict(
          "begin",
          "found " + WindowSpec.beginText(begin) + ", within a window",
          "a window's start, such as %s or %s"
              .formatted(WindowSpec.beginText(start), WindowSpec.beginText(window.endOf(start))));
    }
  }

  private static long millisOf(Fields fields, String day) {
    try {
      return LocalDate.parse(day).atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
    } catch (DateTimeParseException e) {
      if (!day.equals("x")) {
        fields.problem("origin", "found '" + day + "'", "a day of the calendar: 2026-01-05");
      }
      return 0;
    }
  }

  private BudgetSpec budget(Fields fields) {
    String name = fields.text("name", NAME, NAME_RULE);
    int before = problems.unreadable();
    PrivacyUnit unit = fields.choice("unit", Words.of(PrivacyUnit.values()), Optional.empty());
    boolean hasUnit = problems.unreadable() == before;
    Epsilon epsilon = epsilon(fields);
    // Items are purely private: their budget needs no delta.
    Delta delta = unit == PrivacyUnit.DATASET || !hasUnit ? deltaOr0(fields) : delta(fields);
    String word =
        fields
            .optionalText("period", FIELD, "lifetime, window or a length such as 30d")
            .orElse("lifetime");
    Period period =
        switch (word) {
          case "lifetime" -> new Period.Lifetime();
          case "window" -> new Period.Window();
          default -> fixedPeriod(fields, word);
        };
    Optional<AccountSpec> account = account(fields, epsilon, delta);
    fields.refuseUnknown();
    return new BudgetSpec(name, unit, epsilon, delta, period, account);
  }

  private static Optional<AccountSpec> account(Fields budget, Epsilon epsilon, Delta delta) {
    if (!budget.has("account")) {
      return Optional.empty();
    }
    Fields fields = budget.section("account");
    AccountSpec account =
        new AccountSpec(fields.text("name", NAME, NAME_RULE), epsilon(fields), deltaOr0(fields));
    fields.refuseUnknown();
    if (account.epsilon().compareTo(epsilon) < 0 || account.delta().compareTo(delta) < 0) {
      budget.conflict(
          "account", "is smaller than the budget", "at least the budget's epsilon and delta");
    }
    return Optional.of(account);
  }

  private static Period fixedPeriod(Fields fields, String word) {
    Optional<Duration> length = Fields.parseDuration(word).filter(d -> !d.isZero());
    if (length.isEmpty()) {
      fields.problem("period", "found '" + word + "'", "lifetime, window or a length such as 30d");
    }
    return length.<Period>map(Period.Fixed::new).orElse(new Period.Lifetime());
  }

  private static Epsilon epsilon(Fields fields) {
    return fields.decimal(
        "epsilon", "a number above 0, at most 1000000", Epsilon::new, Epsilon.of("1"));
  }

  private static Delta delta(Fields fields) {
    return fields.decimal(
        "delta",
        "a number above 0 and below 1: the chance that epsilon fails, such as 1e-6",
        value -> {
          if (value.signum() == 0) {
            throw new IllegalArgumentException("0");
          }
          return new Delta(value);
        },
        Delta.of("1e-6"));
  }

  private static Delta deltaOr0(Fields fields) {
    return fields.mentions("delta")
        ? fields.decimal(
            "delta", "a number from 0, below 1", Delta::new, new Delta(BigDecimal.ZERO))
        : new Delta(BigDecimal.ZERO);
  }

  private List<ReleaseSpec> releases(
      Fields file,
      InputSpec input,
      WindowSpec window,
      BudgetSpec budget,
      Optional<Population> population) {
    List<ReleaseSpec> releases = new ArrayList<>();
    String allowed =
        "a list of releases, each '- histogram: {name: …, share: {…}}', '- count: {…}', '- abc: {…}'"
            + " or '- mollifier: {…}'";
    List<JsonNode> items = file.items("releases", allowed);
    for (int i = 0; i < items.size(); i++) {
      Fields item = new Fields(items.get(i), "releases[" + i + "]", problems);
      release(item, input, window, budget, population).ifPresent(releases::add);
    }
    if (items.isEmpty()) {
      file.problem("releases", "found none", allowed);
    }
    return releases;
  }

  /** A sample of records is kept only where items are drawn from numbers. */
  private static Optional<Integer> reservoir(
      Fields file, InputSpec input, List<ReleaseSpec> releases) {
    boolean needed =
        !input.values().isEmpty() && releases.stream().anyMatch(MollifierSpec.class::isInstance);
    if (!needed) {
      if (file.has("reservoir")) {
        file.conflict(
            "reservoir",
            file.found("reservoir"),
            "only with 'input.values' and a release 'mollifier'");
      }
      return Optional.empty();
    }
    return Optional.of((int) file.whole("reservoir", 1, 10_000, Optional.of(256L)));
  }

  private Optional<ReleaseSpec> release(
      Fields item,
      InputSpec input,
      WindowSpec window,
      BudgetSpec budget,
      Optional<Population> population) {
    List<String> kinds = KINDS.stream().filter(item::has).toList();
    item.refuseUnknown();
    if (kinds.size() != 1) {
      if (!item.wasTold()) {
        item.problemHere(
            kinds.isEmpty() ? "found no release" : "found " + String.join(" and ", kinds),
            "one of " + String.join(", ", KINDS));
      }
      return Optional.empty();
    }
    String kind = kinds.get(0);
    Fields fields = item.section(kind);
    String name = fields.text("name", NAME, NAME_RULE);
    String topic = fields.optionalText("topic", TOPIC, TOPIC_RULE).orElse(name);
    TopicNames.checkTopic(fields, fields.has("topic") ? "topic" : "name", topic);
    ReleaseSpec spec =
        switch (kind) {
          case "abc" ->
              AbcReader.abc(fields, name, topic, share(fields, name, PipelineFile::delta), input);
          case "mollifier" ->
              MollifierReader.items(
                  fields,
                  name,
                  topic,
                  share(fields, name, PipelineFile::deltaOr0),
                  horizon(fields, window, budget.period()),
                  input);
          case "count" ->
              CountReader.count(
                  fields,
                  name,
                  topic,
                  share(fields, name, PipelineFile::delta),
                  horizon(fields, window, budget.period()),
                  input,
                  population);
          default ->
              HistogramReader.histogram(
                  fields,
                  name,
                  topic,
                  share(fields, name, PipelineFile::delta),
                  horizon(fields, window, budget.period()),
                  input,
                  population);
        };
    fields.refuseUnknown();
    return Optional.of(spec);
  }

  private static ShareSpec share(Fields fields, String name, Function<Fields, Delta> delta) {
    Fields share = fields.section("share");
    String ledger = share.optionalText("ledger", NAME, NAME_RULE).orElse(name);
    ShareSpec spec = new ShareSpec(epsilon(share), delta.apply(share), ledger);
    share.refuseUnknown();
    return spec;
  }

  /**
   * How many windows start in one budget period; a lifetime must say for how many it is planned.
   */
  private long horizon(Fields fields, WindowSpec window, Period period) {
    if (!hasTerms) {
      fields.has("windows");
      return 1;
    }
    if (period instanceof Period.Fixed fixed) {
      long size = window.size().toMillis();
      long most = (fixed.length().toMillis() + size - 1) / size;
      return fields.whole("windows", 1, most, Optional.of(most));
    }
    if (period instanceof Period.Window) {
      return fields.whole("windows", 1, 1, Optional.of(1L));
    }
    return fields.whole("windows", 1, 1_000_000_000, Optional.empty());
  }

  private void checkTopics(String name, InputSpec input, List<ReleaseSpec> releases) {
    Set<String> names = new HashSet<>();
    Set<String> ledgers = new HashSet<>();
    Set<String> topics = new HashSet<>(TopicNames.taken(name, input));
    for (ReleaseSpec release : releases) {
      if (!names.add(release.name())) {
        problems.conflict("field 'releases': two releases are named '" + release.name() + "'");
      }
      if (!ledgers.add(release.share().ledger())) {
        problems.conflict(
            "field 'releases': two releases spend the ledger '"
                + release.share().ledger()
                + "'; give each a share of its own");
      }
      if (!topics.add(release.topic())) {
        problems.conflict(
            "field 'releases': topic '"
                + release.topic()
                + "' is used twice; set 'topic' to another, and none of the pipeline's own");
      }
    }
  }

  private void checkUnit(WindowSpec window, Subjects subjects, BudgetSpec budget) {
    boolean needsTicks = budget.unit() != PrivacyUnit.RECORD;
    if (needsTicks && (window.clock() != Clock.TICKS || !subjects.isFixed())) {
      problems.conflict(
          "field 'budget.unit': '"
              + budget.unit().word()
              + "' hides who has records, so it needs 'window.clock: ticks' and 'subjects: roster' or a list");
    }
  }

  private Optional<Population> population(
      Fields file, Optional<String> user, Optional<String> category) {
    if (!file.has("contributions")) {
      user.ifPresent(
          field ->
              file.problem(
                  "contributions",
                  "is missing, with 'input.user'",
                  "what of a user counts in a window: {per-window: 4, subjects: 2}"));
      return Optional.empty();
    }
    Fields fields = file.section("contributions");
    int records = (int) fields.whole("per-window", 1, Population.MOST, Optional.empty());
    int subjects = (int) fields.whole("subjects", 1, Population.MOST, Optional.of(1L));
    if (subjects > records) {
      fields.conflict(
          "subjects",
          "found " + subjects,
          "at most per-window, " + records + ": each record has one subject");
    }
    if (records * subjects > Population.MOST_HELD) {
      fields.conflict(
          "subjects",
          "found " + subjects,
          "per-window times subjects is at most " + Population.MOST_HELD);
    }
    OptionalInt leftOut =
        fields.has("left-out")
            ? OptionalInt.of((int) fields.whole("left-out", 1, Population.MOST, Optional.empty()))
            : OptionalInt.empty();
    Optional<ExampleUsers> example = fields.exampleUsers("plan-records");
    OptionalInt items = EachItem.most(fields, category, records + leftOut.orElse(0));
    fields.refuseUnknown();
    if (user.isEmpty()) {
      file.conflict("contributions", "found without 'input.user'", "only where users are named");
    }
    return user.map(field -> new Population(field, records, subjects, leftOut, example, items));
  }

  private static OutputFormat format(Fields file) {
    OutputFormat format =
        file.choice(
            "format",
            Words.of("avro", OutputFormat.AVRO, "json", OutputFormat.JSON),
            Optional.of(OutputFormat.AVRO));
    boolean registered =
        file.choice("schemas", Words.of("embedded", "registry"), Optional.of("embedded"))
            .equals("registry");
    if (registered && format == OutputFormat.JSON) {
      file.conflict("schemas", "found 'registry' with format 'json'", "with format 'avro' only");
    }
    return registered ? OutputFormat.REGISTERED : format;
  }

  private static List<String> listed(Fields file) {
    List<String> subjects = file.texts("subjects", 1, 100_000);
    subjects.stream()
        .filter(subject -> subject.getBytes(StandardCharsets.UTF_8).length > FieldLimits.SUBJECT)
        .findFirst()
        .ifPresent(
            subject ->
                file.problem(
                    "subjects",
                    "found a name of more than " + FieldLimits.SUBJECT + " bytes",
                    "names of at most " + FieldLimits.SUBJECT));
    return subjects;
  }

  private void checkPopulation(
      InputSpec input,
      BudgetSpec budget,
      List<ReleaseSpec> releases,
      Optional<Population> population) {
    // An item costs the same however few records a user has in its subject: S of them would add up,
    // where the user is charged once.
    if (population.isPresent() && releases.stream().anyMatch(MollifierSpec.class::isInstance)) {
      problems.conflict(
          "field 'releases': items are of subjects that are users; with 'input.user' histograms and counts only");
    }
    if (population.isPresent() != (budget.unit() == PrivacyUnit.USER)) {
      problems.conflict(
          "field 'budget.unit': found '"
              + budget.unit().word()
              + "'; 'user' needs 'input.user' and 'contributions', which need it");
    }
    boolean told =
        releases.stream()
            .anyMatch(
                release ->
                    release instanceof CountSpec count
                        && count.grouping() == CountSpec.Grouping.LEFT_OUT);
    if (population.isPresent() && population.get().leftOut().isPresent() != told) {
      problems.conflict(
          told
              ? "field 'contributions.left-out': is missing, with a count 'by: left-out'; allowed: how many left-out records"
                  + " of one user and window are told at most, such as 10"
              : "field 'contributions.left-out': found without a count 'by: left-out', which alone tells it");
    }
    population
        .filter(people -> people.user().equals(input.subject()))
        .ifPresent(
            people ->
                problems.conflict(
                    "field 'input.user': is 'input.subject' too; many users feed one subject here. Leave"
                        + " it out where the user IS the subject"));
    if (population.isPresent() && !input.values().isEmpty()) {
      problems.conflict(
          "field 'input.values': found with 'input.user'; users' records have a category");
    }
  }

  private void checkQueries(BudgetSpec budget, List<ReleaseSpec> releases) {
    boolean asks = releases.stream().anyMatch(AbcSpec.class::isInstance);
    if (asks && budget.unit() != PrivacyUnit.RECORD) {
      problems.conflict(
          "field 'releases': abc answers tell how many records a window has, which only the unit"
              + " 'record' leaves public");
    }
  }

  /** Basic composition over the shares, in exact decimals. */
  private void checkShares(BudgetSpec budget, List<ReleaseSpec> releases) {
    BigDecimal epsilon = BigDecimal.ZERO;
    BigDecimal delta = BigDecimal.ZERO;
    for (ReleaseSpec release : releases) {
      epsilon = epsilon.add(release.share().epsilon().value());
      delta = delta.add(release.share().delta().value());
    }
    if (epsilon.compareTo(budget.epsilon().value()) > 0) {
      problems.conflict(exceeds("epsilon", epsilon, budget.epsilon().value()));
    }
    if (delta.compareTo(budget.delta().value()) > 0) {
      problems.conflict(exceeds("delta", delta, budget.delta().value()));
    }
  }

  private static String exceeds(String field, BigDecimal sum, BigDecimal budget) {
    return "field 'budget."
        + field
        + "': the shares add up to "
        + sum
        + ", the budget is "
        + budget
        + "; lower the shares or raise the budget";
  }
}
