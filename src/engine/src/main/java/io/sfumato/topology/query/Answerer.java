// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.query;

import io.sfumato.gate.Gate;
import io.sfumato.gate.Measured;
import io.sfumato.gate.Permit;
import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.abc.DistanceMeasure;
import io.sfumato.mechanism.abc.Distances;
import io.sfumato.mechanism.abc.NoisyAnswer;
import io.sfumato.mechanism.abc.NumberSums;
import io.sfumato.mechanism.abc.QueryInput;
import io.sfumato.mechanism.abc.QueryMechanism;
import io.sfumato.mechanism.abc.QueryNoise;
import io.sfumato.mechanism.abc.Question;
import io.sfumato.mechanism.abc.SparseVector.State;
import io.sfumato.mechanism.abc.Summaries;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.release.abc.AbcWriter;
import io.sfumato.release.abc.PlannedAbc;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.query.QueryStore.Given;
import io.sfumato.topology.query.QueryStore.Query;
import io.sfumato.topology.release.Publisher;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/** Draws one output's answers and writes them down. Charged queries only. */
public final class Answerer {
  private static final double[] NO_SUMMARIES = new double[0];

  private final PlannedAbc planned;
  private final Publisher publisher;
  private final Publisher.Output output;
  private final AbcWriter writer;
  private final Optional<NumberSums.Layout> sums;

  /**
   * @param sums that datasets keep for summaries
   */
  public Answerer(PlannedAbc planned, Publisher publisher, Optional<NumberSums.Layout> sums) {
    this.planned = planned;
    this.sums = sums;
    this.publisher = publisher;
    this.output = publisher.outputOf(planned);
    this.writer = new AbcWriter(planned.spec());
  }

  /**
   * An answer and its query.
   *
   * @param outcome 0 or 1 for a decision, whole steps for a weight
   */
  public record Drawn(long outcome, Query query) {}

  /**
   * Draws.
   *
   * @return nothing if the query is over
   */
  public Optional<Drawn> draw(
      Candidate candidate, Query query, Secret<Contents> contents, byte[] digest) {
    QueryMechanism mechanism = planned.plan().mechanism();
    long records = Secret.publicSize(contents, mechanism.charge().unit()).orElseThrow();
    Secret<Optional<double[]>> summaries = contents.map(this::observed);
    Secret<QueryInput> input =
        contents.with(
            summaries,
            (own, observed) ->
                mechanism.query(
                    sensitivity(records), records, query.candidates(), encoded(own, observed)));
    Gate gate = publisher.gate();
    ReleaseId id = id(candidate);
    Permit permit = Permit.reservedByQuery(id, mechanism, query.candidates());
    Optional<State> state = query.secret().or(() -> gate.start(permit, input));
    if (noise(records, query.candidates()).isOver(state)) {
      return Optional.empty();
    }
    Secret<Double> distance =
        contents.with(summaries, (own, observed) -> distance(own, observed, candidate));
    Secret<Question> question =
        input.with(distance, (asked, rho) -> new Question(asked, digest, rho, state));
    NoisyAnswer answer = gate.release(permit, id, Measured.of(mechanism, question));
    return Optional.of(
        new Drawn(
            answer.outcome(), query.answered(records, gate.after(permit, input, state, answer))));
  }

  /** Publishes an answer, the first time or again: always the same bytes. */
  public void publish(Candidate candidate, Query query, Given given) {
    ReleaseId id = id(candidate);
    AbcWriter.Asked asked =
        new AbcWriter.Asked(
            candidate.query(),
            candidate.index(),
            candidate.candidates(),
            query.records(),
            candidate.parameters());
    SpecificRecord answer =
        writer.write(
            publisher.label(output, id),
            asked,
            noise(query.records(), query.candidates()),
            given.outcome());
    publisher.publish(output, id, answer, publisher.encode(answer), given.timestamp());
  }

  private QueryNoise noise(long records, int candidates) {
    return planned.plan().mechanism().noise(sensitivity(records), candidates);
  }

  private double sensitivity(long records) {
    return planned.spec().measure().sensitivity(records);
  }

  private double distance(Contents contents, Optional<double[]> observed, Candidate candidate) {
    double[] mean = candidate.mean().stream().mapToDouble(Double::doubleValue).toArray();
    return planned
        .spec()
        .measure()
        .choose(
            new DistanceMeasure.Cases<Double, RuntimeException>() {
              @Override
              public Double features() {
                return Distances.mmd(contents.features().orElseThrow(), mean);
              }

              @Override
              public Double categories() {
                return Distances.categories(contents.histogram().orElseThrow(), mean);
              }

              @Override
              public Double summaries(Summaries summaries) {
                return summaries.distance(observed.orElseThrow(), mean);
              }
            });
  }

  /** Nothing where no summaries are measured. */
  private Optional<double[]> observed(Contents contents) {
    return planned.spec().measure() instanceof DistanceMeasure.OfSummaries of
        ? Optional.of(of.summaries().of(contents.summarised(sums.orElseThrow())))
        : Optional.empty();
  }

  /** Neither names of outputs nor query ids have a '/': no two draws share an id. */
  ReleaseId id(Candidate candidate) {
    return publisher.id(
        candidate.output() + "/" + candidate.query(),
        candidate.subject(),
        candidate.windowStart(),
        candidate.index());
  }

  /** Quantiles depend on the sample too, which other outputs leave out. */
  private static byte[] encoded(Contents contents, Optional<double[]> summaries) {
    CanonicalEncoder encoder = new CanonicalEncoder();
    contents.encodeInput(encoder);
    for (double summary : summaries.orElse(NO_SUMMARIES)) {
      encoder.number(Double.doubleToLongBits(summary));
    }
    return encoder.toBytes();
  }
}
