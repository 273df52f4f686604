// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.quantile;

import io.sfumato.accounting.Charge;
import io.sfumato.mechanism.Law;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.factorised.NoisyRows;
import io.sfumato.mechanism.factorised.RowCounts;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Noisy rows over the bins of every category, for the charge of one of them. Categories are to
 * Theorem J of docs/privacy.md what subjects are: a record lies in one row of all, a user's records
 * in as many as there are records, and a replaced record is moved from one row to another,
 * whosesoever the two are.
 *
 * @param each of one category
 * @param categories K, at least 2
 */
public record CategoryQuantiles(QuantileMechanism each, int categories)
    implements Mechanism<CategoryCounts, NoisyCategories> {
  /** Most bins of all categories together, each of which has noise of its own. */
  public static final int MOST_ROWS = 1 << 18;

  public CategoryQuantiles {
    if (categories < 2) {
      throw new IllegalArgumentException("there are at least 2 categories, were " + categories);
    }
    if (categories > mostCategories(each.bins().number())) {
      throw new IllegalArgumentException(
          "there are at most %d bins of all categories, were %d of each of %d"
              .formatted(MOST_ROWS, each.bins().number(), categories));
    }
  }

  /** Most categories, each with so many bins. */
  public static int mostCategories(int bins) {
    return MOST_ROWS / bins;
  }

  /**
   * Bins of a category where nobody says how many: fewer where there are many categories, so that
   * what is kept of a window fits into one record.
   *
   * @param categories at least 1
   */
  public static int binsUnlessSaid(int categories) {
    return Math.min(Bins.DEFAULT, Integer.highestOneBit(Bins.LARGEST / categories));
  }

  @Override
  public String method() {
    return each.method();
  }

  @Override
  public Charge charge() {
    return each.charge();
  }

  @Override
  public Map<String, Double> parameters() {
    return each.parameters();
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if there are other categories or bins than were planned
   */
  @Override
  public Law<NoisyCategories> law(CategoryCounts exact) {
    if (exact.each().size() != categories) {
      throw new IllegalArgumentException(
          exact.each().size() + " categories, where " + categories + " were planned");
    }
    List<Law<NoisyBins>> laws = exact.each().stream().map(each::law).toList();
    OptionalLong records =
        each.sizeIsPublic() ? OptionalLong.of(exact.total()) : OptionalLong.empty();
    return new Law<>() {
      @Override
      public void frame(Framing framing) {
        framing.text("quantiles by category").number(categories);
        laws.forEach(law -> law.frame(framing));
      }

      @Override
      public NoisyCategories draw(ReplayableRandom random) {
        NoisyRows[] rows = new NoisyRows[categories];
        for (int category = 0; category < categories; category++) {
          rows[category] = laws.get(category).draw(random).rows();
        }
        return new NoisyCategories(records, Arrays.asList(rows));
      }
    };
  }

  /** The exact rows of all categories, in steps: what noise is added to. */
  public long[] rows(CategoryCounts counts) {
    return counts.each().stream().map(this::rows).flatMapToLong(Arrays::stream).toArray();
  }

  private long[] rows(RowCounts counts) {
    return each.rows().root().times(counts);
  }

  @Override
  public OptionalDouble divergence(double order, CategoryCounts first, CategoryCounts second) {
    return OptionalDouble.of(each.rows().noise().divergence(order, rows(first), rows(second)));
  }
}
