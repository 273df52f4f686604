// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.console.Visible;
import io.sfumato.noise.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plan;
import io.sfumato.runtime.ClientErrors;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ClusterCalls;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TransactionalIds;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.StateReader;
import io.sfumato.topology.setting.RecordSpan;
import io.sfumato.topology.setting.SkippedPlaces;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Lets a new budget go on with a sealed ledger: writes it into the changelogs that the new
 * application will restore its state from.
 *
 * <ol>
 *   <li>The registry remembers where the sealed ledger goes on: the first to come holds, and the
 *       same file is imported into no other budget of this cluster.
 *   <li>One transaction says which file is being imported: until the last one nothing runs on that
 *       state, and no other file is imported into it.
 *   <li>Ledgers follow, some thousands a transaction. Who is cut short runs the same import again:
 *       it writes the same.
 *   <li>The last one says where windows begin, and what was granted.
 * </ol>
 */
public final class LedgerImport {
  /** Ledgers of one transaction: no more than a second's work for any cluster. */
  public static final int TRANSACTION_LEDGERS = 10_000;

  private final Plan plan;
  private final KafkaSettings settings;
  private final NoiseKey key;
  private final Cluster.Safety safety;
  private final Stages stages;
  private List<RecordSpan> leftBehind = List.of();

  /**
   * @param key that the new budget will draw with: it signs that the sealed one goes on
   */
  public LedgerImport(Plan plan, KafkaSettings settings, NoiseKey key, Cluster.Safety safety) {
    this(plan, settings, key, safety, Stages.silent());
  }

  /**
   * @param key that the new budget will draw with: it signs that the sealed one goes on
   * @param stages hear how far it is
   */
  public LedgerImport(
      Plan plan, KafkaSettings settings, NoiseKey key, Cluster.Safety safety, Stages stages) {
    this.plan = plan;
    this.settings = settings;
    this.key = key;
    this.safety = safety;
    this.stages = stages;
  }

  /** The plan as it goes on with a ledger: what is to run. */
  public Plan planFor(LedgerFile file) {
    return file.image().planFor(plan);
  }

  /** What an import found. */
  public enum Outcome {
    IMPORTED,
    /** This very file was imported before; nothing was changed. */
    ALREADY_IMPORTED
  }

  /**
   * Imports.
   *
   * @throws RefusedException if the budget has a ledger of its own, or the file goes on elsewhere
   */
  public Outcome importFrom(LedgerFile file) throws RefusedException {
    try {
      return begin(file);
    } catch (RefusedException e) {
      throw e.getMessage().contains(ClusterCalls.RIGHTS) ? withImports(e, file.budget()) : e;
    }
  }

  /** The rights on the sealed budget's registry are printed for whoever says which that is. */
  private static RefusedException withImports(RefusedException e, String former) {
    String rights =
        ClusterCalls.RIGHTS.replaceFirst(
            "'$", Matcher.quoteReplacement(" --imports " + Visible.of(former) + "'"));
    return new RefusedException(e.code(), e.getMessage().replace(ClusterCalls.RIGHTS, rights));
  }

  private Outcome begin(LedgerFile file) throws RefusedException {
    Pipeline pipeline = plan.pipeline();
    String budget = pipeline.budget().name();
    StateTopics.require(() -> file.image().requireFor(plan));
    StateTopics state = new StateTopics(pipeline);
    try (Cluster cluster = new Cluster(settings)) {
      Descent descent = new Descent(settings, cluster, Optional.of(key));
      Adoption adoption = new Adoption(pipeline, settings, cluster, key);
      adoption.adopt();
      descent.registry(file.budget()).create(cluster);
      requireUnclaimed(descent, file, budget);
      Cluster.Source source = cluster.pipelineTopics().prepare(plan, safety);
      int partitions = source.partitions();
      refuseOther(state.readMeta(settings, cluster), file, budget);
      adoption.bind();
      BegunState.remember(pipeline, partitions, settings, cluster, key);
      leftBehind = carrySkipped(file.budget(), source);
      boolean written = write(cluster, state, descent, file, partitions);
      cluster.offsets(pipeline).begin();
      return written ? Outcome.IMPORTED : Outcome.ALREADY_IMPORTED;
    }
  }

  /** Windows that were open are read again: what did not count there does not count here. */
  private List<RecordSpan> carrySkipped(String from, Cluster.Source source)
      throws RefusedException {
    SkippedRecords former = new SkippedRecords(from, settings, key);
    SkippedRecords own = new SkippedRecords(plan.pipeline(), settings, key);
    own.takeOver(former);
    List<RecordSpan> said = own.spans(source);
    return SkippedPlaces.of(
            former.ofOthers(source).stream().filter(span -> !said.contains(span)).toList())
        .spans();
  }

  /**
   * Records of which the sealed budget's registry says that they do not count, by entries that this
   * key did not sign: they count, unless an operator says the same of this budget before it starts.
   */
  public List<RecordSpan> leftBehind() {
    return leftBehind;
  }

