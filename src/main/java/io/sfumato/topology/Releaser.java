package io.sfumato.topology;

import io.sfumato.accounting.Charge;
import io.sfumato.accounting.Period;
import io.sfumato.accounting.Share;
import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.ItemCounts;
import io.sfumato.noise.Framing;
import io.sfumato.noise.NoiseKey;
import io.sfumato.noise.ReleaseId;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plan;
import io.sfumato.pipeline.Plan.PlannedRelease;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.schema.Guarantee;
import io.sfumato.schema.Refusal;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.DatasetStore.Dataset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Decides, charges and draws the releases of one closed dataset, in this order. Charge, output and
 * state changes are part of one Kafka transaction.
 */
final class Releaser {
  private final Pipeline pipeline;
  private final List<Output> outputs = new ArrayList<>();
  private final Identity identity;
  private final NoiseKey noiseKey;
  private final PipelineMeters meters;
  private final LedgerStore ledgers;
  private final ProcessorContext<String, byte[]> context;

  /** One output, with everything that does not depend on data made once. */
  private record Output(
      int chargeId,
      Share share,
      Map<Integer, Long> costs,
      HistogramMechanism mechanism,
      Guarantee guarantee) {}

  Releaser(
      Plan plan,
      Deployment deployment,
      Identity identity,
      LedgerStore ledgers,
      ProcessorContext<String, byte[]> context) {
    this.pipeline = plan.pipeline();
    this.identity = identity;
    this.noiseKey = deployment.noiseKey();
    this.meters = deployment.meters();
    this.ledgers = ledgers;
    this.context = context;
    for (PlannedRelease planned : plan.releases()) {
      HistogramMechanism mechanism = planned.plan().mechanism();
      Share share = planned.plan().share();
      int id = identity.charges().indexOf(mechanism.charge().mechanism());
      Map<Integer, Long> costs = Map.of(id, share.cost(mechanism.charge()));
      outputs.add(new Output(id, share, costs, mechanism, guarantee(planned)));
    }
  }

  /**
   * Publishes every output of a dataset, or its refusal.
   *
   * @param timestamp Kafka timestamp of what is published
   */
  void release(Dataset dataset, long timestamp) {
    for (Output output : outputs) {
      release(output, dataset, timestamp);
    }
  }

  private void release(Output output, Dataset dataset, long timestamp) {
    long start = dataset.key().windowStart();
    String subject = dataset.key().subject();
    LedgerStore.Key key =
        new LedgerStore.Key(
            pipeline.budget().period().indexOf(start), output.share().name(), subject);
    LedgerStore.Entry entry = ledgers.get(key);
    if (entry.status() == LedgerStore.Status.EXHAUSTED) {
      meters.silent(output.share().name());
    } else if (output.share().admits(entry.ledger(), output.costs(), output.chargeId())) {
      // The charge stands before the draw, both in this transaction.
      ledgers.put(
          key, new LedgerStore.Entry(entry.ledger().plus(output.chargeId()), entry.status()));
      draw(output, dataset, timestamp);
    } else {
      refuse(output, key, entry, dataset, timestamp);
    }
  }

  private void draw(Output output, Dataset dataset, long timestamp) {
    long start = dataset.key().windowStart();
    String subject = dataset.key().subject();
    Histogram histogram = dataset.histogram();
    ReleaseId id =
        new ReleaseId(
            pipeline.budget().name(),
            identity.incarnation(),
            pipeline.version(),
            output.share().name(),
            subject,
            start,
            0);
    Framing input = new Framing();
    output.mechanism().frame(histogram, input);
    HistogramRelease drawn =
        output.mechanism().release(histogram, noiseKey.forRelease(id, input.digest()));
    DirichletRelease release =
        DirichletRelease.newBuilder()
            .setReleaseId(id.text())
            .setPipeline(pipeline.name())
            .setOutput(output.share().name())
            .setSubject(subject)
            .setWindowStart(Instant.ofEpochMilli(start))
            .setWindowEnd(Instant.ofEpochMilli(pipeline.window().endOf(start)))
            .setRecords(histogram.size())
            .setCategories(pipeline.input().allCategories())
            .setProbabilities(probabilities(drawn))
            .setCounts(counts(drawn))
            .setGuarantee(output.guarantee())
            .build();
    Headers headers = headers();
    headers.add(Names.RELEASE_ID_HEADER, id.text().getBytes(StandardCharsets.UTF_8));
    context.forward(
        new Record<>(subject, Outputs.encode(release), timestamp, headers), output.share().name());
    meters.released(output.share().name());
  }

  private static List<Double> probabilities(HistogramRelease drawn) {
    List<Double> probabilities = new ArrayList<>();
    if (drawn instanceof Distribution distribution) {
      for (int i = 0; i < distribution.categories(); i++) {
        probabilities.add(distribution.share(i));
      }
    }
    return probabilities;
  }

  private static List<Long> counts(HistogramRelease drawn) {
    List<Long> counts = new ArrayList<>();
    if (drawn instanceof ItemCounts items) {
      for (int i = 0; i < items.categories(); i++) {
        counts.add(items.count(i));
      }
    }
    return counts;
  }

  private void refuse(
      Output output,
      LedgerStore.Key key,
      LedgerStore.Entry entry,
      Dataset dataset,
      long timestamp) {
    RefusalCode code = RefusalCode.PERIOD_SPENT;
    if (pipeline.budget().period() instanceof Period.Lifetime) {
      // Nothing of this output will ever fit again: say so once.
      code = RefusalCode.EXHAUSTED;
      ledgers.put(key, new LedgerStore.Entry(entry.ledger(), LedgerStore.Status.EXHAUSTED));
    }
    long start = dataset.key().windowStart();
    Refusal refusal =
        Refusal.newBuilder()
            .setPipeline(pipeline.name())
            .setOutput(output.share().name())
            .setSubject(dataset.key().subject())
            .setWindowStart(Instant.ofEpochMilli(start))
            .setWindowEnd(Instant.ofEpochMilli(pipeline.window().endOf(start)))
            .setCode(code)
            .setPipelineVersion(pipeline.version())
            .build();
    context.forward(
        new Record<>(dataset.key().subject(), Outputs.encode(refusal), timestamp, headers()),
        Names.REFUSALS);
    meters.refused(output.share().name(), code.name());
  }

  private Headers headers() {
    Headers headers = new RecordHeaders();
    headers.add(
        Names.VERSION_HEADER,
        Integer.toString(pipeline.version()).getBytes(StandardCharsets.UTF_8));
    return headers;
  }

  private Guarantee guarantee(PlannedRelease planned) {
    Share share = planned.plan().share();
    Charge charge = planned.plan().mechanism().charge();
    double order = planned.plan().reportedOrder();
    return Guarantee.newBuilder()
        .setUnit(charge.unit().word())
        .setAdjacency("one record's category is replaced; its key, time and existence are public")
        .setClock(pipeline.window().clock().name().toLowerCase(Locale.ROOT))
        .setPeriod(pipeline.budget().period().word())
        .setMechanism(charge.mechanism())
        .setAdmission(share.counting().words())
        .setRenyiOrder(order)
        .setRenyiEpsilon(charge.curve().at(order))
        .setEpsilon(share.epsilon().value().doubleValue())
        .setDelta(share.delta().value().doubleValue())
        .setBudget(pipeline.budget().name())
        .setPipelineVersion(pipeline.version())
        .setNoiseKey(noiseKey.tag())
        .build();
  }
}
