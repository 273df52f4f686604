package io.sfumato.ledger;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.LedgerImage;
import io.sfumato.topology.PipelineStopException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Lets a new budget go on with a sealed ledger: writes it, in one transaction, into the changelogs
 * that the new application will restore its state from.
 */
public final class LedgerImport {
  private static final Duration LONGEST_TRANSACTION = Duration.ofMinutes(10);

  private final Plan plan;
  private final KafkaSettings settings;
  private final Cluster.Safety safety;

  public LedgerImport(Plan plan, KafkaSettings settings, Cluster.Safety safety) {
    this.plan = plan;
    this.settings = settings;
    this.safety = safety;
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
    Pipeline pipeline = plan.pipeline();
    String budget = pipeline.budget().name();
    try {
      file.image().requireFor(plan);
    } catch (PipelineStopException e) {
      throw new RefusedException(ExitCode.STOPPED, e.getMessage());
    }
    StateTopics state = new StateTopics(pipeline);
    Registry registry = new Registry(settings);
    try (Cluster cluster = new Cluster(settings)) {
      registry.create(cluster);
      requireUnclaimed(registry.read(), file, budget);
      int partitions = cluster.prepare(plan, safety).partitions();
      boolean written = false;
      if (state.exist(cluster)) {
        LedgerImage.Reader present = state.readMeta(settings);
        refuseOther(present, file, budget);
        written = present.imported().isPresent();
      }
      if (!written) {
        cluster.createChangelogs(pipeline, state.all(), partitions);
        write(state, file, partitions);
      }
      cluster.offsets(pipeline).begin();
      return written ? Outcome.ALREADY_IMPORTED : Outcome.IMPORTED;
    }
  }

  private static void requireUnclaimed(Registry.Contents registry, LedgerFile file, String budget)
      throws RefusedException {
    Optional<String> elsewhere =
        Optional.ofNullable(registry.continued().get(file.budget()))
            .filter(other -> !other.equals(budget));
    if (elsewhere.isPresent()) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "the ledger of '%s' goes on as '%s' already; two of them would each spend what is left"
              .formatted(file.budget(), elsewhere.get()));
    }
    if (registry.isSealed(budget)) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "the ledger of '%s' is sealed; take a budget name that was never used".formatted(budget));
    }
  }

  private static void refuseOther(LedgerImage.Reader present, LedgerFile file, String budget)
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
  }

  private void write(StateTopics state, LedgerFile file, int partitions) throws RefusedException {
    Map<String, Object> config = settings.producer();
    config.put("transactional.id", "sfumato-import-" + plan.pipeline().budget().name());
    config.put("transaction.timeout.ms", (int) LONGEST_TRANSACTION.toMillis());
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      send(producer, state.ledgers(), file.image().ledgers(partitions));
      send(producer, state.sources(), file.image().floors(partitions));
      send(producer, state.meta(), file.image().origins(partitions, file.digest(), file.budget()));
      producer.send(
          Registry.continuation(file.budget(), plan.pipeline().budget().name(), file.digest()));
      producer.commitTransaction();
    } catch (KafkaException e) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          "cannot write the ledger to %s: %s; nothing was imported"
              .formatted(settings.bootstrapServers(), e.getMessage()));
    }
  }

  private static void send(
      KafkaProducer<byte[], byte[]> producer, String topic, List<LedgerImage.Change> changes) {
    for (LedgerImage.Change change : changes) {
      producer.send(new ProducerRecord<>(topic, change.partition(), change.key(), change.value()));
    }
  }
}