  private static void requireUnclaimed(Descent descent, LedgerFile file, String budget)
      throws RefusedException {
    Optional<String> elsewhere = descent.heir(file.budget()).filter(other -> !other.equals(budget));
    if (elsewhere.isPresent()) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "the ledger of '%s' goes on as '%s' already; two of them would each spend what is left"
              .formatted(Visible.of(file.budget()), Visible.of(elsewhere.get())));
    }
    if (descent.continues(file.budget())) {
      throw new RefusedException(
          ExitCode.STOPPED,
          ("budget '%s' is not sealed on this cluster: an earlier version of the program exported it after"
                  + " this one had begun to run it, and it would be spent twice. Export it again with this"
                  + " version (sfumato ledger export), and import that file")
              .formatted(Visible.of(file.budget())));
    }
    if (descent.ended(budget).isPresent()) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "the ledger of '%s' is sealed; take a budget name that was never used".formatted(budget));
    }
  }

  private static void refuseOther(StateReader present, LedgerFile file, String budget)
      throws RefusedException {
    boolean same = present.imported().map(file.digest()::equals).orElse(false);
    if (present.hasRun()) {
      throw new RefusedException(
          ExitCode.STOPPED,
          same
              ? "budget '%s' began with this file and has gone on since: its ledger is newer; nothing was changed"
                  .formatted(budget)
              : "budget '%s' has a ledger of its own, which an import would overwrite; take a budget name that was never used"
                  .formatted(budget));
    }
    if (present.imported().isPresent() && !same) {
      throw new RefusedException(
          ExitCode.STOPPED, "another ledger was imported into budget '%s'".formatted(budget));
    }
    Optional<String> begun = present.halfImported();
    if (begun.isPresent() && !begun.get().equals(file.digest())) {
      throw new RefusedException(
          ExitCode.STOPPED,
          ("the import of another file into budget '%s' was cut short, and some of it is written: run"
                  + " it again with that file (sha256 %s), or take a budget name that was never used")
              .formatted(budget, begun.get()));
    }
  }

  /**
   * Writes the ledger.
   *
   * @return false if it was there before
   */
  private boolean write(
      Cluster cluster, StateTopics state, Descent descent, LedgerFile file, int partitions)
      throws RefusedException {
    String budget = plan.pipeline().budget().name();
    Map<String, Object> config = settings.producer();
    config.put("transactional.id", TransactionalIds.of(plan.pipeline().applicationId(), "import"));
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      // From here on no other import into this budget can commit: what is read now holds.
      StateReader present = state.readMeta(settings);
      refuseOther(present, file, budget);
      if (present.imported().isPresent()) {
        return false;
      }
      requireNobodyRuns(cluster);
      // Whoever imports the same file into another budget finds this.
      descent.toContinue(file.budget(), budget).goOn(budget, file.digest());
      requireUnclaimed(descent, file, budget);
      producer.beginTransaction();
      send(
          producer, state.meta(), LedgerImage.beginnings(partitions, file.digest(), file.budget()));
      producer.commitTransaction();
      // Whoever joins from here on restores that an import has begun.
      requireNobodyRuns(cluster);
      try (Stages.Stage stage = stages.begin("ledgers", file.ledgers())) {
        sendLedgers(producer, state.ledgers(), file, partitions, stage);
      }
      producer.beginTransaction();
      send(producer, state.sources(), file.image().floors(partitions));
      send(producer, state.meta(), file.image().origins(partitions, file.digest(), file.budget()));
      producer.commitTransaction();
      return true;
    } catch (KafkaException e) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "cannot write the ledger to %s: %s; run the same import again"
              .formatted(settings.bootstrapServers(), ClientErrors.words(e)));
    }
  }

  /** An instance that has restored its state already would never read what is imported. */
  private void requireNobodyRuns(Cluster cluster) throws RefusedException {
    String application = plan.pipeline().applicationId();
    if (cluster.groups().hasMembers(application)) {
      throw new RefusedException(
          ExitCode.FAILED,
          ("instances of '%s' run, and would go on with nothing of what is imported; stop them, then run"
                  + " the same import again")
              .formatted(application));
    }
  }

  private static void sendLedgers(
      KafkaProducer<byte[], byte[]> producer,
      String topic,
      LedgerFile file,
      int partitions,
      Stages.Stage stage)
      throws RefusedException {
    LongPredicate live = file.image().livePeriods();
    long[] read = {0};
    producer.beginTransaction();
    file.forEach(
        line -> {
          if (live.test(line.period())) {
            send(producer, topic, List.of(line.change(partitions)));
          }
          read[0]++;
          if (read[0] % TRANSACTION_LEDGERS == 0) {
            producer.commitTransaction();
            stage.at(read[0]);
            producer.beginTransaction();
          }
        });
    producer.commitTransaction();
    stage.at(read[0]);
  }

  private static void send(
      KafkaProducer<byte[], byte[]> producer, String topic, List<LedgerImage.Change> changes) {
    for (LedgerImage.Change change : changes) {
      producer.send(new ProducerRecord<>(topic, change.partition(), change.key(), change.value()));
    }
  }
}
