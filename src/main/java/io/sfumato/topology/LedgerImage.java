// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.accounting.Ledger;
import io.sfumato.accounting.Period;
import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plan;
import io.sfumato.topology.charge.LedgerStore;
import io.sfumato.topology.journal.JournalPartitioner;
import io.sfumato.topology.lineage.BudgetTerms;
import io.sfumato.topology.lineage.Identity;
import io.sfumato.topology.lineage.ImportedLedger;
import io.sfumato.topology.lineage.LedgerFloor;
import io.sfumato.topology.lineage.MetaStore;
import io.sfumato.topology.lineage.Takeover;
import io.sfumato.topology.setting.Names;
import io.sfumato.topology.setting.PipelineStopException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.Utils;

/**
 * What goes with a budget's ledgers outside their stores: read from changelogs, and written into
 * those of another application. There may be more ledgers than fit into memory: they pass by, one
 * {@link Line} each.
 *
 * @param terms what the budget has granted, encoded
 * @param floor no window that starts before it may be released again
 */
public record LedgerImage(byte[] terms, long floor) {
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
    return of(BudgetTerms.of(plan), floor);
  }

  private static LedgerImage of(BudgetTerms granted, long floor) {
    ByteWriter out = new ByteWriter();
    granted.write(out);
    return new LedgerImage(out.toBytes(), floor);
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
        String.join(", ", granted.shares().stream().map(BudgetTerms.Granted::ledger).toList()));
    return facts;
  }

  /**
   * Throws if a plan must not go on with this ledger.
   *
   * @throws PipelineStopException if it would give anybody budget back
   */
  public void requireFor(Plan plan) {
    decoded().extended(planFor(plan), floor);
  }

  /** A plan as it goes on with this ledger: shares that were granted keep what they were for. */
  public Plan planFor(Plan plan) {
    return decoded().goingOn(plan, floor);
  }

  private BudgetTerms decoded() {
    ByteReader in = new ByteReader(terms);
    BudgetTerms granted = BudgetTerms.read(in);
    in.end();
    return granted;
  }

  /** Number of the first period that a window at the floor or behind it lies in. */
  private long firstPeriod() {
    return Period.of(decoded().period()).indexOf(floor);
  }

  /**
   * Tells ledgers that may still be charged from those of periods that are over, which nobody
   * needs: no window of them is ever released again, wherever this ledger goes on.
   */
  public LongPredicate livePeriods() {
    long first = new LedgerFloor(floor).isKnown() ? firstPeriod() : Long.MIN_VALUE;
    return period -> period >= first;
  }

  /** Number of the period of a ledger's key in the store {@link LedgerImage#LEDGERS}. */
  public static long periodOf(byte[] key) {
    return LedgerStore.Key.decode(key).period();
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

  /** Takes in the changelogs of one application, in the order of each partition. */
  public static final class Reader {
    private final Map<Integer, Map<Bytes, byte[]>> meta = new HashMap<>();

    /** A record of the meta store's changelog. */
    public void meta(int partition, byte[] key, byte[] value) {
      put(meta.computeIfAbsent(partition, p -> new HashMap<>()), key, value);
    }

    private static void put(Map<Bytes, byte[]> store, byte[] key, byte[] value) {
      if (value == null) {
        store.remove(Bytes.wrap(key));
      } else {
        store.put(Bytes.wrap(key), value);
      }
    }

    /** Whether every one of so many partitions has released what was closed, and is sealed. */
    public boolean isDrained(int partitions) {
      long drained =
          meta.values().stream()
              .filter(
                  store -> MetaStore.Seal.of(store.get(MetaStore.SEAL)) == MetaStore.Seal.DRAINED)
              .count();
      return drained == partitions;
    }

    /** Whether an application has worked on this state. */
    public boolean hasRun() {
      return meta.values().stream().anyMatch(store -> store.containsKey(MetaStore.IDENTITY));
    }

    /**
     * Where windows begin for a state that was begun before files said so: every window that starts
     * earlier is decided.
     *
     * @return nothing if some partition has seen neither a tick nor the place where a ledger was
     *     sealed
     */
    public OptionalLong undecidedFrom(int partitions) {
      List<OptionalLong> starts = meta.values().stream().map(Reader::undecidedFrom).toList();
      return starts.size() < partitions || starts.stream().anyMatch(OptionalLong::isEmpty)
          ? OptionalLong.empty()
          : starts.stream().mapToLong(OptionalLong::getAsLong).min();
    }

    private static OptionalLong undecidedFrom(Map<Bytes, byte[]> store) {
      byte[] identity = store.get(MetaStore.IDENTITY);
      if (identity == null) {
        return OptionalLong.empty();
      }
      OptionalLong closed =
          MetaStore.closedThrough(store, Identity.decode(identity).maker().sourcePartitions());
      byte[] cursor = store.get(MetaStore.CURSOR);
      return closed.isEmpty() || cursor == null
          ? closed
          : OptionalLong.of(Math.min(closed.getAsLong(), MetaStore.cursorOf(cursor).windowStart()));
    }

    /** Where the ledger that this state began with was sealed; nothing if none was imported. */
    public OptionalLong sealedAt() {
      return origins()
          .mapToLong(ImportedLedger::floor)
          .filter(floor -> new LedgerFloor(floor).isKnown())
          .max();
    }

    /** Digest of the file that was imported, if one was. */
    public Optional<String> imported() {
      return origin().map(ImportedLedger::digest);
    }

    /** The budget whose sealed ledger was imported, if one was. */
    public Optional<String> importedFrom() {
      return origin().map(ImportedLedger::budget);
    }

    private Optional<ImportedLedger> origin() {
      return origins().findFirst();
    }

    private Stream<ImportedLedger> origins() {
      return rows(MetaStore.IMPORTED)
          .filter(bytes -> ImportedLedger.begun(bytes).isEmpty())
          .map(ImportedLedger::decode);
    }

    private Stream<byte[]> rows(Bytes key) {
      return meta.values().stream().flatMap(store -> Optional.ofNullable(store.get(key)).stream());
    }

    private Optional<ImportedLedger.Begun> begun() {
      return rows(MetaStore.IMPORTED)
          .flatMap(bytes -> ImportedLedger.begun(bytes).stream())
          .findFirst();
    }

    /** Digest of the file whose import has begun and was not finished, if one was. */
    public Optional<String> halfImported() {
      return begun().map(ImportedLedger.Begun::digest);
    }

    /** What is wrong with a state whose import was cut short, and what to do; else nothing. */
    public Optional<String> cutShort() {
      return begun().map(begun -> begun.halfImported().getMessage());
    }

    /**
     * Refuses a state whose import was cut short.
     *
     * @throws PipelineStopException with what to do
     */
    public void requireWhole() {
      begun()
          .ifPresent(
              begun -> {
                throw begun.halfImported();
              });
    }

    /**
     * Refuses a file that the state contradicts: an older one, another one under the same version,
     * and a newer one as long as any partition is not ready for it: those that are would go on with
     * it, and then no program could run on all of them.
     *
     * @param sourceTopic id of the records' topic
     * @param sourcePartitions of it
     * @param noiseKey tag of the key that it draws with
     * @throws PipelineStopException with what to do
     */
    public void requireReadyFor(
        Plan plan, String sourceTopic, int sourcePartitions, String noiseKey) {
      Identity.Maker maker = Identity.Maker.of(plan, sourceTopic, sourcePartitions, noiseKey);
      int mine = maker.version();
      for (Map<Bytes, byte[]> store : meta.values()) {
        byte[] identity = store.get(MetaStore.IDENTITY);
        if (identity == null) {
          requireNobodyElse(mine);
          continue;
        }
        Identity found = Identity.decode(identity);
        if (found.maker().version() > mine) {
          throw PipelineStopException.wentOnTo(found.maker().version(), mine);
        }
        if (found.maker().version() == mine) {
          found.requireSame(maker, plan);
          continue;
        }
        Takeover takeover =
            Optional.ofNullable(store.get(MetaStore.TAKEOVER))
                .map(Takeover::decode)
                .orElseThrow(() -> Takeover.unannounced(found.maker().version(), mine));
        takeover.requireReadyFor(maker, found.maker().version());
        if (meta.size() < sourcePartitions) {
          requireNobodyElse(mine);
        }
        // As every partition will do: those that did would go on, if one did not.
        found.takenOver(maker, plan, takeover.from());
      }
    }

    /** A partition that has not begun begins with the version that the others are at. */
    private void requireNobodyElse(int mine) {
      OptionalInt other =
          identities()
              .mapToInt(found -> found.maker().version())
              .filter(v -> v != mine)
              .findFirst();
      if (other.isPresent()) {
        throw new PipelineStopException(
            ("version %d of the file cannot take over: not every partition has begun. Run the file of"
                    + " version %d until it has")
                .formatted(mine, other.getAsInt()));
      }
    }

    /**
     * Refuses to announce a version while another one is taking over.
     *
     * @throws PipelineStopException if partitions are at different versions
     */
    public void requireOneVersion() {
      List<Integer> versions =
          identities().map(found -> found.maker().version()).distinct().sorted().toList();
      if (versions.size() > 1) {
        throw new PipelineStopException(
            "version %d is taking over from version %d; run it until all partitions are at it, then announce the next"
                .formatted(versions.get(versions.size() - 1), versions.get(0)));
      }
    }

    /**
     * A plan as it goes on with this state: a function of the state alone, so that every instance
     * decides alike. Shares that were granted keep what they were granted for.
     */
    public Plan planFor(Plan plan) {
      return newest()
          .map(state -> state.terms().goingOn(plan, Long.MIN_VALUE))
          .or(() -> origin().map(ledger -> ledger.terms().goingOn(plan, ledger.floor())))
          .orElse(plan);
    }

    /** The oldest version that any partition is at, if any has begun. */
    public OptionalInt oldest() {
      return identities().mapToInt(found -> found.maker().version()).min();
    }

    /** The version that was announced to take over, if one was. */
    public Optional<Announced> announced() {
      return rows(MetaStore.TAKEOVER)
          .map(Takeover::decode)
          .max(Comparator.comparingInt(Takeover::version))
          .map(next -> new Announced(next.version(), next.from()));
    }

    /** Tag of the key that the announced version will draw with. */
    public Optional<String> announcedKey() {
      return rows(MetaStore.TAKEOVER)
          .map(Takeover::decode)
          .max(Comparator.comparingInt(Takeover::version))
          .map(Takeover::noiseKey);
    }

    /** The program that works on this state. */
    public Optional<Incumbent> incumbent() {
      return newest().map(Incumbent::new);
    }

    private Optional<Identity> newest() {
      return identities().max((a, b) -> Integer.compare(a.maker().version(), b.maker().version()));
    }

    private Stream<Identity> identities() {
      return rows(MetaStore.IDENTITY).map(Identity::decode);
    }

    /**
     * What goes with the ledgers.
     *
     * @return nothing if the application never began
     */
    public Optional<LedgerImage> image() {
      Optional<BudgetTerms> terms =
          newest().map(Identity::terms).or(() -> origin().map(ImportedLedger::terms));
      return terms.map(granted -> of(granted, floor()));
    }

    private long floor() {
      return meta.values().stream().mapToLong(Reader::floor).max().orElse(Long.MIN_VALUE);
    }

    /** Windows that end by it may have been released; the next version's have not. */
    private static long floor(Map<Bytes, byte[]> store) {
      byte[] identity = store.get(MetaStore.IDENTITY);
      long floor =
          identity == null
              ? Long.MIN_VALUE
              : MetaStore.closedThrough(store, Identity.decode(identity).maker().sourcePartitions())
                  .orElse(Long.MIN_VALUE);
      byte[] takeover = store.get(MetaStore.TAKEOVER);
      if (takeover != null) {
        floor = Math.min(floor, Takeover.decode(takeover).from());
      }
      byte[] imported = store.get(MetaStore.IMPORTED);
      return imported == null || ImportedLedger.begun(imported).isPresent()
          ? floor
          : Math.max(floor, ImportedLedger.decode(imported).floor());
    }
  }

  /**
   * A version that waits for its turn.
   *
   * @param from start of its first window, milliseconds since 1970
   */
  public record Announced(int version, long from) {}

  /** The program that works on a state, where a new version is compared with it. */
  public static final class Incumbent {
    private final Identity identity;

    private Incumbent(Identity identity) {
      this.identity = identity;
    }

    public int version() {
      return identity.maker().version();
    }

    /** Tag of the key that it draws with. */
    public String noiseKey() {
      return identity.maker().noiseKey();
    }

    /**
     * Throws if a file could not take over.
     *
     * @param sourceTopic id of the records' topic
     * @param sourcePartitions of it
     * @param noiseKey tag of the key that it would draw with
     * @throws PipelineStopException with what stands against it
     */
    public void requireSuccessor(
        Plan plan, String sourceTopic, int sourcePartitions, String noiseKey, long from) {
      identity.takenOver(
          Identity.Maker.of(plan, sourceTopic, sourcePartitions, noiseKey), plan, from);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LedgerImage image
        && floor == image.floor
        && Arrays.equals(terms, image.terms);
  }

  @Override
  public int hashCode() {
    return Utils.murmur2(terms) * 31 + Long.hashCode(floor);
  }
}
