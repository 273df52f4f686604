// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import io.sfumato.mechanism.mollifier.CellItems;
import io.sfumato.mechanism.mollifier.NumericReference.Uniform;
import io.sfumato.mechanism.mollifier.Reference;
import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.release.mollifier.Sampler.BandRule;
import io.sfumato.release.mollifier.Sampler.Estimator;
import io.sfumato.release.mollifier.Sampler.Fourier;
import io.sfumato.release.mollifier.Sampler.Learner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code sampler:} of synthetic items and the settings that belong to it. */
final class SamplerReader {
  /** More cells would make a law long to find. */
  private static final long MOST_CELLS = 10_000;

  private static final long MOST_POOL = 100_000;

  private static final long SMALLEST_POOL = 16;

  /** Every setting of some sampler, with those that it belongs to. */
  private static final Map<String, String> BELONGS =
      Map.of(
          "learner", "with numbers and sampler mollifier only",
          "rounds", "with numbers and sampler mollifier only",
          "bins", "with numbers, sampler clipped and a reference that is uniform only",
          "estimator", "with numbers and sampler projection, or clipped of Gaussians, only",
          "band", "with sampler projection only",
          "largest-ratio",
              "with sampler projection and 'band: minimax', or clipped of Gaussians, only",
          "pool", "with numbers and sampler mollifier or projection, or clipped of Gaussians, only",
          "features", "with logistic regression only",
          "bandwidth", "with logistic regression only",
          "ridge", "with logistic regression only");

  /** A file that has one of these, and names no sampler, is of a time when boosting was all. */
  private static final List<String> OF_BOOSTING =
      List.of("learner", "rounds", "pool", "features", "bandwidth", "ridge");

  private SamplerReader() {}

  static Sampler sampler(Fields fields, InputSpec input, Reference reference) {
    boolean finite = input.values().isEmpty();
    String word =
        fields.choice(
            "sampler",
            EnumWords.of("mollifier", "clipped", "projection", "best"),
            Optional.of(
                finite || OF_BOOSTING.stream().anyMatch(fields::has) ? "mollifier" : "best"));
    if (finite && (word.equals("projection") || word.equals("best"))) {
      fields.conflict(
          "sampler",
          "found '" + word + "'",
          "with numbers only: of categories alone 'mollifier' is the projection itself");
      return new Sampler.Mollifier();
    }
    Sampler sampler = sampler(word, fields, input, reference, finite);
    if (sampler instanceof Sampler.Projected projected) {
      requireQuick(fields, projected, reference);
    }
    return sampler;
  }

  private static void requireQuick(
      Fields fields, Sampler.Projected projected, Reference reference) {
    if (LawCost.isQuick(projected, reference)) {
      return;
    }
    long most = LawCost.largestPool(projected.estimator(), reference);
    fields.conflict(
        "pool",
        "found " + projected.pool() + ", which would take minutes a subject",
        most < SMALLEST_POOL
            ? "none with so many numbers, categories or features: name fewer, or take 'estimator: kernel'"
            : "at most %d with so many numbers, categories or features".formatted(most));
  }

  private static Sampler sampler(
      String word, Fields fields, InputSpec input, Reference reference, boolean finite) {
    boolean box = !finite && reference.numbers().orElseThrow() instanceof Uniform;
    return switch (word) {
      case "clipped" ->
          finite ? alone(fields, new Sampler.Clipped(1)) : clipped(fields, input, reference, box);
      case "projection" -> projection(fields);
      case "best" -> alone(fields, new Sampler.Best());
      default -> finite ? alone(fields, new Sampler.Mollifier()) : boosted(fields);
    };
  }

  private static Sampler alone(Fields fields, Sampler sampler) {
    onlyOf(fields, List.of());
    return sampler;
  }

  /** Refuses settings of other samplers. */
  private static void onlyOf(Fields fields, List<String> own) {
    BELONGS.keySet().stream()
        .sorted()
        .filter(field -> fields.has(field) && !own.contains(field))
        .forEach(field -> fields.conflict(field, fields.found(field), BELONGS.get(field)));
  }

