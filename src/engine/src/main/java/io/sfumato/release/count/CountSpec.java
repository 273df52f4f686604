// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.mechanism.PeriodBounds;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.count.CountTree;
import io.sfumato.pipeline.CellPlaces;
import io.sfumato.pipeline.OverWindows;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Plurals;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.Reach;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.UnplannableException;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.HistoryCountRelease;
import java.util.Optional;
import org.apache.avro.Schema;

/**
 * Private numbers of records, for every subject and closed window of a population pipeline.
 *
 * @param head name, topic and share
 * @param method what noise is added
 * @param grouping what is counted apart
 * @param over over which windows counts are told, beside or instead of the windows' own
 * @param reach from which releases the windows' own counts are made
 * @param population what one user may add
 * @param users how distinct users are counted; empty where records are
 */
public record CountSpec(
    Head head,
    Method method,
    Grouping grouping,
    OverWindows over,
    Reach reach,
    Population population,
    Optional<UserCounts> users)
    implements ReleaseSpec {

  /** Of records. */
  public CountSpec(
      Head head,
      Method method,
      Grouping grouping,
      OverWindows over,
      Reach reach,
      Population population) {
    this(head, method, grouping, over, reach, population, Optional.empty());
  }

  /** What is counted. */
  public enum Counted {
    /** Records, as many as the bounds of contributions allow. */
    RECORDS,
    /** Users, each once a cell. */
    USERS
  }

  /** What noise is added. */
  public enum Method {
    /** Discrete Gaussian. */
    GAUSSIAN,
    /** Discrete Laplace. */
    LAPLACE,
    /** The one with the narrower error bars. */
    BEST
  }

  /** What is counted apart. */
  public enum Grouping {
    /** Every category. */
    CATEGORY,
    /** Nothing: all records together. */
    TOTAL,
    /** The records that the bounds of {@code contributions} left out, all together. */
    LEFT_OUT,
    /** Users with records that are neither counted nor told as left out. */
    BEYOND
  }

  /** What readers get, in words. */
  String counted() {
    return users.isPresent() ? countedUsers() : countedRecords();
  }

  private String countedUsers() {
    if (grouping == Grouping.BEYOND) {
      return "how many users have more than %s in a window"
          .formatted(Plurals.of(mostTold(), "record"));
    }
    String who =
        isByCategory()
            ? "how many distinct users each category has"
            : "how many distinct users there are";
    return over.last().isPresent()
        ? who + " in the last %,d windows together".formatted(over.last().getAsInt())
        : who;
  }

  private String countedRecords() {
    return switch (grouping) {
      case CATEGORY ->
          countsUsers()
              ? "how many users each category has (one record of each user counts)"
              : "how many records there are of each category";
      case TOTAL ->
          countsUsers()
              ? "how many users have records (one record of each user counts)"
              : "how many records there are";
      case LEFT_OUT -> "how many records the contribution bounds dropped";
      case BEYOND -> throw new IllegalStateException("users beyond the bounds are no records");
    };
  }

  /** With one record of each, records are users; over several windows a user counts repeatedly. */
  private boolean countsUsers() {
    return population.records() == 1 && !over.needsPast();
  }

  @Override
  public Schema schema() {
    return usesHistory() ? HistoryCountRelease.getClassSchema() : CountRelease.getClassSchema();
  }

  @Override
  public boolean usesHistory() {
    return reach == Reach.HISTORY;
  }

  @Override
  public boolean remembers() {
    return usesHistory() || over.needsPast();
  }

  /** What is learned is of another make than what other outputs of its name may have left. */
  @Override
  public String memory() {
    return usesHistory() ? "history of " + name() : name();
  }

  @Override
  public PlannedRelease plan() throws UnplannableException {
    Optional<? extends PlannedRelease> planned =
        over.needsPast() && users.isEmpty()
            ? new RowMethods(this).planned()
            : CountMethods.planned(this);
    return planned.orElseThrow(() -> head.cannotAfford());
  }

  @Override
  public boolean countsLeftOut() {
    return grouping == Grouping.LEFT_OUT;
  }

  @Override
  public Optional<CellPlaces> cells() {
    if (grouping == Grouping.BEYOND) {
      return Optional.of(CellPlaces.OF_BEYOND);
    }
    return users.map(
        counted ->
            new CellPlaces(
                !isByCategory(),
                isByCategory() ? counted.categories() : 0,
                counted.last().orElse(1)));
  }

  @Override
  public int windowsCounted() {
    return over.counted();
  }

  /** Rows of windows' own counts hold earlier ones too. */
  @Override
  public boolean readsEarlierWindows() {
    return usesHistory() || over.last().isPresent() && over.running().isEmpty();
  }

  /** The tree that as many windows would have; nothing where counts run for ever, or not at all. */
  Optional<CountTree> tree() {
    return over.until().stream().mapToObj(CountTree::new).findFirst();
  }

  @Override
  public int recordsOf(Population users) {
    if (this.users.isPresent()) {
      return this.users.get().cells().ofWindow();
    }
    if (!countsLeftOut()) {
      return users.records();
    }
    int most = users.leftOut().orElse(1);
    return users.chargesRecords() ? Math.min(most, users.perPeriod().getAsInt()) : most;
  }

  /** What the share must afford. */
  public CalibrationTarget request() {
    return head.request();
  }

  /** How far one user's records in one window move the counts, or the part of one record in it. */
  public Sensitivity sensitivityOfOneWindow() {
    return chargesRecords()
        ? Sensitivity.ofOneRecord(recordsOfUser())
        : Sensitivity.addOrRemove(recordsOfUser());
  }

  @Override
  public boolean chargesRecords() {
    return users.isEmpty() && population.chargesRecords();
  }

  /**
   * The bounds of a whole period, where records are charged one by one. Of left-out records, which
   * are charged by themselves, as many are counted in it.
   */
  Optional<PeriodBounds> period() {
    return chargesRecords()
        ? population.perPeriod().stream()
            .mapToObj(most -> PeriodBounds.of(recordsOfUser(), most))
            .findFirst()
        : Optional.empty();
  }

  /** What a window costs a user, with Gaussian noise. */
  Sensitivity gaussian() {
    return users.map(UserCounts::gaussian).orElseGet(this::sensitivityOfOneWindow);
  }

  /** What a window costs a user, with Laplace noise. */
  Sensitivity laplace() {
    return users.map(UserCounts::laplace).orElseGet(this::sensitivityOfOneWindow);
  }

  /** Whether it counts users of several windows together. */
  boolean countsLastUsers() {
    return users.isPresent() && users.get().last().isPresent();
  }

  /** C + D: most records of one user and window that count, or are counted as left out. */
  int mostTold() {
    return population.records() + population.leftOut().orElse(0);
  }

  /** Most records of one user and window that it counts, over all subjects. */
  public int recordsOfUser() {
    return recordsOf(population);
  }

  /** Whether the method allows this noise. */
  boolean mayBe(Method noise) {
    return method == noise || method == Method.BEST;
  }

  /** What sums over windows are of, and who pays for them: states hang on this text. */
  public String told() {
    return switch (grouping) {
          case CATEGORY -> users.isPresent() ? "users by category" : "records by category";
          case TOTAL -> users.isPresent() ? "users" : "records";
          case LEFT_OUT -> "records left out";
          case BEYOND -> "users beyond the bounds";
        }
        + ", share "
        + share().ledger();
  }

  /** Whether it has one count for each category, not one in all. */
  public boolean isByCategory() {
    return grouping == Grouping.CATEGORY;
  }

  /** Whether it is one count of all records of each window alone. */
  boolean addsUpRecords() {
    return grouping == Grouping.TOTAL && users.isEmpty() && !over.needsPast();
  }

  /** The same with whatever noise errs least. */
  CountSpec withBestMethod() {
    return new CountSpec(head, Method.BEST, grouping, over, reach, population, users);
  }

  /** The same with another share of the budget. */
  CountSpec paidBy(Epsilon epsilon, Delta delta) {
    Head other =
        new Head(
            head.name(),
            head.topic(),
            head.schema(),
            new ShareSpec(epsilon, delta, head.share().ledger()),
            head.horizon());
    return new CountSpec(other, method, grouping, over, reach, population, users);
  }

  /** The same with other bounds of what a user adds to a window. */
  public CountSpec boundedBy(int records) {
    return new CountSpec(head, method, grouping, over, reach, population.withRecords(records));
  }
}
