// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.audit.AuditLog.Entry;
import io.sfumato.gate.Draw;
import io.sfumato.gate.NoiseKey;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.StateEpoch;
import io.sfumato.mechanism.ExactData;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.release.Plan;
import io.sfumato.serde.TickHeader;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.HeldReleases;
import io.sfumato.topology.context.PipelineMeters;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Runs a pipeline's own topology over logs, in this process and without a broker: one source
 * partition, always with the same noise key and state epoch. Where a version takes over in the
 * middle of a log, its program begins with what the former one left.
 */
final class Replay {
  /** Anybody may know it: what is drawn here is of nobody. */
  static final NoiseKey KEY =
      NoiseSecret.parse("5361796e6f206d6f72652e204175646974732061726520616c6c206d61646575")
          .derive();

  private static final StateEpoch ALWAYS = new StateEpoch(7, 7);

  private static final int LOOKED_AT = 40;

  private final Versions versions;
  private final Path folder;
  private final TickHeader ticks;
  private final MadeUpSchemas schemas = new MadeUpSchemas();

  private long runs;

  /**
   * @param folder for the stores of the runs, each of which leaves nothing behind
   */
  Replay(Plan plan, Path folder) {
    this(Versions.of(plan), folder);
  }

  /**
   * @param folder for the stores of the runs, each of which leaves nothing behind
   */
  Replay(Versions versions, Path folder) {
    this.versions = versions;
    this.folder = folder;
    this.ticks = TickHeader.signedBy(KEY.tickKey(versions.last().pipeline().budget().name()));
  }

  MadeUpSchemas schemas() {
    return schemas;
  }

  /** Runs so far. */
  long runs() {
    return runs;
  }

  /** Runs a pipeline of one version from its beginning to the end of a log. */
  Run run(AuditLog log, SliceSchedule cuts) {
    return run(log, cuts, ALWAYS);
  }

  /** The same in any state epoch: another one has other noise. */
  Run run(AuditLog log, SliceSchedule cuts, StateEpoch epoch) {
    return programs(log, cuts, epoch).get(0);
  }

  /** Runs of all versions, in their order: fewer if one of them stops. */
  List<Run> programs(AuditLog log, SliceSchedule cuts) {
    return programs(log, cuts, ALWAYS);
  }

  private List<Run> programs(AuditLog log, SliceSchedule cuts, StateEpoch epoch) {
    runs++;
    List<Run> done = new ArrayList<>();
    Set<String> known = new HashSet<>();
    ProgramRun.Left left = ProgramRun.Left.NOTHING;
    for (Plan plan : versions.plans()) {
      boolean isLast = done.size() == versions.plans().size() - 1;
      int to = isLast ? log.entries().size() : log.takeover().orElseThrow().entry();
      Draws draws = new Draws(known);
      List<Entry> entries = log.entries().subList(left.place(), to);
      Outcome outcome = run(plan, deployment(plan, cuts, epoch, draws, left), entries, cuts, left);
      done.add(
          new Run(
              outcome.outputs(),
              draws.byId,
              draws.twice,
              draws.elsewhere,
              outcome.stopped().isPresent()
                  ? List.of()
                  : List.copyOf(outcome.left().ledgers().values()),
              outcome.stopped()));
      if (outcome.stopped().isPresent()) {
        return done;
      }
      left = outcome.left();
    }
    return done;
  }

  /** What a program wrote, and what it left or why it stopped. */
  private record Outcome(
      Map<String, List<Run.Published>> outputs, ProgramRun.Left left, Optional<Run.Stop> stopped) {}

  private Outcome run(
      Plan plan,
      Deployment deployment,
      List<Entry> entries,
      SliceSchedule cuts,
      ProgramRun.Left before) {
    try (ProgramRun program = new ProgramRun(plan, deployment, ticks, folder, before)) {
      try {
        program.feed(entries, cuts);
        return new Outcome(program.outputs(), program.left(), Optional.empty());
      } catch (RuntimeException e) {
        return new Outcome(program.outputs(), before, Optional.of(stop(program.place(), e)));
      }
    } catch (RuntimeException e) {
      // Of a version that cannot take over.
      return new Outcome(Map.of(), before, Optional.of(stop(before.place(), e)));
    }
  }

  private static Run.Stop stop(int entry, RuntimeException e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return new Run.Stop(entry, cause.getClass().getSimpleName() + ": " + cause.getMessage());
  }

  private Deployment deployment(
      Plan plan, SliceSchedule cuts, StateEpoch epoch, Draws draws, ProgramRun.Left left) {
    return new Deployment(
            Versions.topics(plan),
            KEY,
            PipelineMeters.none(),
            Deployment.JumpPolicy.STOP,
            new HeldReleases(),
            schemas,
            () -> epoch)
        .watchedBy(draws::take, () -> cuts, left.stores());
  }

  /** Draws of one program. */
  private static final class Draws {
    private final Set<String> known;
    private final Map<String, Draw<?>> byId = new LinkedHashMap<>();
    private final List<String> twice = new ArrayList<>();
    private final List<String> elsewhere = new ArrayList<>();

    /**
     * @param known ids of all programs of a run
     */
    Draws(Set<String> known) {
      this.known = known;
    }

    void take(Draw<?> draw, CanonicalEncoder input) {
      String id = draw.id().text();
      byId.put(id, draw);
      if (!known.add(id)) {
        twice.add(id);
      }
      if (byId.size() <= LOOKED_AT && !isOfItsLaw(draw, input)) {
        elsewhere.add(id);
      }
    }
  }

  /**
   * One topic, which stands for all of the pipeline's: a log in which all records have one order.
   */
  static String recordsTopic(Pipeline pipeline) {
    return pipeline.input().topics().names().stream().findFirst().orElse("records");
  }

  /** Whether the randomness follows from the exact input and the mechanism that a draw shows. */
  private static <D extends ExactData> boolean isOfItsLaw(Draw<D> draw, CanonicalEncoder input) {
    return Arrays.equals(ExactLoss.encoded(draw), input.digest());
  }
}
