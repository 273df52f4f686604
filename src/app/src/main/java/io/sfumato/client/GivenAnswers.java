// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.modeller.Posterior;
import io.sfumato.release.abc.AbcSpec;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.schema.AbcDecision;
import io.sfumato.schema.AbcWeight;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.avro.generic.IndexedRecord;

/** The answers that a query has been given, as its output's topic holds them. */
final class GivenAnswers {
  private final Query query;
  private final Map<Integer, Answer> byCandidate = new TreeMap<>();
  private final Set<Instant> windows = new TreeSet<>();

  /**
   * Which answers.
   *
   * @param spec output that answered
   * @param id of the query
   * @param window start; any if there is but one
   */
  record Query(AbcSpec spec, String subject, String id, Optional<Instant> window) {}

  /** One candidate's weight, 0 to 1, and its parameters. */
  record Answer(double weight, List<Double> parameters) {
    double[] theta() {
      return parameters.stream().mapToDouble(Double::doubleValue).toArray();
    }
  }

  private GivenAnswers(Query query) {
    this.query = query;
  }

  /**
   * Reads them.
   *
   * @throws RefusedException if there is none, or they are of several windows
   */
  static GivenAnswers read(Query query, KafkaSettings settings) throws RefusedException {
    GivenAnswers answers = new GivenAnswers(query);
    PublishedOutputs.read(settings, List.of(query.spec().topic()), answers::take);
    if (answers.byCandidate.isEmpty()) {
      throw new RefusedException(
          ExitCode.FAILED,
          "topic %s has no answer to query '%s' of %s about %s yet"
              .formatted(query.spec().topic(), query.id(), query.spec().name(), query.subject()));
    }
    if (answers.windows.size() > 1) {
      throw new RefusedException(
          ExitCode.FAILED,
          "query '%s' was asked about several windows: choose one with --window, of %s"
              .formatted(query.id(), answers.windows));
    }
    return answers;
  }

  private void take(IndexedRecord output) {
    if (output instanceof AbcDecision d
        && isAbout(d.getOutput(), d.getSubject(), d.getQueryId(), d.getWindowStart())) {
      take(
          d.getCandidate(),
          d.getWindowStart(),
          new Answer(d.getAccepted() ? 1 : 0, d.getParameters()));
    } else if (output instanceof AbcWeight w
        && isAbout(w.getOutput(), w.getSubject(), w.getQueryId(), w.getWindowStart())) {
      take(w.getCandidate(), w.getWindowStart(), new Answer(w.getWeight(), w.getParameters()));
    }
  }

  private boolean isAbout(String output, String subject, String id, Instant window) {
    return output.equals(query.spec().name())
        && subject.equals(query.subject())
        && id.equals(query.id())
        && query.window().map(window::equals).orElse(true);
  }

  private void take(int candidate, Instant window, Answer answer) {
    windows.add(window);
    byCandidate.putIfAbsent(candidate, answer);
  }

  /** By candidate, in their order. */
  Map<Integer, Answer> byCandidate() {
    return byCandidate;
  }

  /** In the order of {@link #byCandidate}. */
  Posterior posterior() {
    Posterior posterior = new Posterior();
    byCandidate.values().forEach(answer -> posterior.add(answer.theta(), answer.weight()));
    return posterior;
  }
}
