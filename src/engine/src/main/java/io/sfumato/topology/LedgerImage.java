// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.accounting.Ledger;
import io.sfumato.accounting.Period;
import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.Plan;
import io.sfumato.topology.budget.LedgerStore;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.journal.JournalPartitioner;
import io.sfumato.topology.version.BudgetTerms;
import io.sfumato.topology.version.CarriedTerms;
import io.sfumato.topology.version.GrantedShare;
import io.sfumato.topology.version.ImportedLedger;
import io.sfumato.topology.version.LedgerFloor;
import io.sfumato.topology.version.MetaStore;
import io.sfumato.topology.version.WindowStarts;
import io.sfumato.window.CalendarUnit;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.Utils;

/**
 * What goes with a budget's ledgers outside their stores: read from changelogs, and written into
 * those of another application. There may be more ledgers than fit into memory: they pass by, one
 * {@link Line} each.
 *
 * @param terms what the budget has granted, encoded
 * @param floor no window that starts before it may be released again
 * @param starts how its windows and periods are cut and numbered, where a zone's calendar does
 */
public record LedgerImage(byte[] terms, long floor, Optional<String> starts) {
  /** Of windows of one length. */
  public LedgerImage(byte[] terms, long floor) {
    this(terms, floor, Optional.empty());
  }

  /** The store of charge counts, for the names of changelogs. */
  public static final String LEDGERS = Names.LEDGER_STORE;

  /** The store of identity and boundaries. */
  public static final String META = Names.META_STORE;

  /** The same of the subjects' keepers. */
  public static String keeperMeta(Pipeline pipeline) {
    return Names.keeperMeta(pipeline);
  }

  /** Intake's store. */
  public static final String SOURCES = Names.SOURCE_STORE;

  /**
   * That of a budget that has granted what a plan takes.
   *
   * @param floor no window that starts before it may be released again
   */
  public static LedgerImage of(Plan plan, long floor) {
    return of(BudgetTerms.of(plan), floor, Optional.empty());
  }

  static LedgerImage of(BudgetTerms granted, long floor, Optional<String> starts) {
    ByteWriter out = new ByteWriter();
    granted.write(out);
    return new LedgerImage(out.toBytes(), floor, starts);
  }

  /**
   * One ledger.
   *
   * @param period number of the budget period
   * @param share whose charges it counts
   * @param subject of the charges
   * @param charges how often each was made, by charge id
   * @param announced whether its end was published
   */
  public record Line(
      long period,
      String share,
      String subject,
      SortedMap<Integer, Long> charges,
      boolean announced) {
    /** A ledger as it stands in the store {@link LedgerImage#LEDGERS}. */
    public static Line of(byte[] key, byte[] value) {
      LedgerStore.Key at = LedgerStore.Key.decode(key);
      LedgerStore.Entry entry = LedgerStore.Entry.decode(value);
      return new Line(
          at.period(),
          at.share(),
          at.subject(),
          entry.ledger().counts(),
          entry.status() == LedgerStore.Status.EXHAUSTED);
    }

    /** As a record of the ledger store's changelog. */
    public Change change(int partitions) {
      LedgerStore.Status status =
          announced ? LedgerStore.Status.EXHAUSTED : LedgerStore.Status.OPEN;
      return new Change(
          JournalPartitioner.partitionOf(subject.getBytes(StandardCharsets.UTF_8), partitions),
          new LedgerStore.Key(period, share, subject).encode().get(),
          new LedgerStore.Entry(new Ledger(charges), status).encode());
    }
  }

  /** One record of a changelog. */
  public record Change(int partition, byte[] key, byte[] value) {}

  /** What the terms say, for people. */
  public Map<String, String> facts() {
    BudgetTerms granted = decoded();
    Map<String, String> facts = new TreeMap<>();
    facts.put("unit", granted.unit());
    facts.put("epsilon", granted.epsilon().toString());
    facts.put("delta", granted.delta().toString());
    facts.put("period", granted.period());
    facts.put(
        "shares",
        String.join(", ", granted.shares().stream().map(GrantedShare::ledger).distinct().toList()));
    return facts;
  }

  /**
   * Throws if a plan must not go on with this ledger.
   *
   * @throws PipelineStopException if it would give anybody budget back
   */
  public void requireFor(Plan plan) {
    carriedBy(plan);
  }

  /**
   * What a plan goes on with, where its budget is another than the sealed one: terms that say what
   * the new budget is, and from when on it holds.
   *
   * @throws PipelineStopException if it would give anybody budget back, or raise the bound of a
   *     period that runs
   */
  public LedgerImage carriedBy(Plan plan) {
    requireSameNumbers(plan);
    return of(CarriedTerms.of(decoded(), plan, floor));
  }

  /**
   * The same from the first window on that shares no period with a window of before.
   *
   * @throws PipelineStopException if unit or period differ, or no such window will ever come
   */
  public LedgerImage carriedFromNextPeriod(Plan plan) {
    requireSameNumbers(plan);
    return of(CarriedTerms.fromNextPeriod(decoded(), plan, floor));
  }

  private LedgerImage of(CarriedTerms carried) {
    return of(carried.terms(), carried.floor(), starts);
  }