  private static Sampler clipped(Fields fields, InputSpec input, Reference reference, boolean box) {
    if (!box) {
      Estimator estimator = estimator(fields, List.of("estimator", "pool", "largest-ratio"));
      return new Sampler.Projected("clipped", pool(fields), estimator, minimax(fields));
    }
    onlyOf(fields, List.of("bins"));
    if (reference.categories() > 0 && Arrays.stream(reference.shares()).distinct().count() > 1) {
      fields.conflict(
          "reference.categories", "found weights that differ", "none with numbers and clipped");
    }
    int bins = (int) fields.whole("bins", 1, MOST_CELLS, Optional.of(10L));
    long cells;
    try {
      cells = CellItems.cells(input.values().size(), bins, input.allCategories().size());
    } catch (ArithmeticException e) {
      cells = Long.MAX_VALUE;
    }
    if (cells > MOST_CELLS || cells < 2) {
      fields.conflict(
          "bins",
          "found " + bins + ", which makes too many cells, or one",
          "2 to 10000 cells in all");
    }
    return new Sampler.Clipped(bins);
  }

  private static Sampler projection(Fields fields) {
    String band =
        fields.choice("band", EnumWords.of("mollifier", "minimax"), Optional.of("mollifier"));
    boolean minimax = band.equals("minimax");
    Estimator estimator =
        estimator(
            fields,
            minimax
                ? List.of("estimator", "pool", "band", "largest-ratio")
                : List.of("estimator", "pool", "band"));
    return new Sampler.Projected(
        "projection",
        pool(fields),
        estimator,
        minimax ? minimax(fields) : new BandRule.Mollifier());
  }

  private static int pool(Fields fields) {
    return (int)
        fields.whole(
            "pool", SMALLEST_POOL, MOST_POOL, Optional.of((long) UsualSettings.PROJECTION_POOL));
  }

  private static BandRule minimax(Fields fields) {
    double largest = fields.above0("largest-ratio", Optional.of(UsualSettings.LARGEST));
    if (!(largest > 1)) {
      fields.conflict(
          "largest-ratio",
          fields.found("largest-ratio"),
          "above 1: how many times the reference a subject's density may be, a PUBLIC guess");
      return new BandRule.Minimax(UsualSettings.LARGEST);
    }
    return new BandRule.Minimax(largest);
  }

  private static Estimator estimator(Fields fields, List<String> others) {
    String word =
        fields.choice("estimator", EnumWords.of("kernel", "logistic"), Optional.of("kernel"));
    if (word.equals("kernel")) {
      onlyOf(fields, others);
      return new Estimator.Kernel();
    }
    return new Estimator.Logistic(fourier(fields, others, UsualSettings.STRONG));
  }

  private static Fourier fourier(Fields fields, List<String> others, Fourier usual) {
    List<String> own = new ArrayList<>(others);
    own.addAll(List.of("features", "bandwidth", "ridge"));
    onlyOf(fields, own);
    int features = (int) fields.whole("features", 2, 1_000, Optional.of((long) usual.features()));
    if (features % 2 != 0) {
      fields.conflict("features", "found " + features, "an even number: cosines and sines");
    }
    return new Fourier(
        features + features % 2,
        fields.above0("bandwidth", Optional.of(usual.bandwidth())),
        fields.above0("ridge", Optional.of(usual.ridge())));
  }

  private static Sampler boosted(Fields fields) {
    List<String> own = List.of("learner", "rounds", "pool");
    Learner learner =
        fields.choice("learner", EnumWords.of(Learner.values()), Optional.of(Learner.LOGISTIC));
    Fourier fourier = UsualSettings.WEAK;
    if (learner == Learner.LOGISTIC) {
      fourier = fourier(fields, own, UsualSettings.WEAK);
    } else {
      onlyOf(fields, own);
    }
    return new Sampler.Boosted(
        learner,
        fourier,
        (int) fields.whole("rounds", 1, 100, Optional.of((long) UsualSettings.ROUNDS)),
        (int)
            fields.whole(
                "pool", SMALLEST_POOL, MOST_POOL, Optional.of((long) UsualSettings.WEAK_POOL)));
  }
}
