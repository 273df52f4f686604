// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.abc;

import io.sfumato.accounting.Accountant;
import io.sfumato.mechanism.abc.DistanceMeasure;
import io.sfumato.mechanism.abc.RejectionCoin;
import io.sfumato.mechanism.abc.SparseVectorPlan;
import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.FieldSpec;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.Section;
import io.sfumato.pipeline.ValueType.Word;
import io.sfumato.release.abc.AbcSpec.Method;
import io.sfumato.release.abc.AbcSpec.Waiting;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code features:} and {@code abc:} of a pipeline file. */
final class AbcReader {
  private static final String SUMMARIES = "summaries";

  private static final Waiting USUAL_WAITING = new Waiting(1000, 4_000_000, Duration.ofDays(30));

  private static final FieldSpec<String> METHOD =
      FieldSpec.word(
              "method",
              new Word<>(EnumWords.of("rejection", "soft", "sparse-vector"))
                  .means("rejection", "accepted or not, by an exact coin.")
                  .means("soft", "a weight.")
                  .means("sparse-vector", "accepted or not, until `acceptances` were given."))
          .byDefault("rejection")
          .means("How candidates are answered.")
          .example("soft");

  private static final FieldSpec<Optional<DistanceMeasure>> DISTANCE =
      FieldSpec.word(
              "distance",
              new Word<>(measures())
                  .means("features", "of the numbers; at most 2.")
                  .means("categories", "of the shares of the counts; at most sqrt(2).")
                  .means("summaries", "of chosen statistics; at most `clip`."))
          .optional("categories, or features where records have none")
          .means(
              "Between a candidate and the data"
                  + " ([summaries are weak](../guides/model-queries.md#summary-statistics)).")
          .example("features");

  private static final FieldSpec<Double> THRESHOLD =
      FieldSpec.above0("threshold").means("Of the distance, above 0.").example("0.2");

  private static final FieldSpec<Accountant> CALIBRATION =
      FieldSpec.word(
              "calibration",
              new Word<>(EnumWords.of(Accountant.values()))
                  .means("exact", "composed privacy-loss distribution.")
                  .means("renyi", "at one order.")
                  .means("paper", "Theorem 3.1, epsilon in equal parts; for rejection."))
          .byDefault(Accountant.EXACT, "exact")
          .means("How noise is calibrated to the share.")
          .where("with methods `rejection` and `soft`")
          .example("renyi");

  private static final FieldSpec<Long> ACCEPTANCES =
      FieldSpec.whole("acceptances", 1, 1_000_000)
          .optional("required with method sparse-vector")
          .means("c: how many candidates a query may accept.")
          .where("with method `sparse-vector`")
          .example("10");

  private static final FieldSpec<SparseVectorPlan.Threshold> REDRAW =
      FieldSpec.word(
              "redraw",
              EnumWords.either(
                  "false",
                  SparseVectorPlan.Threshold.KEPT,
                  "true",
                  SparseVectorPlan.Threshold.REDRAWN))
          .byDefault(SparseVectorPlan.Threshold.KEPT, "false")
          .means("Whether the noisy threshold is redrawn after each acceptance.")
          .where("with method `sparse-vector`")
          .example("true");

  private static final FieldSpec<Long> QUERIES =
      FieldSpec.whole("queries", 1, 1_000_000)
          .means("How many queries about one subject the share covers in one period.")
          .example("4");

  private static final FieldSpec<Integer> CANDIDATES =
      FieldSpec.count("candidates", 1, 1_000_000)
          .byDefault(1000)
          .means(
              "The most candidates of one query. Noise grows with the query's own number, except with"
                  + " sparse-vector.")
          .example("500");

  private static final FieldSpec<Long> PLAN_SIZE =
      ReleaseFields.PLAN_SIZE
          .byDefault(100L)
          .means("A public guess of a window's records, for `plan` only.");

  private static final FieldSpec<Integer> KEEP =
      FieldSpec.count("keep", 1, 100_000)
          .byDefault(4)
          .means("For how many windows after its close a dataset answers.")
          .example("12");

  private static final FieldSpec<Integer> WAITING_ENTRIES =
      FieldSpec.count("entries", 0, 1_000_000)
          .optional("1000, or `candidates` if that is more")
          .means("The most candidates that wait.")
          .example("2000");

  private static final FieldSpec<Long> WAITING_BYTES =
      FieldSpec.whole("bytes", 0, 1_000_000_000)
          .byDefault(USUAL_WAITING.bytes())
          .means("The most bytes that wait.")
          .example("8000000");

  private static final FieldSpec<Duration> WAITING_TIME =
      FieldSpec.length("time", Duration.ofMillis(1))
          .byDefault(USUAL_WAITING.time())
          .means("How long a candidate waits.")
          .example("7d");

  private static final FieldSpec<Section> WAITING =
      FieldSpec.section(
              "waiting",
              Section.of(
                  "Candidates of one subject that wait for windows that are still open.",
                  WAITING_ENTRIES,
                  WAITING_BYTES,
                  WAITING_TIME))
          .optional()
          .means("How many candidates of one subject may wait for windows that are still open.")
          .example("{entries: 2000}");

