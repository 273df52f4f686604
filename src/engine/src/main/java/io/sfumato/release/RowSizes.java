// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.accounting.BudgetShare;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.Bytes;
import io.sfumato.pipeline.CellPlaces;
import io.sfumato.pipeline.FieldLimits;
import io.sfumato.pipeline.InputTopics;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.RecordAggregation;
import io.sfumato.pipeline.Selection;
import io.sfumato.pipeline.Selections;
import io.sfumato.pipeline.SizeBound;
import io.sfumato.pipeline.SizeBound.Kind;
import io.sfumato.pipeline.SizeBound.Part;
import io.sfumato.pipeline.SpanShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The largest row of each store, with its key. */
final class RowSizes {
  /**
   * Of at most 2^63 records with at most 2^62 steps each: the sum has 126 bits, that of the squares
   * 188, each after its length; and two doubles.
   */
  private static final long NUMBER_SUM = 1 + 16 + 1 + 24 + 2 * Double.BYTES;

  /** Changes of the roster that one subject may have ahead of it: operators announce them. */
  static final int SPANS = 100;

  /** The first byte of every value. */
  private static final int FORMAT = 1;

  private static final int SORTABLE = 8;

  /** A SHA-256. */
  private static final int DIGEST = 32;

  /** Identity, cursor, position: keys of one byte. */
  private static final int SHORT_KEY = 1;

  private static final int EPOCH = 16;

  /** When windows of a calendar start: a name, two times and a SHA-256 in hexadecimal digits. */
  private static final int WINDOW_STARTS = 128;

  /** Bytes of the longest name of a topic, and of the id of one. */
  private static final int LONGEST_TOPIC = 249;

  private static final int TOPIC_ID = 22;

  /** Tags of keys and ids of topics, with room. */
  private static final int TAG = 64;

  private RowSizes() {}

  static List<SizeBound> of(Plan plan) {
    Pipeline pipeline = plan.pipeline();
    List<SizeBound> rows = new ArrayList<>();
    rows.add(source());
    rows.add(dataset(pipeline));
    rows.add(ledger(plan));
    rows.addAll(meta(plan));
    if (pipeline.subjects() != Pipeline.Subjects.LISTED) {
      rows.add(row("subject-store", FieldLimits.SUBJECT + FORMAT + 2L * SPANS * Bytes.SIGNED));
    }
    if (!pipeline.queries().isEmpty()) {
      rows.add(query(pipeline));
    }
    if (pipeline.population().isPresent()) {
      rows.add(contributions(pipeline));
    }
    pipeline.parts().stream()
        .filter(part -> part.lastOfUsers() > 1)
        .forEach(part -> rows.add(lastWindows(part)));
    plan.releases().forEach(release -> rows.addAll(release.rows(pipeline.partOf(release.spec()))));
    return rows;
  }

  /** Under which file and key records are read: larger than the clock of any partition. */
  private static SizeBound source() {
    return row(
        "source-store",
        Integer.BYTES + FORMAT + Bytes.INT + Bytes.text(2 * DIGEST) + Bytes.text(TAG));
  }

  private static SizeBound row(String store, long bytes, Part... parts) {
    return new SizeBound(Kind.ROW, store, bytes, List.of(parts));
  }

  /** The cells in which a user was in the last windows. */
  private static SizeBound lastWindows(Pipeline pipeline) {
    CellPlaces cells = pipeline.cells().orElseThrow();
    Population people = pipeline.population().orElseThrow();
    long most = (cells.bySubject() ? people.subjects() : 0) + people.mostCells(cells.categories());
    long each = Bytes.text(FieldLimits.SUBJECT) + Bytes.INT + Bytes.SIGNED;
    return row(
        "cell-store",
        1 + FieldLimits.SUBJECT + FORMAT,
        new Part(
            "over", cells.last(), cells.last() * most * each, "a lower 'contributions.cells'"));
  }

  /** How many users each cell has, by when they were in it before. */
  private static Part arrivals(CellPlaces cells) {
    return new Part(
        "over",
        cells.last(),
        2L * Bytes.UNSIGNED + (long) cells.size() * (Bytes.INT + Bytes.UNSIGNED),
        "'by: total' for the count of distinct users");
  }

  /** What is kept for each question of the file. */
  private static SizeBound dataset(Pipeline pipeline) {
    List<Part> parts = new ArrayList<>();
    long fixed = SORTABLE + FieldLimits.SUBJECT + FORMAT;
    for (Pipeline question : pipeline.parts()) {
      parts.addAll(datasetParts(question));
      fixed +=
          (question.countsLeftOut() ? Bytes.UNSIGNED : 0)
              + (question.countsUsers() ? Bytes.UNSIGNED : 0)
              + (question.reservoir().isPresent() ? Bytes.INT : 0)
              + (pipeline.questions().isEmpty() ? 0 : FORMAT + Bytes.INT);
    }
    return new SizeBound(Kind.ROW, "dataset-store", fixed, parts);
  }

