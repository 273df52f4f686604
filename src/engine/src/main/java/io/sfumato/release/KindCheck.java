// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.accounting.BudgetShare;
import io.sfumato.accounting.ShareCheck;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.SpanShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether a planned release keeps to what its file says: a library's kind may not. */
final class KindCheck {
  private KindCheck() {}

  /** What is wrong, in words; empty if nothing is. */
  static List<String> problems(Pipeline pipeline, PlannedRelease planned) {
    List<String> problems = new ArrayList<>();
    ReleaseSpec spec = planned.spec();
    ReleaseSpec.ShareSpec given = spec.share();
    BudgetShare share = planned.share();
    if (!share.name().equals(given.ledger())
        || share.epsilon().compareTo(given.epsilon()) != 0
        || share.delta().value().compareTo(given.delta().value()) != 0) {
      problems.add(
          "release '%s': its kind plans with the share '%s' of epsilon %s and delta %s, the file gives it '%s' of epsilon %s and delta %s"
              .formatted(
                  spec.name(),
                  share.name(),
                  share.epsilon(),
                  share.delta(),
                  given.ledger(),
                  given.epsilon(),
                  given.delta()));
    }
    if (!ShareCheck.isKept(share, planned.charge(), planned.deltaBesides())) {
      problems.add(
          "release '%s': its kind plans a share that admits more than epsilon %s and delta %s"
              .formatted(spec.name(), share.epsilon(), share.delta()));
    }
    OutputSizes.problem(pipeline, planned).ifPresent(problems::add);
    SpanShare.of(pipeline, spec)
        .flatMap(span -> tooMany(span, pipeline, planned))
        .ifPresent(problems::add);
    boolean remembers = planned.sampler(pipeline).map(ReleaseSampler::remembers).orElse(false);
    if (remembers != spec.remembers()) {
      problems.add(
          "release '%s': a sampler with a memory belongs to a release that says so, or that is about several windows ('remembers', 'windowsCounted')"
              .formatted(spec.name()));
    }
    return problems;
  }

  /** What is charged in a span without anybody's ledger is no more than the share affords. */
  private static Optional<String> tooMany(
      SpanShare span, Pipeline pipeline, PlannedRelease planned) {
    String name = planned.spec().name();
    if (span.hasLedger() && pipeline.population().isPresent()) {
      return Optional.of(
          "release '%s': its kind plans %d of the windows of a span, and of users the calendar alone says which"
              .formatted(name, planned.spec().horizon()));
    }
    long draws = planned.sampler(pipeline).map(ReleaseSampler::draws).orElse(1);
    long charges =
        switch (span.rule()) {
          case EVERY_DUE -> Math.multiplyExact(span.calendar().mostDue(), draws);
          case FIRST -> draws;
          case LEDGER -> 0;
        };
    long affords = planned.share().affords(planned.charge());
    return affords >= charges
        ? Optional.empty()
        : Optional.of(
            "release '%s': its kind plans a share that affords %d charges, and a span needs %d"
                .formatted(name, affords, charges));
  }
}
