// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.abc.DistanceMeasure;
import io.sfumato.mechanism.abc.Summaries;
import io.sfumato.mechanism.abc.SummaryData;
import io.sfumato.modeller.Posterior;
import io.sfumato.modeller.Prior;
import io.sfumato.modeller.PseudoData;
import io.sfumato.modeller.Simulator;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import io.sfumato.release.abc.AbcSpec;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.SchemaRegistries;
import io.sfumato.schema.AbcCandidate;
import io.sfumato.schema.AbcDecision;
import io.sfumato.schema.AbcWeight;
import io.sfumato.schema.Guarantee;
import io.sfumato.schema.Refusal;
import io.sfumato.serde.ForeignBytes;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.SchemaSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.avro.generic.IndexedRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A modeller's query: draws candidates from a prior, publishes them, gathers the answers and makes
 * a posterior of them. The same query again has the same candidates, so its answers cost nothing.
 *
 * @param pipeline that is asked
 * @param spec output that answers
 * @param subject whose dataset is asked
 * @param windowStart of the dataset
 * @param model name, simulator and prior
 * @param candidates T
 * @param records of pseudo-data for each candidate
 * @param seed public
 */
public record ModelQuery(
    Pipeline pipeline,
    AbcSpec spec,
    String subject,
    long windowStart,
    Model model,
    int candidates,
    int records,
    long seed) {

  /** A simulator by its name, with the modeller's prior as written. */
  public record Model(String name, Simulator simulator, List<String> priors) {}

  /**
   * What came of a query.
   *
   * @param posterior of the candidates that were answered
   * @param prior of all candidates, for comparison
   * @param answered number of them
   * @param accepted number of them, for decisions
   * @param refusals by code
   * @param facts of the answers; none if there was no answer
   */
  public record Outcome(
      Posterior posterior,
      Posterior prior,
      int answered,
      int accepted,
      Map<String, Integer> refusals,
      Optional<Facts> facts) {}

  /** What every answer says. */
  public record Facts(long records, double threshold, double noiseScale, Guarantee guarantee) {}

  /** Names the query: the same for the same question. */
  public String id() {
    byte[] digest =
        new CanonicalEncoder()
            .text(spec.name())
            .text(subject)
            .number(windowStart)
            .text(model.name())
            .text(model.priors().toString())
            .number(candidates)
            .number(records)
            .number(seed)
            .digest();
    return "q-" + HexFormat.of().formatHex(digest, 0, 8);
  }

  /** Asks, and waits for the answers. */
  public Outcome ask(KafkaSettings settings, Duration timeout, Runnable drawn, Runnable decided)
      throws RefusedException {
    List<double[]> thetas = new ArrayList<>();
    OutputReader reader = new OutputReader(settings);
    // Whoever reads from here on misses no answer.
    var from = reader.ends(List.of(spec.topic(), pipeline.refusalsTopic()));
    reader.ends(List.of(pipeline.candidatesTopic()));
    try (EventPublisher publisher = new EventPublisher(settings)) {
      Prior prior = Prior.of(model.simulator(), model.priors());
      for (int i = 0; i < candidates; i++) {
        KeyedRandom random = KeyedRandom.ofPublicSeed(id() + " candidate " + i);
        double[] theta = prior.draw(random);
        thetas.add(theta);
        publisher.event(
            pipeline.candidatesTopic(), subject, Outputs.encode(candidate(i, theta, random)));
        drawn.run();
      }
      publisher.flush();
    }
    Gathering gathering = new Gathering(SchemaRegistries.of(settings), decided);
    long deadline = System.nanoTime() + timeout.toNanos();
    reader.readFrom(
        from,
        () -> gathering.decisions.size() < candidates && System.nanoTime() < deadline,
        gathering::accept);
    return gathering.outcome(thetas);
  }

  private AbcCandidate candidate(int index, double[] theta, KeyedRandom random)
      throws RefusedException {
    AbcCandidate.Builder candidate =
        AbcCandidate.newBuilder()
            .setOutput(spec.name())
            .setQueryId(id())
            .setCandidate(index)
            .setCandidates(candidates)
            .setSubject(subject)
            .setWindowStart(Instant.ofEpochMilli(windowStart))
            .setParameters(Arrays.stream(theta).boxed().toList());
    PseudoData data = model.simulator().simulate(theta, records, random);
    if (data instanceof PseudoData.Counts counts
        && spec.measure() instanceof DistanceMeasure.Categories) {
      return candidate.setCounts(Arrays.stream(counts.byCategory()).boxed().toList()).build();
    }
    return candidate
        .setMean(
            numbers(data)
                .map(numbers -> Arrays.stream(numbers).boxed().toList())
                .orElseThrow(this::unfit))
        .build();
  }

  /** What pseudo-data come to, as the output measures them; nothing if it cannot. */
  private Optional<double[]> numbers(PseudoData data) {
    int dimensions = pipeline.input().values().size();
    Optional<double[][]> rows =
        data instanceof PseudoData.Numbers numbers && numbers.dimensions() == dimensions
            ? Optional.of(numbers.rows())
            : Optional.empty();
    return spec.measure()
        .choose(
            new DistanceMeasure.Cases<Optional<double[]>, RuntimeException>() {
              @Override
              public Optional<double[]> features() {
                return rows.map(
                    all -> pipeline.features().orElseThrow().features(dimensions).mean(all));
              }

              @Override
              public Optional<double[]> categories() {
                return Optional.empty();
              }

              @Override
              public Optional<double[]> summaries(Summaries summaries) {
                Optional<Histogram> counts =
                    data instanceof PseudoData.Counts counted
                        ? Optional.of(new Histogram(counted.byCategory()))
                        : Optional.empty();
                boolean fits =
                    rows.isPresent() == summaries.needNumbers()
                        && counts.isPresent() == summaries.needCategories();
                return fits
                    ? Optional.of(
                        summaries.of(
                            SummaryData.pseudo(
                                pipeline.sums().orElseThrow(),
                                rows.map(List::of).orElse(List.of()),
                                counts)))
                    : Optional.empty();
              }
            });
  }

  private RefusedException unfit() {
    return new RefusedException(
        ExitCode.REFUSED_FILE,
        "the pseudo-data of '%s' does not fit: output '%s' measures the distance of %s"
            .formatted(
                model.name(),
                spec.name(),
                spec.measure() instanceof DistanceMeasure.Features
                    ? pipeline.input().values().size() + " numbers a record"
                    : spec.measure().word()));
  }

  /** Takes answers and refusals of this query as they come. */
  private final class Gathering {
    private final SchemaSource schemas;
    private final Runnable decided;
    private final Map<Integer, Double> decisions = new TreeMap<>();
    private final Map<String, Integer> refusals = new TreeMap<>();
    private int answered;
    private int accepted;
    private Optional<Facts> facts = Optional.empty();

    Gathering(SchemaSource schemas, Runnable decided) {
      this.schemas = schemas;
      this.decided = decided;
    }

    boolean accept(ConsumerRecord<byte[], byte[]> record) {
      // Another writer's record answers nothing.
      return ForeignBytes.ifReadable(() -> accept(Outputs.decodeAny(record.value(), schemas)))
          .orElse(true);
    }

    private boolean accept(IndexedRecord output) {
      if (output instanceof AbcDecision d
          && isOfThisQuery(d.getOutput(), d.getSubject(), d.getQueryId())) {
        Facts said =
            new Facts(d.getRecords(), d.getThreshold(), d.getNoiseScale(), d.getGuarantee());
        answer(d.getCandidate(), d.getAccepted() ? 1 : 0, said);
      } else if (output instanceof AbcWeight w
          && isOfThisQuery(w.getOutput(), w.getSubject(), w.getQueryId())) {
        Facts said =
            new Facts(w.getRecords(), w.getThreshold(), w.getNoiseScale(), w.getGuarantee());
        answer(w.getCandidate(), w.getWeight(), said);
      } else if (output instanceof Refusal r
          && r.getQueryId() != null
          && isOfThisQuery(r.getOutput(), r.getSubject(), r.getQueryId())
          && decisions.putIfAbsent(r.getCandidate(), Double.NaN) == null) {
        refusals.merge(r.getCode().name(), 1, Integer::sum);
        decided.run();
      }
      return decisions.size() < candidates;
    }

    private boolean isOfThisQuery(String output, String about, String query) {
      return output.equals(spec.name()) && about.equals(subject) && query.equals(id());
    }

    private void answer(int candidate, double weight, Facts said) {
      if (decisions.putIfAbsent(candidate, weight) == null) {
        answered++;
        accepted += weight == 1 ? 1 : 0;
        facts = Optional.of(said);
        decided.run();
      }
    }

    Outcome outcome(List<double[]> thetas) {
      Posterior prior = new Posterior();
      Posterior posterior = new Posterior();
      IntStream.range(0, thetas.size())
          .forEach(
              i -> {
                prior.add(thetas.get(i), 1);
                double weight = decisions.getOrDefault(i, Double.NaN);
                if (!Double.isNaN(weight)) {
                  posterior.add(thetas.get(i), weight);
                }
              });
      return new Outcome(posterior, prior, answered, accepted, refusals, facts);
    }
  }
}
