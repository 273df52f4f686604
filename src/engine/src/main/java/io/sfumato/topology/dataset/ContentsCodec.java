// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.dataset;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.SparseSums;
import io.sfumato.mechanism.abc.FeatureSum;
import io.sfumato.mechanism.abc.NumberSum;
import io.sfumato.mechanism.abc.NumberSums;
import io.sfumato.mechanism.mollifier.Point;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;

/**
 * What a dataset looks like at rest: format; where it is asked the number of users' records that do
 * not count, and that of users; where a pipeline keeps features the number of records and the sums,
 * eight bytes each; where it keeps sums for summaries the number of records, and of each field two
 * whole numbers and two doubles; where it keeps a sample the number of records in it, and of each
 * rank, category and numbers; of each tally the number of records, that of places with a sum, and
 * of each the gap to the last one and the sum; where records may be copies of one event the number
 * of events, and of each its rank; where distinct users are counted a tally of them; then for each
 * category with records the gap to the last one and the count. Where a file has several questions:
 * a format of its own, and of each question all this as a block.
 */
public final class ContentsCodec {
  /**
   * Sums of features add 1 to it, a sample of records 2, a number of records left out 4, sums for
   * summaries 8, tallies 16, a number of users 32, events 64, distinct users 128. Events and users
   * never meet, so that all of it fits into a byte.
   */
  private static final int FORMAT = 1;

  /** Before the blocks of several questions: what no other format is. */
  private static final int SEVERAL = 0;

  private ContentsCodec() {}

  /** As the dataset store has them. */
  public static byte[] encode(Contents contents) {
    if (contents.others().isEmpty()) {
      return encodeOne(contents);
    }
    ByteWriter out = new ByteWriter().fixed8(SEVERAL).block(encodeOne(contents));
    contents.others().forEach(other -> out.block(encodeOne(other)));
    return out.toBytes();
  }

  private static byte[] encodeOne(Contents contents) {
    ByteWriter out =
        new ByteWriter()
            .fixed8(
                format(
                    contents.leftOut().isPresent(),
                    contents.users().isPresent(),
                    contents.features().isPresent(),
                    contents.sums().isPresent(),
                    contents.reservoir().isPresent(),
                    !contents.tallies().isEmpty(),
                    contents.events().isPresent(),
                    contents.cells().isPresent()));
    contents.leftOut().ifPresent(out::unsigned);
    contents.users().ifPresent(out::unsigned);
    contents
        .features()
        .ifPresent(
            sum -> {
              out.unsigned(sum.size());
              for (long steps : sum.steps()) {
                out.fixed64(steps);
              }
            });
    contents.sums().ifPresent(sums -> encode(sums, out));
    contents.reservoir().ifPresent(sample -> encode(sample, out));
    contents.tallies().values().forEach(tally -> encode(tally, out));
    contents.events().ifPresent(events -> encode(events, out));
    contents.cells().ifPresent(users -> encode(users, out));
    contents.histogram().ifPresent(histogram -> encode(histogram, out));
    return out.toBytes();
  }

  private static int format(
      boolean leftOut,
      boolean users,
      boolean features,
      boolean sums,
      boolean reservoir,
      boolean tallies,
      boolean events,
      boolean cells) {
    return FORMAT
        + (features ? 1 : 0)
        + (reservoir ? 2 : 0)
        + (leftOut ? 4 : 0)
        + (sums ? 8 : 0)
        + (tallies ? 16 : 0)
        + (users ? 32 : 0)
        + (events ? 64 : 0)
        + (cells ? 128 : 0);
  }

  private static void encode(EventIds events, ByteWriter out) {
    out.unsigned(events.ranks().size());
    events.ranks().forEach(out::fixed64);
  }

  private static void encode(SparseSums tally, ByteWriter out) {
    out.unsigned(tally.records()).unsigned(tally.size());
    int last = -1;
    for (int i = 0; i < tally.size(); i++) {
      out.unsigned(tally.place(i) - last - 1).unsigned(tally.sum(i));
      last = tally.place(i);
    }
  }

  private static void encode(NumberSums sums, ByteWriter out) {
    out.unsigned(sums.size());
    for (NumberSum sum : sums.fields()) {
      out.block(sum.sum().toByteArray())
          .block(sum.squares().toByteArray())
          .fixed64(Double.doubleToLongBits(sum.smallest()))
          .fixed64(Double.doubleToLongBits(sum.largest()));
    }
  }

  private static void encode(Reservoir sample, ByteWriter out) {
    out.unsigned(sample.records().size());
    for (Reservoir.Ranked record : sample.records()) {
      out.fixed64(record.rank())
          .unsigned(record.point().category())
          .doubles(Arrays.stream(record.point().numbers()).boxed().toList());
    }
  }

  private static void encode(Histogram histogram, ByteWriter out) {
    int last = -1;
    for (int i = 0; i < histogram.categories(); i++) {
      if (histogram.count(i) > 0) {
        out.unsigned(i - last - 1).unsigned(histogram.count(i));
        last = i;
      }
    }
  }