  /** Counts, sums of features, the sample, and tallies. */
  private static List<Part> datasetParts(Pipeline pipeline) {
    List<Part> parts = new ArrayList<>();
    int categories = pipeline.input().counts();
    if (categories > 0) {
      // To leave one out spares more than the longer gap takes.
      parts.add(Part.of("input.categories", categories, (1L + Bytes.UNSIGNED) * categories));
    }
    pipeline
        .features()
        .ifPresent(
            kept ->
                parts.add(
                    Part.of(
                        "features.count",
                        kept.count(),
                        Bytes.UNSIGNED + (long) Long.BYTES * kept.count())));
    pipeline
        .sums()
        .ifPresent(
            kept ->
                parts.add(
                    Part.of(
                        "summaries of the numbers",
                        kept.exponents().size(),
                        Bytes.UNSIGNED + NUMBER_SUM * kept.exponents().size())));
    pipeline
        .reservoir()
        .ifPresent(
            records -> {
              long each =
                  Long.BYTES
                      + Bytes.unsigned(categories)
                      + Bytes.doubles(pipeline.input().values().size());
              parts.add(
                  new Part(
                      "reservoir", records, records * each, "name fewer fields in 'input.values'"));
            });
    for (RecordAggregation rule : pipeline.tallies()) {
      // A gap of one byte and a sum each, and the two numbers before them.
      parts.add(
          Part.of(
              rule.setting().name(),
              rule.setting().count(),
              2L * Bytes.UNSIGNED + (1L + Bytes.UNSIGNED) * rule.places()));
    }
    if (pipeline.input().id().isPresent() && pipeline.population().isEmpty()) {
      parts.add(events());
    }
    pipeline.cells().ifPresent(cells -> parts.add(arrivals(cells)));
    return parts;
  }

  /** One count of charges: a share has one charge in a version of the file. */
  private static SizeBound ledger(Plan plan) {
    int share =
        plan.releases().stream().mapToInt(r -> Bytes.text(r.share().name())).max().orElse(0);
    return row(
        "ledger-store",
        SORTABLE + share + FieldLimits.SUBJECT + FORMAT + 1 + 2L * (Bytes.INT + Bytes.UNSIGNED));
  }

  /** Where users are protected two keepers have one each. */
  private static List<SizeBound> meta(Plan plan) {
    List<SizeBound> rows = new ArrayList<>(List.of(identity("meta-store", plan)));
    if (plan.pipeline().population().isPresent()) {
      rows.add(identity("subjects-meta-store", plan));
    }
    return rows;
  }

  /** What the state was made by: the file's layout, categories, and the budget's terms. */
  private static SizeBound identity(String store, Plan plan) {
    Pipeline pipeline = plan.pipeline();
    List<Part> parts = new ArrayList<>();
    List<String> categories = pipeline.input().allCategories();
    if (!categories.isEmpty()) {
      parts.add(
          new Part(
              "input.categories",
              categories.size(),
              Bytes.texts(categories),
              "shorten their names"));
    }
    topics(pipeline.input().topics()).ifPresent(parts::add);
    long layout = 0;
    for (Map.Entry<String, String> entry : plan.layout().entrySet()) {
      int bytes = Bytes.text(entry.getKey()) + Bytes.text(entry.getValue());
      switch (entry.getKey()) {
        case "input.values" -> {
          int count = pipeline.input().values().size();
          parts.add(new Part("input.values", count, bytes, "shorten their names"));
        }
        case "input.category columns", Plan.TALLIES ->
            parts.add(Part.of("input.categories", 1, bytes));
        default -> layout += bytes;
      }
    }
    if (pipeline.window().calendar().isPresent()) {
      layout += WINDOW_STARTS;
    }
    // Beside the identity: a cursor of a window and subject, which is short.
    long fixed =
        SHORT_KEY
            + FORMAT
            + EPOCH
            + Bytes.SIGNED
            + Bytes.INT
            + Bytes.text(DIGEST)
            + 2L * Bytes.text(TAG)
            + Bytes.INT
            + Bytes.INT
            + layout
            + FieldLimits.SUBJECT;
    parts.addAll(charges(plan));
    return new SizeBound(Kind.ROW, store, fixed + terms(plan), parts);
  }

  /** Several topics are written down one by one; of a pattern there may be as many as ever may. */
  private static Optional<Part> topics(InputTopics topics) {
    if (topics.pattern().isEmpty() && topics.names().size() == 1) {
      return Optional.empty();
    }
    long each = Bytes.text(TOPIC_ID) + Bytes.INT + Bytes.SIGNED;
    long bytes =
        topics.pattern().isPresent()
            ? InputTopics.MOST * (each + Bytes.text(LONGEST_TOPIC))
            : topics.names().stream().mapToLong(name -> each + Bytes.text(name)).sum();
    return Optional.of(new Part("input.topic", topics.names().size(), bytes, "name fewer topics"));
  }

