// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import com.fasterxml.jackson.databind.JsonNode;
import io.sfumato.accounting.Period;
import io.sfumato.pipeline.BudgetReader;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.FeatureSpec;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.Problems;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.ReleaseKind;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.ReleaseSpec.ShareSpec;
import io.sfumato.pipeline.TopicNames;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.abc.AbcSpec;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads {@code releases:} of a pipeline file, and holds them against each other. */
final class ReleasesReader {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,62}");
  private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,200}");
  private static final String NAME_RULE = "lower-case letters, digits and '-', a letter first";
  private static final String TOPIC_RULE = "a Kafka topic: letters, digits, '.', '_' and '-'";

  private final InputSpec input;
  private final Optional<FeatureSpec> features;
  private final WindowSpec window;
  private final BudgetSpec budget;
  private final Optional<Population> population;

  /** Whether window and budget could be read, which say what releases must name. */
  private final boolean hasTerms;

  ReleasesReader(
      InputSpec input,
      Optional<FeatureSpec> features,
      WindowSpec window,
      BudgetSpec budget,
      Optional<Population> population,
      boolean hasTerms) {
    this.input = input;
    this.features = features;
    this.window = window;
    this.budget = budget;
    this.population = population;
    this.hasTerms = hasTerms;
  }

  /** All of them; what cannot be read is told. */
  List<ReleaseSpec> read(Fields file) {
    List<ReleaseSpec> releases = new ArrayList<>();
    Releases.problems().forEach(file::problemBeside);
    for (ReleaseKind kind : Releases.kinds()) {
      kind.place()
          .filter(place -> file.mentions(place.section()))
          .ifPresent(
              place ->
                  releases.add(
                      section(file.within(place.section()), kind, Optional.of(place.name()))));
    }
    boolean needed = releases.isEmpty();
    String allowed = allowed();
    List<JsonNode> items =
        needed || file.has("releases") ? file.list("releases").items(allowed) : List.of();
    for (int i = 0; i < items.size(); i++) {
      Fields item = file.item("releases", i, items.get(i));
      release(item).ifPresent(releases::add);
    }
    if (needed && items.isEmpty()) {
      file.problem("releases", "found none", allowed);
    }
    return releases;
  }

  /** The kinds that stand under {@code releases:}. */
  private static List<ReleaseKind> listed() {
    return Releases.kinds().stream().filter(kind -> kind.place().isEmpty()).toList();
  }

  private static String allowed() {
    List<String> words = listed().stream().map(ReleaseKind::word).toList();
    String others =
        words.subList(1, words.size() - 1).stream()
            .map(", '- %s: {…}'"::formatted)
            .collect(Collectors.joining());
    return "a list of releases, each '- %s: {name: …, share: {…}}'%s or '- %s: {…}'"
        .formatted(words.get(0), others, words.get(words.size() - 1));
  }

  private Optional<ReleaseSpec> release(Fields item) {
    List<ReleaseKind> kinds = listed().stream().filter(kind -> item.has(kind.word())).toList();
    item.refuseUnknown();
    if (kinds.size() != 1) {
      if (!item.wasTold()) {
        item.problemHere(
            kinds.isEmpty() ? "found no release" : "found " + words(kinds, " and "),
            "one of " + words(listed(), ", "));
      }
      return Optional.empty();
    }
    ReleaseKind kind = kinds.get(0);
    ReleaseSpec spec = section(item.section(kind.word()), kind, Optional.empty());
    if (spec.answersQueries() && !(spec instanceof AbcSpec)) {
      item.problemHere("answers queries", "a release of closed windows, or one of 'abc'");
    }
    if (Releases.viewOf(spec.schema()).isEmpty()) {
      item.problemHere(
          "publishes records of the schema " + spec.schema().getFullName(),
          "one that outputs() of its kind has a view of");
    }
    return Optional.of(spec);
  }

  /**
   * One release.
   *
   * @param usual the output's name, where the section may leave it out
   */
  private ReleaseSpec section(Fields fields, ReleaseKind kind, Optional<String> usual) {
    String name =
        fields
            .optionalText("name", NAME, NAME_RULE)
            .or(() -> usual)
            .orElseGet(() -> fields.text("name", NAME, NAME_RULE));
    String topic = fields.optionalText("topic", TOPIC, TOPIC_RULE).orElse(name);
    TopicNames.checkTopic(fields, fields.has("topic") ? "topic" : "name", topic);
    ShareSpec share = share(fields, name, kind);
    long horizon = kind.lastsWindows() ? horizon(fields) : 1;
    ReleaseSpec spec =
        kind.read(
            new ReleaseFields(fields, name, topic, share, horizon, input, features, population));
    fields.refuseUnknown();
    return spec;
  }

  private static String words(List<ReleaseKind> kinds, String between) {
    return kinds.stream().map(ReleaseKind::word).collect(Collectors.joining(between));
  }

  private static ShareSpec share(Fields fields, String name, ReleaseKind kind) {
    Fields share = fields.section("share");
    String ledger = share.optionalText("ledger", NAME, NAME_RULE).orElse(name);
    ShareSpec spec =
        new ShareSpec(
            BudgetReader.epsilon(share),
            kind.needsDelta() ? BudgetReader.delta(share) : BudgetReader.deltaOr0(share),
            ledger);
    share.refuseUnknown();
    return spec;
  }

  /**
   * How many windows start in one budget period, or are due in those that a span touches; a
   * lifetime must say for how many it is planned.
   */
  private long horizon(Fields fields) {
    Period period = budget.period();
    if (!hasTerms) {
      fields.has("windows");
      return 1;
    }
    if (period instanceof Period.Fixed fixed) {
      long size = window.size().toMillis();
      long most = (fixed.length().toMillis() + size - 1) / size;
      return fields.whole("windows", 1, most, Optional.of(most));
    }
    if (period instanceof Period.Any span) {
      long touched = Math.max(1, span.length().toMillis() / window.size().toMillis()) + 1;
      long most = span.pace().isPresent() ? span.pace().getAsInt() + 1L : touched;
      return fields.whole("windows", span.pace().isPresent() ? most : 1, most, Optional.of(most));
    }
    if (period instanceof Period.Window) {
      return fields.whole("windows", 1, 1, Optional.of(1L));
    }
    return fields.whole("windows", 1, 1_000_000_000, Optional.empty());
  }

  /** What kinds refuse of the whole file. */
  void checkKinds(List<ReleaseSpec> releases, Problems problems) {
    releases.stream()
        .flatMap(release -> release.conflicts(budget, population).stream())
        .distinct()
        .forEach(problems::conflict);
    new BoundsCheck(input, window, population).of(releases).forEach(problems::conflict);
    if (hasTerms) {
      budget
          .anySpan()
          .map(span -> new SpanCheck(span, window, population).of(releases))
          .ifPresent(conflicts -> conflicts.forEach(problems::conflict));
    }
  }

  /**
   * Names, ledgers and topics: each is of one release.
   *
   * @param pipeline its name
   */
  void checkTopics(String pipeline, List<ReleaseSpec> releases, Problems problems) {
    Set<String> names = new HashSet<>();
    Set<String> ledgers = new HashSet<>();
    Set<String> topics = new HashSet<>(TopicNames.taken(pipeline, input));
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

  /** Basic composition over the shares, in exact decimals. */
  void checkShares(List<ReleaseSpec> releases, Problems problems) {
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
