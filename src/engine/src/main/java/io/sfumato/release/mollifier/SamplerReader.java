// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

import io.sfumato.mechanism.mollifier.CellItems;
import io.sfumato.mechanism.mollifier.NumericReference.Uniform;
import io.sfumato.mechanism.mollifier.Reference;
import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.FieldSpec;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.ValueType.Word;
import io.sfumato.release.mollifier.Sampler.BandRule;
import io.sfumato.release.mollifier.Sampler.Estimator;
import io.sfumato.release.mollifier.Sampler.Fourier;
import io.sfumato.release.mollifier.Sampler.Learner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Reads {@code sampler:} of synthetic items and the settings that belong to it. */
final class SamplerReader {
  /** More cells would make a law long to find. */
  private static final int MOST_CELLS = 10_000;

  private static final int MOST_POOL = 100_000;

  private static final int SMALLEST_POOL = 16;

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

  private static final FieldSpec<String> SAMPLER =
      FieldSpec.word("sampler", EnumWords.of("mollifier", "clipped", "projection", "best"))
          .optional("mollifier; with numbers best, unless a setting of boosting is there")
          .means(
              "How items are drawn ([which sampler](../guides/synthetic-items.md#which-sampler));"
                  + " `projection` and `best` with numbers only.")
          .example("projection");

  private static final FieldSpec<Learner> LEARNER =
      FieldSpec.word("learner", EnumWords.of(Learner.values()))
          .byDefault(Learner.LOGISTIC, "logistic")
          .means("Weak learner of boosting.")
          .where("with numbers and sampler `mollifier`")
          .example("stumps");

  private static final FieldSpec<Integer> ROUNDS =
      FieldSpec.count("rounds", 1, 100)
          .byDefault(UsualSettings.ROUNDS)
          .means("Rounds of boosting.")
          .where("with numbers and sampler `mollifier`")
          .example("5");

  private static final FieldSpec<Integer> POOL =
      FieldSpec.count("pool", SMALLEST_POOL, MOST_POOL)
          .optional(
              "%d; with projection and clipped %d"
                  .formatted(UsualSettings.WEAK_POOL, UsualSettings.PROJECTION_POOL))
          .means("Points of the reference that stand for it; an item is one of them.")
          .where("with numbers")
          .example("1024");

  private static final FieldSpec<String> ESTIMATOR =
      FieldSpec.word("estimator", EnumWords.of("kernel", "logistic"))
          .byDefault("kernel")
          .means("How the density over the reference is estimated.")
          .where("with sampler `projection`, or `clipped` with Gaussians")
          .example("logistic");

  private static final FieldSpec<String> BAND =
      FieldSpec.word(
              "band",
              new Word<>(EnumWords.of("mollifier", "minimax"))
                  .means(
                      "minimax", "for densities of at most `largest-ratio` times the reference."))
          .byDefault("mollifier")
          .means("The set of densities that items may come from.")
          .where("with sampler `projection`")
          .example("minimax");

  private static final FieldSpec<Double> LARGEST_RATIO =
      FieldSpec.above0("largest-ratio")
          .byDefault(UsualSettings.LARGEST)
          .means("A public guess, above 1: how many times the reference a density may be.")
          .where("with band `minimax`, or sampler `clipped` with Gaussians")
          .example("4");

  private static final FieldSpec<Integer> FEATURES =
      FieldSpec.count("features", 2, 1_000)
          .optional(usual(Fourier::features))
          .means("Random Fourier features of logistic regression, an even number.")
          .where("with logistic regression")
          .example("64");

  private static final FieldSpec<Double> BANDWIDTH =
      FieldSpec.above0("bandwidth")
          .optional(usual(Fourier::bandwidth))
          .means("Bandwidth of their kernel, in scales of the reference.")
          .where("with logistic regression")
          .example("1.0");

  private static final FieldSpec<Double> RIDGE =
      FieldSpec.above0("ridge")
          .optional(usual(Fourier::ridge))
          .means("Penalty of the regression.")
          .where("with logistic regression")
          .example("0.01");

  private static final FieldSpec<Integer> BINS =
      FieldSpec.count("bins", 1, MOST_CELLS)
          .byDefault(10)
          .means("Cells of each number, at most 10,000 in all.")
          .where("with sampler `clipped` and `reference.uniform`")
          .example("20");

  /** Which sampler, and all settings of samplers. */
  static final List<FieldSpec<?>> FIELDS =
      List.of(
          SAMPLER,
          LEARNER,
          ROUNDS,
          POOL,
          ESTIMATOR,
          BAND,
          LARGEST_RATIO,
          FEATURES,
          BANDWIDTH,
          RIDGE,
          BINS);

  private SamplerReader() {}

  static Sampler sampler(Fields fields, InputSpec input, Reference reference) {
    boolean finite = input.values().isEmpty();
    String word =
        fields
            .optional(SAMPLER)
            .orElseGet(
                () -> finite || OF_BOOSTING.stream().anyMatch(fields::has) ? "mollifier" : "best");
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

  /** What is usual of boosting and of an estimator. */
  private static String usual(Function<Fourier, Number> setting) {
    return "%s; of an estimator %s"
        .formatted(setting.apply(UsualSettings.WEAK), setting.apply(UsualSettings.STRONG));
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
    int bins = fields.get(BINS);
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
    String band = fields.get(BAND);
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
    return fields.optional(POOL).orElse(UsualSettings.PROJECTION_POOL);
  }

  private static BandRule minimax(Fields fields) {
    double largest = fields.get(LARGEST_RATIO);
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
    String word = fields.get(ESTIMATOR);
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
    int features = fields.optional(FEATURES).orElse(usual.features());
    if (features % 2 != 0) {
      fields.conflict("features", "found " + features, "an even number: cosines and sines");
    }
    return new Fourier(
        features + features % 2,
        fields.optional(BANDWIDTH).orElse(usual.bandwidth()),
        fields.optional(RIDGE).orElse(usual.ridge()));
  }

  private static Sampler boosted(Fields fields) {
    List<String> own = List.of("learner", "rounds", "pool");
    Learner learner = fields.get(LEARNER);
    Fourier fourier = UsualSettings.WEAK;
    if (learner == Learner.LOGISTIC) {
      fourier = fourier(fields, own, UsualSettings.WEAK);
    } else {
      onlyOf(fields, own);
    }
    return new Sampler.Boosted(
        learner,
        fourier,
        fields.get(ROUNDS),
        fields.optional(POOL).orElse(UsualSettings.WEAK_POOL));
  }
}
