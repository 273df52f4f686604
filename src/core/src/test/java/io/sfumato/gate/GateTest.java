// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.ExactData;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.ReleasedData;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.abc.NoisyAnswer;
import io.sfumato.mechanism.abc.NoisyThreshold;
import io.sfumato.mechanism.abc.QueryInput;
import io.sfumato.mechanism.abc.Question;
import io.sfumato.mechanism.abc.RejectionQueries;
import io.sfumato.mechanism.abc.SparseVector;
import io.sfumato.mechanism.abc.SparseVector.State;
import io.sfumato.mechanism.abc.SparseVectorPlan.Threshold;
import io.sfumato.mechanism.abc.SparseVectorQueries;
import io.sfumato.mechanism.abc.ThresholdMechanism;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.mechanism.count.CountQuery;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GateTest {
  private static final String HEX =
      "00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f";
  private static final StateEpoch LIFE = new StateEpoch(1, 2);

  private final NoiseKey key = NoiseSecret.parse(HEX).derive();
  private final Gate gate = new Gate(key);

  private record Number(long value) implements ExactData {}

  private record Word(long value) implements ReleasedData {}

  /** Publishes the randomness itself. */
  private record Telling(String name, PrivacyUnit unit, List<Mechanism<?, ?>> parts)
      implements Mechanism<Number, Word> {
    Telling(String name) {
      this(name, PrivacyUnit.RECORD, List.of());
    }

    @Override
    public String method() {
      return name;
    }

    @Override
    public PrivacyCost charge() {
      return PrivacyCost.pure(name, unit, 1);
    }

    @Override
    public List<Mechanism<?, ?>> paidFor() {
      return parts.isEmpty() ? List.of(this) : parts;
    }

    @Override
    public Map<String, Double> parameters() {
      return Map.of();
    }

    @Override
    public OutputDistribution<Word> distribution(Number exact) {
      return new OutputDistribution<>() {
        @Override
        public void encodeInput(CanonicalEncoder encoder) {
          encoder.text(name).number(exact.value());
        }

        @Override
        public Word draw(KeyedRandom random) {
          return new Word(random.nextLong());
        }

        @Override
        public int failures() {
          return 3;
        }
      };
    }
  }

  private static final Telling TELLING = new Telling("telling");

  private static ReleaseId id(int index) {
    return new ReleaseId("b", LIFE, 1, "o", "ann", 0, index);
  }

  private long drawn(long exact, int index) {
    Permit permit = Permit.charged(id(index), TELLING);
    return gate.release(permit, id(index), Measured.of(TELLING, Secret.of(new Number(exact))))
        .value();
  }

  @Test
  void shouldDrawByIdAndExactInput() {
    byte[] digest = new CanonicalEncoder().text("telling").number(7).digest();
    assertThat(drawn(7, 0)).isEqualTo(key.forRelease(id(0), digest).nextLong());
    assertThat(drawn(7, 0)).as("a retry").isEqualTo(drawn(7, 0));
    assertThat(drawn(8, 0)).as("another input").isNotEqualTo(drawn(7, 0));
    assertThat(drawn(7, 1)).as("another id").isNotEqualTo(drawn(7, 0));
  }

  @Test
  void shouldTakeAPermitOnceAndForItsOwnDrawAlone() {
    Measured<Number, Word> measured = Measured.of(TELLING, Secret.of(new Number(7)));
    Permit permit = Permit.charged(id(0), TELLING);
    assertThat(permit.id()).isEqualTo(id(0));
    assertThatThrownBy(() -> gate.release(permit, id(1), measured))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a permit is for another draw");
    gate.release(permit, id(0), measured);
    assertThatThrownBy(() -> gate.release(permit, id(0), measured))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a permit was used before");
    assertThat(permit).hasToString("Permit[masked]");
    assertThat(measured).hasToString("Measured[masked]");
    assertThat(measured.failures()).isEqualTo(3);
  }

  /** The words of a charge are no proof that two mechanisms lose the same. */
  @Test
  void shouldRefuseWhatWasNotPaidFor() {
    assertThatCode(() -> draw(TELLING, TELLING)).doesNotThrowAnyException();
    assertThatCode(() -> draw(TELLING, new Telling("telling"))).doesNotThrowAnyException();
    for (Telling other :
        List.of(
            new Telling("telling more"),
            new Telling("telling", PrivacyUnit.USER, List.of()),
            new Telling("telling", PrivacyUnit.RECORD, List.of(TELLING)))) {
      assertThatThrownBy(() -> draw(TELLING, other))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("a permit does not pay for " + other.name());
    }
  }

  /** With its charge stated, but less noise than it paid for. */
  @Test
  void shouldRefuseAMechanismThatStatesTheChargeOfAnother() {
    CountMeasurement<CountQuery> paid = counts(1 << 18);
    Secret<ExactVector> exact = Secret.of(new ExactVector(812));
    for (Mechanism<ExactVector, NoisyVector> louder :
        List.of(counts(1 << 23), new Stating(counts(1 << 23), paid.charge()))) {
      Permit permit = Permit.charged(id(0), paid);
      assertThatThrownBy(() -> gate.release(permit, id(0), Measured.of(louder, exact)))
          .isInstanceOf(IllegalStateException.class);
    }
    Permit permit = Permit.charged(id(0), paid);
    assertThatCode(() -> gate.release(permit, id(0), Measured.of(counts(1 << 18), exact)))
        .as("the same mechanism, made again")
        .doesNotThrowAnyException();
  }

  private static CountMeasurement<CountQuery> counts(long rate) {
    return new CountMeasurement<>(
        new CountQuery(), Sensitivity.addOrRemove(1), new LaplaceNoise(rate));
  }

  /** What is paid for is fixed before; what is drawn may say of itself whatever it likes. */
  @Test
  void shouldRefuseAMechanismThatSaysThatItEqualsEveryOther() {
    Permit permit = Permit.charged(id(0), counts(1 << 18));
    Measured<ExactVector, NoisyVector> exact =
        Measured.of(new Pretending(), Secret.of(new ExactVector(812)));
    assertThatThrownBy(() -> gate.release(permit, id(0), exact))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a permit does not pay for nothing");
  }

  /** Publishes the exact numbers. */
  private static final class Pretending implements Mechanism<ExactVector, NoisyVector> {
    @Override
    public String method() {
      return "none";
    }

    @Override
    public PrivacyCost charge() {
      return PrivacyCost.pure("nothing", PrivacyUnit.USER, 1);
    }

    @Override
    public Map<String, Double> parameters() {
      return Map.of();
    }

    @Override
    public OutputDistribution<NoisyVector> distribution(ExactVector exact) {
      return new OutputDistribution<>() {
        @Override
        public void encodeInput(CanonicalEncoder encoder) {
          encoder.numbers(exact.values());
        }

        @Override
        public NoisyVector draw(KeyedRandom random) {
          return new NoisyVector(exact.values());
        }
      };
    }

    @Override
    public boolean equals(Object other) {
      return true;
    }

    @Override
    public int hashCode() {
      return 0;
    }
  }

  private record Stating(CountMeasurement<CountQuery> drawn, PrivacyCost charge)
      implements Mechanism<ExactVector, NoisyVector> {
    @Override
    public String method() {
      return drawn.method();
    }

    @Override
    public Map<String, Double> parameters() {
      return drawn.parameters();
    }

    @Override
    public OutputDistribution<NoisyVector> distribution(ExactVector exact) {
      return drawn.distribution(exact);
    }
  }

  @Test
  void shouldDrawThePartsOfWhatWasPaidForAndNotTheWhole() {
    Telling first = new Telling("first");
    Telling second = new Telling("second");
    Telling whole = new Telling("whole", PrivacyUnit.RECORD, List.of(first, second));
    assertThatCode(() -> draw(whole, first)).doesNotThrowAnyException();
    assertThatCode(() -> draw(whole, second)).doesNotThrowAnyException();
    assertThatThrownBy(() -> draw(whole, whole)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> draw(first, whole)).isInstanceOf(IllegalStateException.class);
  }

  private void draw(Telling paid, Telling drawn) {
    gate.release(Permit.charged(id(0), paid), id(0), Measured.of(drawn, Secret.of(new Number(1))));
  }

  @Test
  void shouldShowAWitnessEveryDrawBeforeItIsMade() {
    List<Object> seen = new ArrayList<>();
    Gate watched =
        new Gate(
            key,
            (draw, input) -> {
              seen.add(draw.id());
              seen.add(draw.mechanism());
              seen.add(draw.exact());
              assertThat(input.toBytes())
                  .isEqualTo(new CanonicalEncoder().text("telling").number(7).toBytes());
              assertThat(draw).hasToString("Plain[masked]");
            });
    Number exact = new Number(7);
    long noise =
        watched
            .release(Permit.charged(id(0), TELLING), id(0), Measured.of(TELLING, Secret.of(exact)))
            .value();
    assertThat(seen).containsExactly(id(0), TELLING, exact);
    assertThat(noise).as("whether or not somebody looks").isEqualTo(drawn(7, 0));
    Permit other = Permit.charged(id(1), TELLING);
    assertThatThrownBy(() -> watched.release(other, id(0), Measured.of(TELLING, Secret.of(exact))))
        .isNotNull();
    assertThat(seen).as("nothing that was refused").hasSize(3);
  }

  /** Each states a charge that stands elsewhere. */
  @Test
  void shouldTakeEveryKindOfPermit() {
    for (Permit permit :
        List.of(
            Permit.reservedByQuery(id(0), TELLING, 1),
            Permit.coveredByContributors(id(0), TELLING),
            Permit.coveredByCalendar(id(0), TELLING),
            Permit.ofReceipt(id(0), TELLING),
            Permit.ofMadeUpData(id(0), TELLING))) {
      assertThat(
              gate.release(permit, id(0), Measured.of(TELLING, Secret.of(new Number(7)))).value())
          .isEqualTo(drawn(7, 0));
    }
  }

  private static final SparseVectorQueries SPARSE =
      new SparseVectorQueries(0.2, Epsilon.of("1"), 2, Threshold.REDRAWN);
  private static final QueryInput QUERY = SPARSE.query(0.01, 40, 9, new byte[] {1, 2, 3});
  private static final ReleaseId ANSWER = new ReleaseId("b", LIFE, 1, "fit/q1", "ann", 0, 5);

  private static ReleaseId thresholdId(long accepted) {
    return new ReleaseId("b", LIFE, 1, "fit/q1/threshold", "ann", 0, (int) accepted);
  }

  private static final Secret<QueryInput> ASKED = Secret.of(QUERY);

  private static Permit reserved() {
    return Permit.reservedByQuery(ANSWER, SPARSE, 9);
  }

  private NoisyThreshold threshold(long accepted) {
    CanonicalEncoder input =
        new CanonicalEncoder().text(SPARSE.charge().mechanism()).number(40).number(9);
    SPARSE.noise(0.01, 9).encode(input);
    byte[] digest = input.bytes(new byte[] {1, 2, 3}).digest();
    return SPARSE
        .noise(0.01, 9)
        .threshold(key.forRelease(thresholdId(accepted), digest))
        .orElseThrow();
  }

  /** A noisy threshold follows from the query, its dataset, and how many were accepted before. */
  @Test
  void shouldDrawThresholdsOfTheirQueryAlone() {
    SparseVector noise = SPARSE.noise(0.01, 9);
    Optional<State> begun = gate.start(reserved(), ASKED);
    assertThat(begun).isEqualTo(noise.start(this::threshold)).isPresent();
    assertThat(gate.after(reserved(), ASKED, begun, new NoisyAnswer(1)))
        .isEqualTo(noise.after(begun, 1, this::threshold))
        .isNotEqualTo(begun)
        .hasValueSatisfying(state -> assertThat(state.accepted()).isEqualTo(1));
    assertThat(gate.after(reserved(), ASKED, begun, new NoisyAnswer(0))).isEqualTo(begun);
    assertThat(threshold(0)).hasToString("NoisyThreshold[masked]");
  }

  /** What is withheld is drawn as what is published. */
  @Test
  void shouldShowAWitnessEveryNoisyThreshold() {
    List<Draw<?>> seen = new ArrayList<>();
    Gate watched =
        new Gate(
            key,
            (draw, input) -> {
              seen.add(draw);
              assertThat(input.digest()).isEqualTo(encoded(draw));
            });
    Permit permit = reserved();
    Optional<State> begun = watched.start(permit, ASKED);
    Question question = new Question(QUERY, new byte[] {7}, 0.1, begun);
    watched.release(permit, ANSWER, Measured.of(SPARSE, Secret.of(question)));
    Optional<State> after = watched.after(permit, ASKED, begun, new NoisyAnswer(1));
    assertThat(seen).extracting(Draw::id).containsExactly(thresholdId(0), ANSWER, thresholdId(1));
    ThresholdMechanism thresholds = new ThresholdMechanism(SPARSE);
    assertThat(seen)
        .extracting(draw -> (Object) draw.mechanism())
        .containsExactly(thresholds, SPARSE, thresholds);
    assertThat(seen)
        .extracting(draw -> (Object) draw.exact())
        .containsExactly(QUERY, question, QUERY);
    assertThat(begun).as("whether or not somebody looks").isEqualTo(gate.start(reserved(), ASKED));
    assertThat(after).isEqualTo(gate.after(reserved(), ASKED, begun, new NoisyAnswer(1)));
  }

  private static <D extends ExactData> byte[] encoded(Draw<D> draw) {
    CanonicalEncoder encoder = new CanonicalEncoder();
    draw.mechanism().distribution(draw.exact()).encodeInput(encoder);
    return encoder.digest();
  }

  @Test
  void shouldDrawNoThresholdWithoutAPermitForIt() {
    Permit otherMechanism = Permit.reservedByQuery(ANSWER, TELLING, 9);
    assertThatThrownBy(() -> gate.start(otherMechanism, ASKED))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("a permit does not pay for sparse-vector-query");
    Permit once = reserved();
    Optional<State> begun = gate.start(once, ASKED);
    assertThatThrownBy(() -> gate.start(once, ASKED)).hasMessage("a permit was used before");
    NoisyAnswer accepted = new NoisyAnswer(1);
    Optional<State> after = gate.after(once, ASKED, begun, accepted);
    assertThat(after).isPresent();
    assertThatThrownBy(() -> gate.after(once, ASKED, begun, accepted))
        .hasMessage("a permit was used before");
  }

  /** As many answers as the query has candidates. */
  @Test
  void shouldRefuseAnAnswerBeyondThoseThatTheQueryWasChargedFor() {
    assertThat(Permit.reservedByQuery(id(4), TELLING, 5).id()).isEqualTo(id(4));
    assertThatThrownBy(() -> Permit.reservedByQuery(id(5), TELLING, 5))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the charge of a query covers 5 answers, not one at place 5");
  }

  @Test
  void shouldKeepNoStateOfQueriesThatHaveNone() {
    RejectionQueries coins =
        new RejectionQueries(0.4, 0.2, new RejectionQueries.Contract.Gaussian(0.5));
    Secret<QueryInput> asked = Secret.of(coins.query(0.01, 40, 9, new byte[0]));
    Permit permit = Permit.reservedByQuery(ANSWER, coins, 9);
    assertThat(gate.start(permit, asked)).isEmpty();
    assertThat(gate.after(permit, asked, Optional.empty(), new NoisyAnswer(1))).isEmpty();
  }
}