  /** Full parameters of every charge, once as such and once where a share counts nothing else. */
  private static List<Part> charges(Plan plan) {
    List<Part> parts = new ArrayList<>();
    for (PlannedRelease release : plan.releases()) {
      long bytes =
          Bytes.text(release.charge().mechanism())
              + Bytes.text(release.share().filter().canonical())
              + SpanShare.of(plan.pipeline(), release.spec())
                  .map(span -> (long) Bytes.text(", " + span.canonical()))
                  .orElse(0L);
      parts.add(
          new Part(
              "releases." + release.spec().name(),
              1,
              bytes,
              "give it a reference of fewer categories or components"));
    }
    return parts;
  }

  private static long terms(Plan plan) {
    BudgetSpec budget = plan.pipeline().budget();
    long bytes =
        FORMAT
            + Bytes.text(budget.unit().word())
            + Bytes.text(budget.epsilon().toString())
            + Bytes.text(budget.delta().toString())
            + Bytes.text(budget.period().word())
            + 2 * Bytes.INT;
    for (PlannedRelease release : plan.releases()) {
      BudgetShare share = release.share();
      bytes +=
          Bytes.text(share.name())
              + Bytes.text(share.epsilon().toString())
              + Bytes.text(share.delta().toString())
              + Bytes.SIGNED
              + Bytes.INT
              + 2L * (Bytes.INT + Bytes.UNSIGNED);
    }
    return bytes;
  }

  /** A candidate that waits is larger than any query or answer. */
  private static SizeBound query(Pipeline pipeline) {
    long mean = (long) Double.BYTES * EntrySizes.mean(pipeline);
    int output = pipeline.queries().stream().mapToInt(q -> Bytes.text(q.name())).max().orElse(0);
    long key =
        1
            + SORTABLE
            + Bytes.text(FieldLimits.SUBJECT)
            + output
            + Bytes.text(FieldLimits.QUERY_ID)
            + SORTABLE;
    long value =
        FORMAT
            + Bytes.UNSIGNED
            + 2 * Bytes.SIGNED
            + Bytes.INT
            + EntrySizes.candidate(pipeline)
            - mean;
    return row(
        "query-store",
        key + value,
        Part.of(EntrySizes.meanSetting(pipeline), EntrySizes.mean(pipeline), mean));
  }

  /** Ranks of the events of a subject's window that count already. */
  private static Part events() {
    long bytes = Bytes.INT + (FieldLimits.EVENTS + 1L) * Long.BYTES;
    return new Part("input.id", FieldLimits.EVENTS, bytes, "raise 'max.message.bytes'");
  }

  /** C records for each of S subjects, and D subjects of which only numbers are kept. */
  private static SizeBound contributions(Pipeline pipeline) {
    Selections asked = Selections.of(pipeline);
    List<Selection> selections = asked.all();
    List<Part> parts = new ArrayList<>();
    for (int number = 0; number < selections.size(); number++) {
      Population people = asked.widest(number).orElseThrow();
      int known = people.leftOut().orElse(0) + (asked.countsBeyond(number) ? 1 : 0);
      parts.addAll(contributions(pipeline, people, known, selections.get(number).input().places()));
    }
    long blocks = selections.size() == 1 ? 0 : selections.size() * (FORMAT + 2L * Bytes.INT);
    return new SizeBound(
        Kind.ROW, "contribution-store", SORTABLE + FieldLimits.SUBJECT + FORMAT + blocks, parts);
  }

  /**
   * @param most records beyond C that are known to have been there
   */
  private static List<Part> contributions(
      Pipeline pipeline, Population people, int most, long places) {
    long each = Bytes.unsigned(places) + EntrySizes.ranks(pipeline);
    long subject =
        Bytes.text(FieldLimits.SUBJECT)
            + Bytes.unsigned(people.records())
            + people.records() * each;
    List<Part> parts = new ArrayList<>();
    if (most > 0) {
      int number = Bytes.unsigned(people.records() + most);
      subject += number;
      parts.add(
          Part.of(
              "contributions.left-out",
              most,
              most * (Bytes.text(FieldLimits.SUBJECT) + number + 1L)));
    }
    parts.add(Part.of("contributions.subjects", people.subjects(), people.subjects() * subject));
    int values = pipeline.input().values().size();
    if (values > 0) {
      long held = (long) people.records() * people.subjects();
      parts.add(
          new Part(
              "input.values",
              values,
              held * EntrySizes.numbers(pipeline),
              "lower 'contributions.per-window' or 'contributions.subjects'"));
    }
    return parts;
  }
}
