// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.gate.Gate;
import io.sfumato.gate.Measured;
import io.sfumato.gate.Memory;
import io.sfumato.gate.Permit;
import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.Secret;
import io.sfumato.gate.StateEpoch;
import io.sfumato.mechanism.ExactData;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.ReleasedData;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.WindowData;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import io.sfumato.release.Plan;
import io.sfumato.schema.Refusal;
import io.sfumato.schema.RefusalCode;
import io.sfumato.serde.Outputs;
import io.sfumato.topology.budget.Charger;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.ReleaseFailedException;
import io.sfumato.topology.dataset.Contents;
import io.sfumato.topology.dataset.Dataset;
import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.release.DrawMemory;
import io.sfumato.topology.release.PartitionContext;
import io.sfumato.topology.release.Publisher;
import io.sfumato.topology.release.Refusals;
import io.sfumato.topology.release.ReleaseSchedule;
import io.sfumato.topology.release.Releaser;
import io.sfumato.topology.release.SkippedReleases;
import io.sfumato.topology.store.StagedWrites;
import io.sfumato.topology.version.MetaStore;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.junit.jupiter.api.Test;

/** One output of one closed window: what is done, in which order, and what is not done. */
class ReleaserTest {
  /** The second output is drawn once in three windows. */
  private static final Plan PLAN =
      Fixture.plan(
          """
          pipeline: test
          input: { topic: in, subject: who, time: at, category: what, categories: [a, b], values: [x] }
          window: { size: 10s, clock: ticks, begin: 2026-06-01 }
          budget: { name: test, unit: record, epsilon: 200, delta: 1e-6, period: 30s }
          releases:
            - histogram: { name: mix, method: laplace, share: { epsilon: 1, delta: 1e-6 }, windows: 3 }
            - bounds: { name: range, value: x, share: { epsilon: 100 } }
          """);

  private static final Plan LIFETIME = spans("lifetime");

  private static Plan spans(String period) {
    return Fixture.plan(
        """
        pipeline: test
        input: { topic: in, subject: who, time: at, category: what, categories: [a, b] }
        window: { size: 10s, clock: ticks, begin: 2026-06-01 }
        budget: { name: test, unit: record, epsilon: 2, delta: 1e-6, period: %s }
        releases:
          - histogram: { name: mix, method: laplace, share: { epsilon: 1, delta: 1e-6 }%s }
        """
            .formatted(period, period.equals("lifetime") ? ", windows: 3" : ""));
  }

  /** Everything that was done, in its order. */
  private final List<String> done = new ArrayList<>();

  private final PipelineMeters meters =
      new PipelineMeters() {
        @Override
        public void silent(String output) {
          done.add("silent " + output);
        }

        @Override
        public void learnerFailed(String output, int times) {
          done.add("learner of " + output + " failed " + times);
        }
      };

  private final Deployment deployment =
      Fixture.deployment(1, meters)
          .watchedBy(
              (draw, input) -> done.add("shown " + draw.id().index()),
              () -> {
                throw new AssertionError("nothing is sliced here");
              });

  private final MockProcessorContext<String, byte[]> context = new MockProcessorContext<>();
  private final MetaStore meta = new MetaStore(new StagedWrites(new WornStore("meta")));
  private final SkippedReleases skips = new SkippedReleases(deployment, meta, 0);
  private final StagedWrites memories = new StagedWrites(new WornStore("memories"));
  private final DrawMemory own = new DrawMemory(memories, "own", true);
  private final DrawMemory first = new DrawMemory(memories, "first", false);
  private final DrawMemory second = new DrawMemory(memories, "second", false);

  /** What the next charges come to; all others stand. */
  private final Deque<Charger.Verdict> verdicts = new ArrayDeque<>();

  private final Charger charger =
      new Charger() {
        @Override
        public Outcome charge(ReleaseId id) {
          done.add("charged " + id.subject() + "@" + (id.windowStart() - NOW));
          Verdict verdict = verdicts.isEmpty() ? Verdict.CHARGED : verdicts.remove();
          return new Outcome(
              verdict,
              verdict == Verdict.CHARGED
                  ? Optional.of(Permit.ofMadeUpData(id, told))
                  : Optional.empty());
        }

        @Override
        public boolean reserve(String subject, long windowStart) {
          throw new AssertionError("no query");
        }

        @Override
        public void handBack(String subject, long windowStart) {
          throw new AssertionError();
        }

        @Override
        public void announced(String subject, long windowStart) {
          done.add("announced " + subject + "@" + (windowStart - NOW));
        }
      };

