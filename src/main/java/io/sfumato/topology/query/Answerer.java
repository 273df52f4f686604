// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.query;

import io.sfumato.mechanism.abc.Distances;
import io.sfumato.mechanism.abc.Measure;
import io.sfumato.mechanism.abc.QueryNoise;
import io.sfumato.mechanism.abc.RejectionCoin;
import io.sfumato.mechanism.abc.SoftWeights;
import io.sfumato.mechanism.abc.SparseVector;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReleaseId;
import io.sfumato.noise.ReplayableRandom;
import io.sfumato.pipeline.Draw;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.abc.AbcSpec;
import io.sfumato.release.abc.AnswerDraw;
import io.sfumato.release.abc.PlannedQueries;
import io.sfumato.schema.AbcDecision;
import io.sfumato.schema.AbcWeight;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.query.QueryStore.Given;
import io.sfumato.topology.query.QueryStore.Query;
import io.sfumato.topology.release.Publisher;
import java.time.Instant;
import java.util.Optional;

/** Draws one output's answers and writes them down. Charged queries only. */
public final class Answerer {
  private final Pipeline pipeline;
  private final PlannedQueries planned;
  private final Publisher publisher;
  private final Publisher.Output output;
  private final String mechanism;

  public Answerer(Pipeline pipeline, PlannedQueries planned, Publisher publisher) {
    this.pipeline = pipeline;
    this.planned = planned;
    this.publisher = publisher;
    this.output = publisher.outputOf(planned);
    this.mechanism = planned.charge().mechanism();
  }

  /**
   * An answer and the query behind it.
   *
   * @param outcome 0 or 1 for a decision, whole steps for a weight
   */
  public record Drawn(long outcome, Query query) {}

  /**
   * Draws.
   *
   * @return nothing if the query is over
   */
  public Optional<Drawn> draw(Candidate candidate, Query query, Contents contents, byte[] digest) {
    long records = contents.size();
    QueryNoise answering = answering(records, query.candidates());
    double rho = distance(contents, candidate);
    ReplayableRandom random =
        publisher.randomness(
            id(candidate), input(answering, records, query).bytes(digest).bytes(framed(contents)));
    Draw told =
        new AnswerDraw(id(candidate), answering, sensitivity(records), query.candidates(), rho);
    if (answering instanceof RejectionCoin coin) {
      publisher.show(told);
      long accepted = coin.accept(rho, random) ? 1 : 0;
      return Optional.of(new Drawn(accepted, query.answered(records, Optional.empty())));
    }
    if (answering instanceof SoftWeights weights) {
      publisher.show(told);
      long steps = weights.draw(rho, random);
      return Optional.of(new Drawn(steps, query.answered(records, Optional.empty())));
    }
    SparseVector vector = (SparseVector) answering;
    SparseVector.State state =
        query
            .secret()
            .orElseGet(() -> vector.start(threshold(vector, candidate, query, contents, 0)));
    if (vector.isOver(state)) {
      return Optional.empty();
    }
    publisher.show(told);
    SparseVector.Answer answer =
        vector.answer(
            state,
            rho,
            random,
            threshold(vector, candidate, query, contents, state.accepted() + 1));
    return Optional.of(
        new Drawn(answer.accepted() ? 1 : 0, query.answered(records, Optional.of(answer.next()))));
  }

  /** Publishes an answer, the first time or again: always the same bytes. */
  public void publish(Candidate candidate, Query query, Given given) {
    QueryNoise answering = answering(query.records(), query.candidates());
    byte[] value =
        answering instanceof SoftWeights weights
            ? publisher.encode(weight(candidate, query, weights, given.outcome()))
            : publisher.encode(decision(candidate, query, answering.scale(), given.outcome() == 1));
    publisher.publish(output, id(candidate), value, given.timestamp());
  }

  private QueryNoise answering(long records, int candidates) {
    return planned.plan().mechanism().answering(sensitivity(records), candidates);
  }

  private double sensitivity(long records) {
    return planned.spec().measure().sensitivity(records);
  }

  private double distance(Contents contents, Candidate candidate) {
    double[] mean = candidate.mean().stream().mapToDouble(Double::doubleValue).toArray();
    Measure measure = planned.spec().measure();
    return switch (measure) {
      case FEATURES -> Distances.mmd(contents.features().orElseThrow(), mean);
      case CATEGORIES -> Distances.categories(contents.histogram().orElseThrow(), mean);
    };
  }

  public ReleaseId id(Candidate candidate) {
    return id(candidate, "", candidate.index());
  }

  /** Neither names of outputs nor query ids have a '/': no two draws share an id. */
  private ReleaseId id(Candidate candidate, String suffix, int index) {
    return publisher.id(
        candidate.output() + "/" + candidate.query() + suffix,
        candidate.subject(),
        candidate.windowStart(),
        index);
  }

  /** The threshold's randomness depends on the query, and on how many were accepted so far. */
  private ReplayableRandom threshold(
      SparseVector vector, Candidate candidate, Query query, Contents contents, long accepted) {
    return publisher.randomness(
        id(candidate, "/threshold", Math.toIntExact(accepted)),
        input(vector, contents.size(), query).bytes(framed(contents)));
  }

  private Framing input(QueryNoise answering, long records, Query query) {
    Framing framing = new Framing().text(mechanism).number(records).number(query.candidates());
    answering.frame(framing);
    return framing;
  }

  private static byte[] framed(Contents contents) {
    Framing framing = new Framing();
    contents.frame(framing);
    return framing.toBytes();
  }

  private AbcDecision decision(Candidate candidate, Query query, double scale, boolean accepted) {
    AbcSpec spec = planned.spec();
    return AbcDecision.newBuilder()
        .setReleaseId(id(candidate).text())
        .setPipeline(pipeline.name())
        .setOutput(spec.name())
        .setQueryId(candidate.query())
        .setCandidate(candidate.index())
        .setCandidates(candidate.candidates())
        .setSubject(candidate.subject())
        .setWindowStart(Instant.ofEpochMilli(candidate.windowStart()))
        .setWindowEnd(Instant.ofEpochMilli(pipeline.window().endOf(candidate.windowStart())))
        .setRecords(query.records())
        .setParameters(candidate.parameters())
        .setThreshold(spec.threshold())
        .setNoiseScale(scale)
        .setAccepted(accepted)
        .setGuarantee(output.guarantee())
        .build();
  }

  private AbcWeight weight(Candidate candidate, Query query, SoftWeights weights, long steps) {
    AbcSpec spec = planned.spec();
    return AbcWeight.newBuilder()
        .setReleaseId(id(candidate).text())
        .setPipeline(pipeline.name())
        .setOutput(spec.name())
        .setQueryId(candidate.query())
        .setCandidate(candidate.index())
        .setCandidates(candidate.candidates())
        .setSubject(candidate.subject())
        .setWindowStart(Instant.ofEpochMilli(candidate.windowStart()))
        .setWindowEnd(Instant.ofEpochMilli(pipeline.window().endOf(candidate.windowStart())))
        .setRecords(query.records())
        .setParameters(candidate.parameters())
        .setThreshold(spec.threshold())
        .setNoiseScale(weights.scale())
        .setNoisyDistance(weights.distance(steps))
        .setWeight(weights.weight(steps))
        .setGuarantee(output.guarantee())
        .build();
  }
}
