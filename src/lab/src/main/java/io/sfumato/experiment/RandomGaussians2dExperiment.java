// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.mollifier.NumericReference.Gaussians;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians.Component;
import io.sfumato.random.KeyedRandom;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Five Gaussians of variance 0.5 anywhere in [-5, 5] x [-5, 5], references as on the ring (figure 8
 * of the long integral-privacy paper, which names no numbers).
 *
 * @param out folder for tables and plots
 */
public record RandomGaussians2dExperiment(Path out) implements Experiment {
  private static final String NAME = "random-gaussians-2d";
  private static final int GAUSSIANS = 5;
  private static final double RANGE = 5;

  /** Records that the papers' network sees, a quarter of theirs: it is what takes the time. */
  private static final int SEEN = 2500;

  private static DensityComparison comparison() {
    return RingExperiment.contenders(SEEN)
        .comparison(NAME, target(), 40, RingExperiment.bernstein());
  }

  private static Gaussians target() {
    KeyedRandom random = KeyedRandom.ofPublicSeed(NAME + " target");
    double deviation = Math.sqrt(0.5);
    List<Component> components = new ArrayList<>();
    for (int i = 0; i < GAUSSIANS; i++) {
      components.add(
          new Component(
              1, new double[] {place(random), place(random)}, new double[] {deviation, deviation}));
    }
    return new Gaussians(components);
  }

  private static double place(KeyedRandom random) {
    return RANGE * (2 * random.nextOpenDouble() - 1);
  }

  @Override
  public long steps() {
    return comparison().steps();
  }

  /** Writes {@code random-gaussians-2d.csv}, its plot and pictures of the densities. */
  @Override
  public List<String> run(Runnable progress) throws ExperimentException {
    return comparison().run(out, progress);
  }
}