  private record Number(long value) implements ExactData {}

  private record Drawn(long value) implements ReleasedData {}

  /** A mechanism whose exact input is a number, and whose draws tell the randomness itself. */
  private final class Told implements ReleaseSampler, Mechanism<Number, ReleaserTest.Drawn> {
    private long exact;
    private int draws = 1;
    private int parts = 1;
    private int failures;
    private Optional<Memory> left = Optional.empty();
    private Throwable defect;

    @Override
    public int draws() {
      return draws;
    }

    @Override
    public ReleaseSampler going(List<Memory> found) {
      found.forEach(memory -> done.add("by " + Arrays.toString(memory.stored())));
      return this;
    }

    @Override
    public Prepared prepare(long windowStart, Secret<? extends WindowData> data, Memory memory) {
      done.add("prepared" + (memory.isEmpty() ? "" : " from " + Arrays.toString(memory.stored())));
      return Prepared.of(Measured.of(this, Secret.of(new Number(exact))), this::written);
    }

    @Override
    public String method() {
      return "told";
    }

    @Override
    public PrivacyCost charge() {
      throw new AssertionError("charged by its permit");
    }

    @Override
    public Map<String, Double> parameters() {
      return Map.of();
    }

    @Override
    public OutputDistribution<ReleaserTest.Drawn> distribution(Number dataset) {
      return new OutputDistribution<>() {
        @Override
        public void encodeInput(CanonicalEncoder encoder) {
          encoder.number(dataset.value());
        }

        @Override
        public ReleaserTest.Drawn draw(KeyedRandom random) {
          done.add("drawn");
          if (defect instanceof Error error) {
            throw error;
          }
          if (defect instanceof RuntimeException exception) {
            throw exception;
          }
          return new ReleaserTest.Drawn(random.nextLong());
        }

        @Override
        public int failures() {
          return failures;
        }
      };
    }

    private ReleaseSampler.Drawn written(OutputLabel of, ReleaserTest.Drawn drawn) {
      List<Part> all =
          IntStream.range(0, parts)
              .<Part>mapToObj(part -> label -> output(label, drawn.value(), part))
              .toList();
      return new ReleaseSampler.Drawn(all, left);
    }
  }

  /** Any record would do. */
  private static SpecificRecord output(OutputLabel label, long drawn, int part) {
    return Refusal.newBuilder()
        .setPipeline("part " + part)
        .setOutput(label.id().text())
        .setSubject(Long.toString(drawn))
        .setWindowStart(Instant.EPOCH)
        .setWindowEnd(Instant.EPOCH)
        .setCode(RefusalCode.OTHER)
        .setPipelineVersion(1)
        .build();
  }

  private final Told told = new Told();

  private Releaser releaser(Plan plan, String output, DrawMemory... read) {
    return releaser(
        plan, output, Optional.of(new Refusals(plan.pipeline(), deployment, context)), read);
  }

  private Releaser releaser(
      Plan plan, String output, Optional<Refusals> refusals, DrawMemory... read) {
    PlannedRelease planned =
        plan.releases().stream()
            .filter(r -> r.spec().name().equals(output))
            .findFirst()
            .orElseThrow();
    Publisher publisher =
        new Publisher(plan.pipeline(), deployment, () -> new StateEpoch(7, 7), context);
    return new Releaser(
        new PartitionContext(
            plan, deployment, publisher, new Refusals(plan.pipeline(), deployment, context), skips),
        publisher.outputOf(planned),
        new ReleaseSchedule(plan.pipeline(), planned.spec()),
        charger,
        told,
        new Releaser.Memories(Optional.of(own), List.of(read)),
        refusals);
  }

  private static Dataset ann(int window) {
    return new Dataset(key(window), new Contents.Layout(PLAN.pipeline()).empty());
  }

  private static Key key(int window) {
    return new Key(NOW + window * 10_000, "ann");
  }

  private static ReleaseId id(String output, int window, int index) {
    return new ReleaseId(
        "test", new StateEpoch(7, 7), 1, output, "ann", key(window).windowStart(), index);
  }

