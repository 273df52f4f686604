// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.abc;

import io.sfumato.accounting.Accountant;
import io.sfumato.mechanism.abc.DistanceMeasure;
import io.sfumato.mechanism.abc.RejectionCoin;
import io.sfumato.mechanism.abc.SparseVectorPlan;
import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.ReleaseFields;
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

  private AbcReader() {}

  static AbcSpec abc(ReleaseFields release) {
    Fields fields = release.fields();
    InputSpec input = release.input();
    String method =
        fields.choice(
            "method", EnumWords.of("rejection", "soft", "sparse-vector"), Optional.of("rejection"));
    DistanceMeasure measure = measure(release);
    double threshold = fields.above0("threshold", Optional.empty());
    double clip = clip(fields, method, measure, threshold);
    Accountant accountant = accountant(fields, method);
    long queries = fields.whole("queries", 1, 1_000_000, Optional.empty());
    int candidates = (int) fields.whole("candidates", 1, 1_000_000, Optional.of(1000L));
    long planSize = fields.whole("plan-size", 1, 1_000_000_000, Optional.of(100L));
    int keep = (int) fields.whole("keep", 1, 100_000, Optional.of(4L));
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

  private static DistanceMeasure measure(ReleaseFields release) {
    Fields fields = release.fields();
    InputSpec input = release.input();
    DistanceMeasure natural =
        input.categories().isEmpty() ? DistanceMeasure.FEATURES : DistanceMeasure.CATEGORIES;
    Map<String, Optional<DistanceMeasure>> words = new LinkedHashMap<>();
    for (DistanceMeasure known : List.of(DistanceMeasure.FEATURES, DistanceMeasure.CATEGORIES)) {
      words.put(known.word(), Optional.of(known));
    }
    words.put(SUMMARIES, Optional.empty());
    Optional<DistanceMeasure> chosen =
        fields.choice("distance", words, Optional.of(Optional.of(natural)));
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
      if (fields.has("clip")) {
        fields.conflict("clip", "found with method '" + method + "'", "with rejection only");
      }
      return measure.bound();
    }
    double most = measure.bound();
    double clip = fields.above0("clip", Optional.of(Math.min(most, RejectionCoin.clip(threshold))));
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
    Accountant accountant =
        fields.choice(
            "calibration", EnumWords.of(Accountant.values()), Optional.of(Accountant.EXACT));
    if (method.equals("sparse-vector") && fields.has("calibration")) {
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
    var words =
        EnumWords.either(
            "false", SparseVectorPlan.Threshold.KEPT, "true", SparseVectorPlan.Threshold.REDRAWN);
    return new Method.SparseVector(
        fields.whole("acceptances", 1, 1_000_000, Optional.empty()),
        fields.choice("redraw", words, Optional.of(SparseVectorPlan.Threshold.KEPT)));
  }

  private static Waiting waiting(Fields fields, int candidates) {
    long entries = Math.max(1000L, candidates);
    Waiting byDefault = new Waiting((int) entries, 4_000_000, Duration.ofDays(30));
    if (!fields.has("waiting")) {
      return byDefault;
    }
    Fields limits = fields.section("waiting");
    Waiting waiting =
        new Waiting(
            (int) limits.whole("entries", 0, 1_000_000, Optional.of(entries)),
            limits.whole("bytes", 0, 1_000_000_000, Optional.of(byDefault.bytes())),
            limits.duration("time", Duration.ofMillis(1), Optional.of(byDefault.time())));
    limits.refuseUnknown();
    return waiting;
  }
}