  /**
   * Ledgers are known by the numbers of their periods. Of parts of a day, these depend on every
   * clock change since 1970.
   */
  private void requireSameNumbers(Plan plan) {
    Period period = plan.pipeline().budget().period();
    boolean numbered = !(period instanceof Period.Lifetime || period instanceof Period.Window);
    boolean parts =
        plan.pipeline()
            .window()
            .calendar()
            .filter(windows -> windows.unit() instanceof CalendarUnit.PartOfDay)
            .isPresent();
    if (numbered && parts) {
      starts
          .map(WindowStarts::parse)
          .ifPresent(
              known ->
                  known.requireSame(
                      plan.pipeline(),
                      "give the pipeline and its budget new names and start without this ledger: the new loss adds to the former one"));
    }
  }

  /**
   * Refuses a plan that could not go on with this ledger wherever it will have been sealed. Sealing
   * releases what is closed first, which may move the floor.
   *
   * @param window of the pipeline that runs: it says where floors may lie
   * @throws PipelineStopException if it would give anybody budget back, or raise the bound of a
   *     period that runs
   */
  public void requireForLater(Plan plan, WindowSpec window) {
    requireFor(plan);
    if (closedBefore().isEmpty()) {
      return;
    }
    long begin = plan.pipeline().window().begin().orElse(floor);
    for (int later = 1; later <= 2; later++) {
      long sealed = window.plus(floor, later);
      // Nothing is known of a floor behind the file's beginning; up to it each is one of before.
      new LedgerImage(terms, begin > floor ? Math.min(begin, sealed) : sealed, starts)
          .requireFor(plan);
    }
  }

  /** Time before which no window may be released again; nothing if no window has closed. */
  public OptionalLong closedBefore() {
    return new LedgerFloor(floor).isKnown() ? OptionalLong.of(floor) : OptionalLong.empty();
  }

  /** Whether a plan's budget has a higher epsilon or delta than the sealed one. */
  public boolean isRaisedBy(Plan plan) {
    return CarriedTerms.raises(decoded(), plan);
  }

  private BudgetTerms decoded() {
    ByteReader in = new ByteReader(terms);
    BudgetTerms granted = BudgetTerms.read(in);
    in.end();
    return granted;
  }

  /**
   * Number of the first period whose charges bear on a window at the floor or after it; that of the
   * first of all where the terms only name a zone's calendar.
   */
  private long firstPeriod() {
    String word = decoded().period();
    if (Period.isLocal(word)) {
      return Long.MIN_VALUE;
    }
    Period period = Period.of(word);
    return period.firstWith(period.indexOf(floor));
  }

  /**
   * Tells ledgers that may still be charged, or added up with those that are, from those of periods
   * that are over, which nobody needs: no window of them is ever released again, wherever this
   * ledger goes on.
   */
  public LongPredicate livePeriods() {
    long first = new LedgerFloor(floor).isKnown() ? firstPeriod() : Long.MIN_VALUE;
    return period -> period >= first;
  }

  /** Number of the period of a ledger's key in the store {@link LedgerImage#LEDGERS}. */
  public static long periodOf(byte[] key) {
    return LedgerStore.Key.decode(key).period();
  }

  /**
   * The partition that a ledger's key in the store {@link LedgerImage#LEDGERS} belongs to.
   *
   * @param partitions of the store's changelog, at least 1
   */
  public static int partitionOf(byte[] key, int partitions) {
    String subject = LedgerStore.Key.decode(key).subject();
    return JournalPartitioner.partitionOf(subject.getBytes(StandardCharsets.UTF_8), partitions);
  }

  /** Number of charges of a ledger in the store {@link LedgerImage#LEDGERS}. */
  public static long chargesOf(byte[] value) {
    return LedgerStore.Entry.decode(value).ledger().size();
  }

  /** What is written before any ledger: records of the meta store's changelog. */
  public static List<Change> beginnings(int partitions, String digest, String budget) {
    return everywhere(
        partitions, MetaStore.IMPORTED, new ImportedLedger.Begun(digest, budget).encode());
  }

  /**
   * What the new state knows of where it came from: records of the meta store's changelog.
   *
   * @param digest of the file that is imported, hexadecimal
   * @param budget that was sealed
   */
  public List<Change> origins(int partitions, String digest, String budget) {
    byte[] value = new ImportedLedger(digest, budget, floor, decoded()).encode();
    return everywhere(partitions, MetaStore.IMPORTED, value);
  }

  /** Where intake begins: records of its store's changelog. */
  public List<Change> floors(int partitions) {
    return everywhere(partitions, LedgerFloor.KEY, new LedgerFloor(floor).encode());
  }

  private static List<Change> everywhere(int partitions, Bytes key, byte[] value) {
    List<Change> changes = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) {
      changes.add(new Change(partition, key.get(), value));
    }
    return changes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LedgerImage image
        && floor == image.floor
        && starts.equals(image.starts)
        && Arrays.equals(terms, image.terms);
  }

  @Override
  public int hashCode() {
    return Utils.murmur2(terms) * 31 + Long.hashCode(floor);
  }
}
