package io.sfumato.topology;

import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.abc.FeatureSum;
import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.noise.Framing;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.serde.JournalEntry.Observation;
import java.util.Optional;

/**
 * What is kept of a dataset: counts where records have a category, sums of features where they have
 * numbers; at least one of the two. Never a raw number, and whole numbers only, so any order of
 * records gives the same.
 */
record Contents(Optional<Histogram> histogram, Optional<FeatureSum> features) {
  /** N, number of records. */
  long size() {
    return histogram.map(Histogram::size).orElseGet(() -> features.orElseThrow().size());
  }

  /** Writes all of it: the noise of a release depends on its exact input. */
  void frame(Framing framing) {
    histogram.ifPresent(counts -> framing.numbers(counts.counts()));
    features.ifPresent(sum -> framing.number(sum.size()).numbers(sum.steps()));
  }

  /** How one pipeline keeps its datasets. */
  static final class Layout {
    private final int categories;
    private final Optional<RandomFeatures> features;

    Layout(Pipeline pipeline) {
      InputSpec input = pipeline.input();
      this.categories = input.allCategories().size();
      this.features = pipeline.features().map(spec -> spec.features(input.values().size()));
    }

    /** 0 where records have none. */
    int categories() {
      return categories;
    }

    Optional<RandomFeatures> features() {
      return features;
    }

    Contents empty() {
      return new Contents(
          categories == 0 ? Optional.empty() : Optional.of(Histogram.empty(categories)),
          features.map(FeatureSum::empty));
    }

    Contents plus(Contents contents, Observation record) {
      double[] values = record.values().stream().mapToDouble(Double::doubleValue).toArray();
      return new Contents(
          contents.histogram().map(histogram -> histogram.plus(record.category())),
          contents.features().map(sum -> sum.plus(features.orElseThrow().quantised(values))));
    }
  }
}
