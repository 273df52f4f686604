// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The same key gives the same draws, in this version and the next: a release that is drawn again by
 * a newer program is the same to the last bit. Laws are other tests' matter; many changes keep
 * them.
 */
class GoldenDrawsTest {
  private static long[] draws(ToLongFunction<KeyedRandom> draw) {
    KeyedRandom random = KeyedRandom.ofPublicSeed("golden draws");
    return LongStream.range(0, 8).map(i -> draw.applyAsLong(random)).toArray();
  }

  @Test
  void wholeNumbersAndCoins() {
    assertThat(draws(random -> ExactRandom.uniform(random, 1000)))
        .containsExactly(760, 53, 120, 199, 484, 632, 307, 538);
    assertThat(draws(r -> ExactRandom.uniform(r, BigInteger.ONE.shiftLeft(40)).longValueExact()))
        .containsExactly(
            149290032327L,
            737334210168L,
            94594736435L,
            188977412634L,
            625856107407L,
            693864220438L,
            150672506962L,
            340377970072L);
    WeightedChoice choice = new WeightedChoice(new long[] {3, 0, 1, 5});
    assertThat(draws(choice::draw)).containsExactly(3, 3, 3, 3, 3, 3, 2, 3);
    assertThat(draws(random -> ExactBernoulli.heads(random, 0.3) ? 1 : 0))
        .containsExactly(0, 0, 0, 1, 0, 1, 0, 0);
  }

  @Test
  void noiseOnWholeNumbers() {
    assertThat(draws(new DiscreteLaplace(40, 3)::sample))
        .containsExactly(2, 12, -34, -7, 5, 5, -35, -21);
    assertThat(draws(new DiscreteGaussian(102_400)::sample))
        .containsExactly(-9, -21, 11, -1, 2, -3, -2, 4);
    assertThat(draws(new LargeDiscreteGaussian(1L << 30)::sample))
        .containsExactly(
            409024248,
            1436556900,
            -902706537,
            1539428699,
            600109595,
            -853706007,
            462506745,
            1175438684);
    assertThat(draws(new LargeDiscreteGaussian(3)::sample))
        .containsExactly(0, 4, -1, 2, 1, -2, 1, 1);
  }

  @Test
  void normalAndGammaNumbersToTheLastBit() {
    assertThat(draws(random -> Double.doubleToLongBits(random.nextStandardGaussian())))
        .containsExactly(
            -4617413956261002318L,
            4608683739890419527L,
            4585010535974043059L,
            -4620070498965051988L,
            4610463857843510427L,
            -4620557630723414530L,
            -4637397878358332684L,
            4603180888264806073L);
    assertThat(draws(random -> Double.doubleToLongBits(GammaSampler.sample(random, 0.75))))
        .containsExactly(
            4600875024366176221L,
            4587354690178846848L,
            4616633678990415116L,
            4605688395891814667L,
            4590817001830446998L,
            4609462023470552573L,
            4585780162656540955L,
            4596439872533016630L);
    assertThat(draws(random -> Double.doubleToLongBits(GammaSampler.sample(random, 4))))
        .containsExactly(
            4612245570967840828L,
            4619407804854429684L,
            4615584971298652099L,
            4613220081627143603L,
            4615266303893233421L,
            4617132107239005333L,
            4621920021633022020L,
            4616489640477963043L);
  }

  /** Of the first category; weights of 2^61 are beyond a long together. */
  @Test
  void itemsOfAnUrn() {
    long[] counts = {3, 0, 1};
    assertThat(
            draws(r -> DirichletMultinomial.draw(r, counts, 1L << 28, 1L << 29, 1L << 30, 100)[0]))
        .containsExactly(36, 80, 24, 22, 51, 62, 35, 87);
    assertThat(
            draws(r -> DirichletMultinomial.draw(r, counts, 1L << 59, 1L << 60, 1L << 61, 100)[0]))
        .containsExactly(14, 9, 52, 90, 28, 39, 33, 19);
  }
}
