// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.dataset;

import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.SparseSums;
import io.sfumato.mechanism.abc.FeatureSum;
import io.sfumato.mechanism.abc.NumberSums;
import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.mechanism.abc.SummaryData;
import io.sfumato.mechanism.mollifier.ItemData;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.pipeline.CellPlaces;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.RecordAggregation;
import io.sfumato.pipeline.WindowData;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.serde.JournalEntry.Observation;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What is kept of a dataset: counts where records have a category; sums of features, sums for
 * summaries, a bounded sample and tallies where a pipeline needs them of numbers; at least one of
 * the five. Any order of records gives the same bytes.
 *
 * @param tallies by the texts of their rules
 * @param users who have records that count; empty where nobody asks
 * @param leftOut of users' records, those that do not count; empty where nobody asks. They are no
 *     part of N
 * @param cells how many distinct users each cell has; empty where nobody asks
 * @param events that count already; nothing where each record is an event of its own
 * @param others the same of the file's other questions, in their order; most files have none
 */
public record Contents(
    Optional<Histogram> histogram,
    OptionalLong leftOut,
    OptionalLong users,
    Optional<FeatureSum> features,
    Optional<NumberSums> sums,
    Optional<Reservoir> reservoir,
    SortedMap<String, SparseSums> tallies,
    Optional<SparseSums> cells,
    Optional<EventIds> events,
    List<Contents> others)
    implements WindowData {
  public Contents {
    others = List.copyOf(others);
  }

  /** Of a file whose outputs are all about the same. */
  public Contents(
      Optional<Histogram> histogram,
      OptionalLong leftOut,
      OptionalLong users,
      Optional<FeatureSum> features,
      Optional<NumberSums> sums,
      Optional<Reservoir> reservoir,
      SortedMap<String, SparseSums> tallies,
      Optional<SparseSums> cells,
      Optional<EventIds> events) {
    this(histogram, leftOut, users, features, sums, reservoir, tallies, cells, events, List.of());
  }

  /**
   * What is kept for one of the file's questions.
   *
   * @param number 0 for that of the file, 1 for the first of the others
   */
  public Contents of(int number) {
    return number == 0 ? this : others.get(number - 1);
  }

  /** N. */
  @Override
  public long records() {
    return told().orElseThrow();
  }

  private Optional<Long> told() {
    return histogram
        .map(Histogram::size)
        .or(() -> features.map(FeatureSum::size))
        .or(() -> sums.map(NumberSums::size))
        .or(() -> tallies.values().stream().findFirst().map(SparseSums::records));
  }

  /** Records that it tells of, for operators: all of them, unless it is a sample alone. */
  public long recordsTold() {
    long own =
        told().orElseGet(() -> reservoir.map(kept -> (long) kept.records().size()).orElse(0L));
    // The same record may count in several questions.
    return others.stream().mapToLong(Contents::recordsTold).reduce(own, Math::max);
  }

  /** Writes all of it: the noise of a release depends on its exact input. */
  public void encodeInput(CanonicalEncoder encoder) {
    histogram.ifPresent(counts -> encoder.numbers(counts.counts()));
    leftOut.ifPresent(encoder::number);
    users.ifPresent(encoder::number);
    features.ifPresent(sum -> encoder.number(sum.size()).numbers(sum.steps()));
    sums.ifPresent(
        kept -> {
          encoder.number(kept.size());
          kept.fields()
              .forEach(
                  sum ->
                      encoder
                          .bytes(sum.sum().toByteArray())
                          .bytes(sum.squares().toByteArray())
                          .number(Double.doubleToLongBits(sum.smallest()))
                          .number(Double.doubleToLongBits(sum.largest())));
        });
    tallies.values().forEach(tally -> encodeInput(tally, encoder));
    cells.ifPresent(users -> encodeInput(users, encoder));
  }

  @Override
  public SparseSums tally(RecordAggregation rule) {
    return Optional.ofNullable(tallies.get(rule.canonical())).orElseThrow();
  }

  /** As summaries see it. */
  public SummaryData summarised(NumberSums.Layout layout) {
    return new SummaryData(
        layout,
        sums.orElseThrow(),
        histogram,
        reservoir.map(Reservoir::points).orElse(List.of()).stream().map(Point::numbers).toList());
  }

  private static void encodeInput(SparseSums tally, CanonicalEncoder encoder) {
    encoder.number(tally.records());
    for (int i = 0; i < tally.size(); i++) {
      encoder.number(tally.place(i)).number(tally.sum(i));
    }
  }

  /** As samplers of items see it. */
  @Override
  public ItemData items() {
    return reservoir.isPresent()
        ? new ItemData(Optional.empty(), reservoir.get().points())
        : new ItemData(histogram, List.of());
  }

  /** How one pipeline keeps its datasets. */
  public static final class Layout {
    /** Its places in the maps, its key, a subject's object, itself. */
    private static final int DATASET_BYTES = 192;

    private static final int ARRAY_BYTES = 16;
    private static final int FEATURES_BYTES = 56;
    private static final int RESERVOIR_BYTES = 80;
    private static final int SUMS_BYTES = 88;

    /** With two whole numbers of up to six words each. */
    private static final int SUM_BYTES = 208;

    /** A rank, a point, an array, and a place in a list. */
    private static final int RECORD_BYTES = 68;

    /** A number, and its place in a set. */
    static final int EVENT_BYTES = 56;

    /** A place and a number, and their place in a map. */
    static final int CELL_BYTES = 80;

    private static final int EVENTS_BYTES = 64;

    private final int categories;
    private final long places;
    private final boolean countsLeftOut;
    private final boolean countsUsers;
    private final Optional<RandomFeatures> features;
    private final Optional<NumberSums.Layout> sums;
    private final Optional<Integer> reservoir;
    private final List<RecordAggregation> tallies;
    private final Optional<CellPlaces> cells;
    private final boolean knowsEvents;
    private final List<Layout> others;

    public Layout(Pipeline pipeline) {
      this(
          pipeline.parts().get(0),
          pipeline.parts().stream().skip(1).map(part -> new Layout(part, List.of())).toList());
    }

    private Layout(Pipeline pipeline, List<Layout> others) {
      this.others = others;
      InputSpec input = pipeline.input();
      this.categories = input.counts();
      this.places = input.places();
      this.countsLeftOut = pipeline.countsLeftOut();
      this.countsUsers = pipeline.countsUsers();
      this.reservoir = pipeline.reservoir();
      this.tallies = pipeline.tallies();
      this.sums = pipeline.sums();
      this.cells = pipeline.cells();
      this.knowsEvents = input.id().isPresent() && pipeline.population().isEmpty();
      this.features = pipeline.features().map(spec -> spec.features(input.values().size()));
    }

    /** Of the file's other questions, in their order. */
    public List<Layout> others() {
      return others;
    }

    /** Places of counts; 0 where records have no category. */
    public int categories() {
      return categories;
    }

    /** What a category may be; what stands for one and is none comes behind. */
    long places() {
      return places;
    }

    /** Whether it is asked how many of users' records do not count. */
    public boolean countsLeftOut() {
      return countsLeftOut;
    }

    /** Stands for a category, after the last, in the journal: a record that does not count. */
    public static long leftOut(Pipeline pipeline) {
      return pipeline.input().places();
    }

    /** Whether it is asked how many users have records. */
    public boolean countsUsers() {
      return countsUsers;
    }

    /** Stands for a category, one further: a user has records of the subject that count. */
    public static long user(Pipeline pipeline) {
      return leftOut(pipeline) + 1;
    }

    /** Where distinct users are counted; nothing where nobody asks. */
    public Optional<CellPlaces> cells() {
      return cells;
    }

    /** Stands for a category, behind these: a user is in the first of the cells' places. */
    public static long cells(Pipeline pipeline) {
      return user(pipeline) + 1;
    }

    /** Of which a sum is kept; nothing where no query asks for one. */
    public Optional<RandomFeatures> features() {
      return features;
    }

    /** Which sums are kept for summaries; nothing where none is measured. */
    public Optional<NumberSums.Layout> sums() {
      return sums;
    }

    /** Most records of a sample; nothing where none is kept. */
    public Optional<Integer> reservoir() {
      return reservoir;
    }

    /** What releases keep of records one by one, in the order of their texts. */
    public List<RecordAggregation> tallies() {
      return tallies;
    }

    /** Whether records may be copies of one event. Users' are told apart before they get here. */
    public boolean knowsEvents() {
      return knowsEvents;
    }

    /**
     * Memory of one open dataset, about, without the records of its sample and without tallies:
     * measured, of a heap whose references take four bytes.
     */
    public long heldBytes(DatasetStore.Key key) {
      return DATASET_BYTES
          + 2L * key.subject().length()
          + (categories == 0 ? 0 : (long) ARRAY_BYTES + Long.BYTES * categories)
          + features.map(kept -> FEATURES_BYTES + Long.BYTES * kept.features()).orElse(0)
          + sums.map(kept -> SUMS_BYTES + SUM_BYTES * kept.exponents().size()).orElse(0)
          + (reservoir.isPresent() ? RESERVOIR_BYTES : 0)
          + (knowsEvents ? EVENTS_BYTES : 0);
    }

    /** Memory of one record of a sample, about. */
    public static long heldBytes(Reservoir.Ranked record) {
      return RECORD_BYTES + (long) Double.BYTES * record.point().numbers().length;
    }

    /** Of a subject without records. */
    public Contents empty() {
      return new Contents(
          categories == 0 ? Optional.empty() : Optional.of(Histogram.empty(categories)),
          countsLeftOut ? OptionalLong.of(0) : OptionalLong.empty(),
          countsUsers ? OptionalLong.of(0) : OptionalLong.empty(),
          features.map(FeatureSum::empty),
          sums.map(NumberSums.Layout::empty),
          reservoir.map(capacity -> new Reservoir(capacity, List.of())),
          tallies(rule -> SparseSums.empty()),
          cells.map(places -> SparseSums.empty()),
          knowsEvents ? Optional.of(EventIds.none()) : Optional.empty(),
          others.stream().map(Layout::empty).toList());
    }

    /** One tally of each rule, in their order. */
    SortedMap<String, SparseSums> tallies(Function<RecordAggregation, SparseSums> of) {
      SortedMap<String, SparseSums> all = new TreeMap<>();
      tallies.forEach(rule -> all.put(rule.canonical(), of.apply(rule)));
      return all;
    }

    /** A record's features. */
    public long[] quantised(Observation record) {
      return features.orElseThrow().quantised(numbers(record));
    }

    /** Where a record counts: in the one place of all where its category is not counted. */
    public int placeOf(Observation record) {
      return categories == places ? (int) record.category() : 0;
    }

    /** A record as a sample keeps it. */
    public Reservoir.Ranked ranked(Observation record) {
      return new Reservoir.Ranked(record.rank(), new Point(placeOf(record), numbers(record)));
    }

    static double[] numbers(Observation record) {
      return record.values().stream().mapToDouble(Double::doubleValue).toArray();
    }
  }
}
