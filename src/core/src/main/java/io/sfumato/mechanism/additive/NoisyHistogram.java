// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.accounting.Charge;
import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.Law;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.NoisyCounts;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;

/** Noise on every count, then post-processing to shares. */
public final class NoisyHistogram implements HistogramMechanism {
  private final AdditiveNoise noise;
  private final Optional<PostProcessing> chosen;
  private final PostProcessing postProcessing;
  private final Sensitivity sensitivity;
  private final ToLongFunction<ReplayableRandom> sampler;
  private final Charge charge;

  /**
   * @param postProcessing where the noise leaves a choice; without one it is the floor
   */
  public NoisyHistogram(
      AdditiveNoise noise, Optional<PostProcessing> postProcessing, Sensitivity sensitivity) {
    this.noise = noise;
    this.chosen = postProcessing;
    this.postProcessing = postProcessing.orElse(PostProcessing.FLOOR);
    this.sensitivity = sensitivity;
    this.sampler = noise.sampler();
    this.charge = noise.charge(sensitivity);
  }

  /** On every count. */
  public AdditiveNoise noise() {
    return noise;
  }

  /** What makes shares of noisy counts. */
  public PostProcessing postProcessing() {
    return postProcessing;
  }

  /** How far neighbours lie apart. */
  public Sensitivity sensitivity() {
    return sensitivity;
  }

  /** Whether the number of records is the same in all neighbours. */
  public boolean sizeIsPublic() {
    return sensitivity.sizeIsPublic();
  }

  @Override
  public Charge charge() {
    return charge;
  }

  @Override
  public String method() {
    return noise.method();
  }

  @Override
  public Map<String, Double> parameters() {
    return noise.parameters();
  }

  @Override
  public Law<HistogramRelease> law(Histogram histogram) {
    return new Law<>() {
      @Override
      public void frame(Framing framing) {
        write(framing, histogram);
      }

      @Override
      public HistogramRelease draw(ReplayableRandom random) {
        return drawn(histogram, random);
      }
    };
  }

  /** What randomness depends on, whatever is made of the noisy counts. */
  private void write(Framing framing, Histogram exact) {
    framing.text(noise.method()).number(noise.steps());
    chosen.ifPresent(how -> framing.text(how.word()));
    framing.numbers(exact.counts());
  }

  /**
   * The noisy counts before they become shares, for releases that publish the counts themselves.
   */
  public Mechanism<Histogram, NoisyCounts> unprocessed() {
    return new Unprocessed(this);
  }

  /** Shares, or the counts that they are computed from. */
  @Override
  public List<Mechanism<?, ?>> paidFor() {
    return List.of(this, unprocessed());
  }

  /** Counts with noise. */
  private record Unprocessed(NoisyHistogram shares) implements Mechanism<Histogram, NoisyCounts> {
    @Override
    public String method() {
      return shares.method();
    }

    @Override
    public Charge charge() {
      return shares.charge();
    }

    @Override
    public Map<String, Double> parameters() {
      return shares.parameters();
    }

    @Override
    public Law<NoisyCounts> law(Histogram histogram) {
      return new Law<>() {
        @Override
        public void frame(Framing framing) {
          shares.write(framing, histogram);
        }

        @Override
        public NoisyCounts draw(ReplayableRandom random) {
          long[] noisy = histogram.counts();
          for (int i = 0; i < noisy.length; i++) {
            noisy[i] = Math.addExact(noisy[i], shares.sampler.applyAsLong(random));
          }
          return new NoisyCounts(noisy);
        }
      };
    }

    @Override
    public OptionalDouble divergence(double order, Histogram first, Histogram second) {
      return shares.divergence(order, first, second);
    }
  }

  /**
   * Shares of noisy counts alone.
   *
   * @param size N where it is public, else what the noisy counts add up to, at least 0
   */
  public Distribution shares(long[] noisy, long size) {
    return shares(Arrays.stream(noisy).asDoubleStream().toArray(), size);
  }

  private Distribution shares(double[] noisy, long size) {
    return postProcessing.apply(noisy, size, noise.continuousDeviation()).ofRecords(size);
  }

  private HistogramRelease drawn(Histogram histogram, ReplayableRandom random) {
    double[] noisy = new double[histogram.categories()];
    for (int i = 0; i < noisy.length; i++) {
      noisy[i] = (double) histogram.count(i) + sampler.applyAsLong(random);
    }
    return shares(noisy, NoisySize.of(histogram, noisy, sensitivity));
  }

  @Override
  public OptionalDouble divergence(double order, Histogram first, Histogram second) {
    return OptionalDouble.of(noise.divergence(order, first.counts(), second.counts()));
  }
}
