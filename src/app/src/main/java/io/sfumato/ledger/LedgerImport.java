// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plan;
import io.sfumato.runtime.ClientErrors;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ClusterCalls;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.TransactionalIds;
import io.sfumato.text.ControlCharEscaper;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.StateReader;
import io.sfumato.topology.context.OperatorOrders;
import io.sfumato.topology.context.RecordSpan;
import io.sfumato.topology.context.SourceTopics;
import java.time.Duration;
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
  /** For the last transaction to be seen everywhere. */
  private static final Duration SETTLING = Duration.ofSeconds(30);

  /** Ledgers of one transaction: no more than a second's work for any cluster. */
  public static final int TRANSACTION_LEDGERS = 10_000;

  private final Plan plan;
  private final KafkaSettings settings;
  private final NoiseKey key;
  private final Cluster.Safety safety;
  private final ProgressListener stages;
  private List<String> leftBehind = List.of();
  private Optional<LedgerImage> carried = Optional.empty();

  /**
   * @param key that the new budget will draw with: it signs that the sealed one goes on
   */
  public LedgerImport(Plan plan, KafkaSettings settings, NoiseKey key, Cluster.Safety safety) {
    this(plan, settings, key, safety, ProgressListener.silent());
  }

  /**
   * @param key that the new budget will draw with: it signs that the sealed one goes on
   * @param stages hear how far it is
   */
  public LedgerImport(
      Plan plan,
      KafkaSettings settings,
      NoiseKey key,
      Cluster.Safety safety,
      ProgressListener stages) {
    this.plan = plan;
    this.settings = settings;
    this.key = key;
    this.safety = safety;
    this.stages = stages;
  }

  /**
   * What the pipeline goes on with: where the budget was raised, from a later window on than the
   * file says.
   *
   * @param file that was imported
   */
  public LedgerImage imageOf(LedgerFile file) {
    return carried.orElse(file.image());
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
            "'$", Matcher.quoteReplacement(" --imports " + ControlCharEscaper.of(former) + "'"));
    return new RefusedException(e.code(), e.getMessage().replace(ClusterCalls.RIGHTS, rights));
  }

  private Outcome begin(LedgerFile file) throws RefusedException {
    Pipeline pipeline = plan.pipeline();
    String budget = pipeline.budget().name();
    StateTopics state = new StateTopics(pipeline);
    CarryOver.Source ledger = CarryOver.Source.of(file);
    try (Cluster cluster = new Cluster(settings)) {
      CarryOver next = new CarryOver(plan, settings, cluster, key, safety);
      carried = Optional.of(next.require(ledger));
      BudgetAncestry ancestry = new BudgetAncestry(settings, cluster, Optional.of(key));
      RegistryHandover handover = new RegistryHandover(pipeline, settings, cluster, key);
      handover.open();
      ancestry.registry(file.budget()).create(cluster);
      SourceTopics sources = cluster.pipelineTopics().prepare(plan, safety);
      int partitions = sources.journalPartitions();
      handover.bind();
      BegunState.remember(pipeline, partitions, settings, cluster, key);
      leftBehind = carrySkipped(file.budget(), sources);
      boolean written = write(next, state, ancestry, file, partitions);
      // A commit is answered before every partition shows it: a start right after it must see all.
      cluster.offsets().awaitSettled(state.all(), SETTLING);
      cluster.offsets(pipeline).begin();
      return written ? Outcome.IMPORTED : Outcome.ALREADY_IMPORTED;
    }
  }

  /** Windows that were open are read again: what did not count there does not count here. */
  private List<String> carrySkipped(String from, SourceTopics sources) throws RefusedException {
    OrdersLog former = new OrdersLog(from, settings, key);
    OrdersLog own = new OrdersLog(plan.pipeline(), settings, key);
    own.takeOver(former);
    List<RecordSpan> said = own.spans(sources);
    return OperatorOrders.of(
            former.ofOthers(sources).stream().filter(span -> !said.contains(span)).toList())
        .spans()
        .stream()
        .map(sources::text)
        .toList();
  }

  /**
   * Records of which the sealed budget's registry says that they do not count, by entries that this
   * key did not sign: they count, unless an operator says the same of this budget before it starts.
   */
  public List<String> leftBehind() {
    return leftBehind;
  }

  /**
   * Writes the ledger.
   *
   * @return false if it was there before
   */
  private boolean write(
      CarryOver next, StateTopics state, BudgetAncestry ancestry, LedgerFile file, int partitions)
      throws RefusedException {
    CarryOver.Source ledger = CarryOver.Source.of(file);
    LedgerImage image = imageOf(file);
    String budget = plan.pipeline().budget().name();
    Map<String, Object> config = settings.producer();
    config.put("transactional.id", TransactionalIds.of(plan.pipeline().applicationId(), "import"));
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      // From here on no other import into this budget can commit: what is read now holds.
      StateReader present = state.readMeta(settings);
      ReceivingBudget.requireNoOther(present, ledger, budget);
      if (present.imported().isPresent()) {
        return false;
      }
      next.requireStopped();
      // Until it has the ledger, nobody starts this budget.
      ancestry.registry(budget).await(file.budget(), file.facts().inherited());
      // Whoever imports the same file into another budget finds this.
      ancestry.registry(file.budget(), budget).goOn(budget, file.digest());
      next.require(ledger);
      producer.beginTransaction();
      send(
          producer, state.meta(), LedgerImage.beginnings(partitions, file.digest(), file.budget()));
      producer.commitTransaction();
      // Whoever joins from here on restores that an import has begun.
      next.requireStopped();
      try (ProgressListener.Stage stage = stages.begin("ledgers", file.ledgers())) {
        sendLedgers(producer, state.ledgers(), file, image.livePeriods(), partitions, stage);
      }
      producer.beginTransaction();
      send(producer, state.sources(), image.floors(partitions));
      send(producer, state.meta(), image.origins(partitions, file.digest(), file.budget()));
      producer.commitTransaction();
      return true;
    } catch (KafkaException e) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "cannot write the ledger to %s: %s; run the same import again"
              .formatted(settings.bootstrapServers(), ClientErrors.words(e, settings)));
    }
  }

  private static void sendLedgers(
      KafkaProducer<byte[], byte[]> producer,
      String topic,
      LedgerFile file,
      LongPredicate live,
      int partitions,
      ProgressListener.Stage stage)
      throws RefusedException {
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