  static final Section SECTION =
      Section.of(
          "Answers to modellers' candidates (`AbcDecision`, `AbcWeight`,"
              + " [guide](../guides/model-queries.md)).",
          METHOD,
          DISTANCE,
          SummariesReader.SUMMARIES,
          THRESHOLD,
          SummariesReader.CLIP,
          CALIBRATION,
          ACCEPTANCES,
          REDRAW,
          QUERIES,
          CANDIDATES,
          PLAN_SIZE,
          KEEP,
          WAITING);

  private AbcReader() {}

  static AbcSpec abc(ReleaseFields release) {
    Fields fields = release.fields();
    InputSpec input = release.input();
    String method = fields.get(METHOD);
    DistanceMeasure measure = measure(release);
    double threshold = fields.get(THRESHOLD);
    double clip = clip(fields, method, measure, threshold);
    Accountant accountant = accountant(fields, method);
    long queries = fields.get(QUERIES);
    int candidates = fields.get(CANDIDATES);
    long planSize = fields.get(PLAN_SIZE);
    int keep = fields.get(KEEP);
    return new AbcSpec(
        release.head().once(),
        method(fields, method),
        measure,
        threshold,
        clip,
        accountant,
        queries,
        candidates,
        planSize,
        keep,
        waiting(fields, candidates));
  }

  private static Map<String, Optional<DistanceMeasure>> measures() {
    Map<String, Optional<DistanceMeasure>> words = new LinkedHashMap<>();
    for (DistanceMeasure known : List.of(DistanceMeasure.FEATURES, DistanceMeasure.CATEGORIES)) {
      words.put(known.word(), Optional.of(known));
    }
    words.put(SUMMARIES, Optional.empty());
    return words;
  }

  private static DistanceMeasure measure(ReleaseFields release) {
    Fields fields = release.fields();
    InputSpec input = release.input();
    DistanceMeasure natural =
        input.categories().isEmpty() ? DistanceMeasure.FEATURES : DistanceMeasure.CATEGORIES;
    Optional<DistanceMeasure> chosen = fields.optional(DISTANCE).orElse(Optional.of(natural));
    if (chosen.isEmpty()) {
      return new SummariesReader(input)
          .read(fields)
          .<DistanceMeasure>map(DistanceMeasure.OfSummaries::new)
          .orElse(natural);
    }
    if (fields.has(SUMMARIES)) {
      fields.conflict(SUMMARIES, fields.found(SUMMARIES), "with 'distance: summaries' only");
    }
    DistanceMeasure measure = chosen.get();
    if (measure == DistanceMeasure.CATEGORIES && input.categories().isEmpty()) {
      release.requireCategories("distance", "found 'categories'", ", or 'features'");
    } else if (measure == DistanceMeasure.FEATURES && input.values().isEmpty()) {
      fields.conflict(
          "distance", "found 'features'", "'categories', or name fields of numbers: input.values");
    }
    return measure;
  }

  private static double clip(
      Fields fields, String method, DistanceMeasure measure, double threshold) {
    if (measure instanceof DistanceMeasure.OfSummaries) {
      if (threshold > measure.bound()) {
        fields.conflict("threshold", "found " + threshold, "at most the clip, " + measure.bound());
        return threshold;
      }
      return measure.bound();
    }
    if (!method.equals("rejection")) {
      if (fields.has(SummariesReader.CLIP)) {
        fields.conflict("clip", "found with method '" + method + "'", "with rejection only");
      }
      return measure.bound();
    }
    double most = measure.bound();
    double clip =
        fields
            .optional(SummariesReader.CLIP)
            .orElseGet(() -> Math.min(most, RejectionCoin.clip(threshold)));
    if (threshold > most) {
      fields.conflict(
          "threshold", "found " + threshold, "at most " + most + ", the largest distance");
      return threshold;
    }
    if (clip < threshold) {
      fields.conflict("clip", "found " + clip, "at least the threshold");
      return threshold;
    }
    return Math.min(clip, most);
  }

  private static Accountant accountant(Fields fields, String method) {
    Accountant accountant = fields.get(CALIBRATION);
    if (method.equals("sparse-vector") && fields.has(CALIBRATION)) {
      fields.conflict("calibration", "found with 'sparse-vector'", "none: its loss is pure");
    } else if (method.equals("soft") && accountant == Accountant.PAPER) {
      fields.conflict("calibration", "found 'paper'", "with method soft: exact, renyi");
    }
    return accountant;
  }

  private static Method method(Fields fields, String word) {
    if (!word.equals("sparse-vector")) {
      for (String field : new String[] {"acceptances", "redraw"}) {
        if (fields.has(field)) {
          fields.conflict(field, "found with method '" + word + "'", "with sparse-vector only");
        }
      }
      return word.equals("soft") ? new Method.Soft() : new Method.Rejection();
    }
    return new Method.SparseVector(fields.get(ACCEPTANCES), fields.get(REDRAW));
  }

  private static Waiting waiting(Fields fields, int candidates) {
    Fields limits = fields.section(WAITING);
    Waiting waiting =
        new Waiting(
            limits.optional(WAITING_ENTRIES).orElse(Math.max(USUAL_WAITING.entries(), candidates)),
            limits.get(WAITING_BYTES),
            limits.get(WAITING_TIME));
    limits.refuseUnknown();
    return waiting;
  }
}