  /** Inverse of {@link #encode}. */
  public static Contents decode(byte[] bytes, Contents.Layout layout) {
    if (layout.others().isEmpty()) {
      return decodeOne(bytes, layout, List.of());
    }
    ByteReader in = new ByteReader(bytes).format(SEVERAL, "a dataset of several questions");
    byte[] own = in.block();
    List<Contents> others = new ArrayList<>();
    for (Contents.Layout other : layout.others()) {
      others.add(decodeOne(in.block(), other, List.of()));
    }
    in.end();
    return decodeOne(own, layout, others);
  }

  private static Contents decodeOne(byte[] bytes, Contents.Layout layout, List<Contents> others) {
    ByteReader in =
        new ByteReader(bytes)
            .format(
                format(
                    layout.countsLeftOut(),
                    layout.countsUsers(),
                    layout.features().isPresent(),
                    layout.sums().isPresent(),
                    layout.reservoir().isPresent(),
                    !layout.tallies().isEmpty(),
                    layout.knowsEvents(),
                    layout.cells().isPresent()),
                "a dataset");
    OptionalLong leftOut =
        layout.countsLeftOut() ? OptionalLong.of(in.unsigned()) : OptionalLong.empty();
    OptionalLong users =
        layout.countsUsers() ? OptionalLong.of(in.unsigned()) : OptionalLong.empty();
    Optional<FeatureSum> features = layout.features().map(kept -> features(in, kept.features()));
    Optional<NumberSums> sums = layout.sums().map(kept -> sums(in, kept));
    Optional<Reservoir> sample = layout.reservoir().map(capacity -> sample(in, capacity));
    SortedMap<String, SparseSums> tallies = layout.tallies(rule -> tally(in, rule.places()));
    Optional<EventIds> events = layout.knowsEvents() ? Optional.of(events(in)) : Optional.empty();
    Optional<SparseSums> cells = layout.cells().map(places -> tally(in, places.size()));
    Optional<Histogram> histogram =
        layout.categories() == 0
            ? Optional.empty()
            : Optional.of(histogram(in, layout.categories()));
    in.end();
    return new Contents(
        histogram, leftOut, users, features, sums, sample, tallies, cells, events, others);
  }

  private static EventIds events(ByteReader in) {
    long size = in.unsigned();
    if (size > EventIds.MOST + 1) {
      throw new CorruptBytesException("a dataset knows more events than it can");
    }
    List<Long> ranks = new ArrayList<>();
    for (long i = 0; i < size; i++) {
      ranks.add(in.fixed64());
    }
    return new EventIds(ranks);
  }

  private static SparseSums tally(ByteReader in, int most) {
    long records = in.unsigned();
    long size = in.unsigned();
    if (records < 0 || size > most) {
      throw new CorruptBytesException("a tally has more places than there are");
    }
    int[] places = new int[(int) size];
    long[] sums = new long[places.length];
    long place = -1;
    for (int i = 0; i < places.length; i++) {
      place += 1 + in.unsigned();
      if (place < 0 || place >= most) {
        throw new CorruptBytesException("a tally has an unknown place");
      }
      places[i] = (int) place;
      sums[i] = in.unsigned();
      if (sums[i] <= 0) {
        throw new CorruptBytesException("a tally has a place without a sum");
      }
    }
    return new SparseSums(records, places, sums);
  }

  private static FeatureSum features(ByteReader in, int count) {
    long size = in.unsigned();
    long[] steps = new long[count];
    Arrays.setAll(steps, i -> in.fixed64());
    return new FeatureSum(size, steps);
  }

  private static NumberSums sums(ByteReader in, NumberSums.Layout layout) {
    long size = in.unsigned();
    List<NumberSum> fields = new ArrayList<>();
    for (int exponent : layout.exponents().values()) {
      fields.add(
          new NumberSum(
              exponent,
              whole(in),
              whole(in),
              Double.longBitsToDouble(in.fixed64()),
              Double.longBitsToDouble(in.fixed64())));
    }
    return new NumberSums(size, fields);
  }

  private static BigInteger whole(ByteReader in) {
    byte[] bytes = in.block();
    if (bytes.length == 0) {
      throw new CorruptBytesException("a sum has no digits");
    }
    return new BigInteger(bytes);
  }

  private static Reservoir sample(ByteReader in, int capacity) {
    long size = in.unsigned();
    if (size > capacity) {
      throw new CorruptBytesException("a sample is larger than its reservoir");
    }
    List<Reservoir.Ranked> records = new ArrayList<>();
    for (long i = 0; i < size; i++) {
      long rank = in.fixed64();
      int category = (int) in.unsigned();
      double[] numbers = in.doubles().stream().mapToDouble(Double::doubleValue).toArray();
      records.add(new Reservoir.Ranked(rank, new Point(category, numbers)));
    }
    return new Reservoir(capacity, records);
  }

  private static Histogram histogram(ByteReader in, int categories) {
    long[] counts = new long[categories];
    int place = -1;
    while (!in.atEnd()) {
      long next = place + 1L + in.unsigned();
      if (next < 0 || next >= categories) {
        throw new CorruptBytesException("a dataset has an unknown category");
      }
      place = (int) next;
      counts[place] = in.unsigned();
    }
    return new Histogram(counts);
  }
}