  /** What was published, and codes of refusals. */
  private List<String> left() {
    List<String> left =
        context.forwarded().stream()
            .map(
                forward -> {
                  Refusal value = Outputs.decodeRefusal(forward.record().value());
                  return forward.childName().equals(Optional.of(Names.REFUSALS))
                      ? value.getOutput() + " " + value.getCode()
                      : value.getPipeline()
                          + " of "
                          + value.getOutput()
                          + ": "
                          + value.getSubject();
                })
            .toList();
    context.resetForwards();
    return left;
  }

  private long noise(ReleaseId id, long exact) {
    Told other = new Told();
    long drawn =
        new Gate(deployment.noiseKey())
            .release(
                Permit.ofMadeUpData(id, other),
                id,
                Measured.of(other, Secret.of(new Number(exact))))
            .value();
    done.remove(done.size() - 1);
    return drawn;
  }

  @Test
  void everyDrawIsChargedBeforeItIsMade() {
    told.draws = 2;
    releaser(PLAN, "mix").release(ann(1), 5);
    assertThat(done)
        .containsExactly(
            "charged ann@10000",
            "prepared",
            "shown 0",
            "drawn",
            "charged ann@10000",
            "shown 1",
            "drawn");
    assertThat(context.forwarded())
        .allSatisfy(forward -> assertThat(forward.record().timestamp()).isEqualTo(5))
        .hasSize(2);
  }

  /** The same noise on another input would show by how much they differ. */
  @Test
  void randomnessFollowsFromTheReleaseAndItsExactInput() {
    for (long exact = 0; exact < 2; exact++) {
      told.exact = exact;
      releaser(PLAN, "mix").release(ann(0), 5);
      ReleaseId id = id("mix", 0, 0);
      assertThat(left()).containsExactly("part 0 of " + id.text() + ": " + noise(id, exact));
    }
    assertThat(noise(id("mix", 0, 0), 0)).isNotEqualTo(noise(id("mix", 0, 0), 1));
  }

  @Test
  void noTwoRecordsOfAWindowHaveTheSameId() {
    told.draws = 2;
    told.parts = 3;
    releaser(PLAN, "mix").release(ann(0), 5);
    List<String> expected = new ArrayList<>();
    for (int draw = 0; draw < 2; draw++) {
      for (int part = 0; part < 3; part++) {
        expected.add(
            "part %d of %s: %d"
                .formatted(
                    part, id("mix", 0, draw + 2 * part).text(), noise(id("mix", 0, draw), 0)));
      }
    }
    assertThat(left()).containsExactlyElementsOf(expected);
  }

  @Test
  void aDrawGoesByWhatTheOneBeforeLeft() {
    told.left = Optional.of(Memory.ofData(new byte[] {3}));
    Releaser releaser = releaser(PLAN, "mix");
    releaser.release(ann(0), 5);
    told.left = Optional.empty();
    releaser.release(ann(1), 5);
    releaser.release(ann(2), 5);
    assertThat(done)
        .filteredOn(line -> line.startsWith("prepared"))
        .containsExactly("prepared", "prepared from [3]", "prepared from [3]");
  }

  /** Nothing is charged for what is known to be missing. */
  @Test
  void whatLacksTheMemoryOfAnotherOutputIsRefused() {
    Releaser releaser = releaser(PLAN, "mix", first, second);
    first.put("ann", Memory.ofOutputs(new byte[] {1}));
    second.put("bob", Memory.ofOutputs(new byte[] {2}));
    releaser.release(ann(0), 5);
    assertThat(left()).containsExactly("mix NO_BOUNDS");
    assertThat(done).isEmpty();
    second.put("ann", Memory.ofOutputs(new byte[] {2}));
    releaser.release(ann(0), 5);
    assertThat(done).startsWith("charged ann@0", "by [1]", "by [2]", "prepared");
    assertThat(left()).hasSize(1);
  }

  @Test
  void nothingIsAskedInWindowsThatAreNotItsTurn() {
    Plan paced = spans("{ any: 30s, pace: 1 }");
    List<Integer> released = new ArrayList<>();
    for (int window = 0; window < 9; window++) {
      releaser(paced, "mix").release(ann(window), 5);
      if (!done.isEmpty()) {
        assertThat(left()).hasSize(1);
        released.add(window);
      }
      done.clear();
    }
    assertThat(left()).isEmpty();
    assertThat(released).containsExactly(0, 3, 6);
  }

  @Test
  void whatIsSpentIsRefusedAndItsEndIsSaidOnce() {
    verdicts.add(Charger.Verdict.SPENT);
    releaser(LIFETIME, "mix").release(ann(0), 5);
    assertThat(done).containsExactly("charged ann@0", "announced ann@0");
    assertThat(left()).containsExactly("mix EXHAUSTED");
    verdicts.add(Charger.Verdict.SPENT);
    done.clear();
    releaser(PLAN, "mix").release(ann(0), 5);
    assertThat(done).as("of a period there is a next one").containsExactly("charged ann@0");
    assertThat(left()).containsExactly("mix PERIOD_SPENT");
    verdicts.add(Charger.Verdict.EXHAUSTED);
    done.clear();
    releaser(LIFETIME, "mix").release(ann(0), 5);
    assertThat(done).containsExactly("charged ann@0", "silent mix");
    assertThat(left()).isEmpty();
  }

  /** The draws before it are out. */
  @Test
  void whatIsSpentInTheMiddleOfAWindowEndsIt() {
    told.draws = 3;
    for (Charger.Verdict end : List.of(Charger.Verdict.SPENT, Charger.Verdict.EXHAUSTED)) {
      verdicts.addAll(List.of(Charger.Verdict.CHARGED, end));
      releaser(LIFETIME, "mix").release(ann(0), 5);
      assertThat(left()).first().asString().contains(id("mix", 0, 0).text());
      assertThat(done).filteredOn("drawn"::equals).hasSize(1);
      done.clear();
    }
  }

  /** Of what is drawn once a period nothing is missing after that. */
  @Test
  void whatWasDrawnForItsPeriodIsNotRefused() {
    verdicts.add(Charger.Verdict.SPENT);
    releaser(PLAN, "range").release(ann(3), 5);
    assertThat(done).containsExactly("charged ann@30000");
    assertThat(left()).isEmpty();
  }

  /** A word about somebody who is not public would tell that she is there. */
  @Test
  void ofWhoIsNotPublicNothingIsRefused() {
    Releaser hidden = releaser(PLAN, "mix", Optional.empty());
    verdicts.add(Charger.Verdict.SPENT);
    hidden.release(ann(0), 5);
    ReleaseFailedException failed = skips.failed(id("mix", 1, 0), new ArithmeticException());
    skips.skip(failed.tag());
    hidden.release(ann(1), 5);
    assertThat(done).containsExactly("charged ann@0", "charged ann@10000");
    assertThat(left()).isEmpty();
  }

  @Test
  void aDrawThatIsSkippedIsChargedAndTheOthersAreMade() {
    told.draws = 2;
    skips.skip(skips.failed(id("mix", 0, 0), new ArithmeticException()).tag());
    releaser(PLAN, "mix").release(ann(0), 5);
    assertThat(done)
        .containsExactly("charged ann@0", "charged ann@0", "prepared", "shown 1", "drawn");
    assertThat(left())
        .containsExactly(
            "mix OPERATOR_SKIPPED",
            "part 0 of " + id("mix", 0, 1).text() + ": " + noise(id("mix", 0, 1), 0));
  }

  @Test
  void aWindowIsHeldByAnyDrawOfItThatFailed() {
    told.draws = 2;
    Releaser releaser = releaser(PLAN, "mix");
    deployment.holds().add(skips.failed(id("mix", 1, 1), new ArithmeticException()));
    assertThat(releaser.isHeld(key(0))).isFalse();
    assertThat(releaser.isHeld(key(1))).isTrue();
  }

  /** Nothing of it is out, and the transaction that charged it ends with this. */
  @Test
  void whateverGoesWrongInADrawIsThatReleasesFailure() {
    for (Throwable defect :
        List.of(new ArithmeticException("ann"), new NoClassDefFoundError("ann"))) {
      told.defect = defect;
      assertThatThrownBy(() -> releaser(PLAN, "mix").release(ann(0), 5))
          .isInstanceOf(ReleaseFailedException.class)
          .hasCause(defect)
          .hasMessageContaining("output 'mix'")
          .hasMessageNotContaining("ann");
      assertThat(left()).isEmpty();
    }
  }

  @Test
  void itIsToldHowOftenALearnerFailed() {
    releaser(PLAN, "mix").release(ann(0), 5);
    assertThat(done).noneMatch(line -> line.startsWith("learner"));
    told.failures = 3;
    releaser(PLAN, "mix").release(ann(1), 5);
    assertThat(done).contains("learner of mix failed 3");
  }
}
