// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.mollifier;

import io.sfumato.mechanism.mollifier.NumericReference;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.mechanism.mollifier.Reference;
import io.sfumato.mechanism.mollifier.WeakLearner;
import io.sfumato.mechanism.mollifier.WeightedPoints;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The papers' network: three hidden layers of 25 tanh units, one output, cross-entropy, Nesterov's
 * accelerated gradient. Slow: for experiments, not for streams.
 *
 * @param reference whose public location and scale the numbers are scaled by
 * @param epochs at most; 750 in the papers
 * @param batch size of a mini-batch; 5000 in the papers
 * @param step 0.01 in the papers
 */
public record TanhNetwork(Reference reference, int epochs, int batch, double step)
    implements WeakLearner {
  private static final int[] HIDDEN = {25, 25, 25};
  private static final double MOMENTUM = 0.9;

  /** One point in this many is kept aside for early stopping. */
  private static final int HELD_OUT = 5;

  /** Epochs without a noticeably better cross-entropy on what was kept aside. */
  private static final int PATIENCE = 20;

  private static final double NOTICEABLE = 1e-3;

  /** Gradients of large batches are summed in this many parts, always in the same order. */
  private static final int PARTS = 8;

  private static final int WORTH_PARTS = 1000;

  @Override
  public String text() {
    return String.format(Locale.ROOT, "network epochs=%d batch=%d step=%s", epochs, batch, step);
  }

  @Override
  public Classifier learn(WeightedPoints dataset, WeightedPoints current) {
    int n = dataset.size() + current.size();
    double[][] inputs = new double[n][];
    double[] labels = new double[n];
    double[] weights = new double[n];
    for (int i = 0; i < n; i++) {
      boolean positive = i < dataset.size();
      int place = positive ? i : i - dataset.size();
      WeightedPoints sample = positive ? dataset : current;
      inputs[i] = input(sample.points().get(place));
      labels[i] = positive ? 1 : 0;
      weights[i] = sample.weights()[place] * n / 2;
    }
    KeyedRandom random = KeyedRandom.ofPublicSeed("tanh network");
    int[] order = shuffled(n, random);
    int[] held = Arrays.copyOf(order, n / HELD_OUT);
    int[] training = Arrays.copyOfRange(order, n / HELD_OUT, n);
    Layers layers = new Layers(inputs[0].length, random);
    Layers best = layers.copy();
    double least = layers.loss(inputs, labels, weights, held);
    int waited = 0;
    for (int epoch = 0; epoch < epochs && waited < PATIENCE; epoch++) {
      for (int from = 0; from < training.length; from += batch) {
        int to = Math.min(training.length, from + batch);
        layers.nesterov(inputs, labels, weights, training, from, to, step);
      }
      double loss = layers.loss(inputs, labels, weights, held);
      boolean better = loss < least * (1 - NOTICEABLE);
      waited = better ? 0 : waited + 1;
      if (better) {
        least = loss;
        best = layers.copy();
      }
    }
    Layers chosen = best;
    return x -> chosen.output(input(x));
  }

  private static int[] shuffled(int n, KeyedRandom random) {
    int[] order = IntStream.range(0, n).toArray();
    for (int i = n - 1; i > 0; i--) {
      int k = (int) (random.nextOpenDouble() * (i + 1));
      int swapped = order[i];
      order[i] = order[k];
      order[k] = swapped;
    }
    return order;
  }

  private double[] input(Point point) {
    double[] input = new double[reference.dimensions() + reference.categories()];
    if (reference.dimensions() > 0) {
      NumericReference numeric = reference.numbers().orElseThrow();
      double[] location = numeric.location();
      double[] scale = numeric.scale();
      for (int i = 0; i < reference.dimensions(); i++) {
        input[i] = (point.numbers()[i] - location[i]) / scale[i];
      }
    }
    if (reference.categories() > 0) {
      input[reference.dimensions() + point.category()] = 1;
    }
    return input;
  }

  /** Weights of all layers, the bias of each unit last, with their velocities. */
  private static final class Layers {
    private final double[][][] weights;
    private final double[][][] velocity;

    private Layers(double[][][] weights, double[][][] velocity) {
      this.weights = weights;
      this.velocity = velocity;
    }

    Layers(int inputs, KeyedRandom random) {
      weights = new double[HIDDEN.length + 1][][];
      velocity = new double[HIDDEN.length + 1][][];
      int fanIn = inputs;
      for (int layer = 0; layer <= HIDDEN.length; layer++) {
        int units = layer < HIDDEN.length ? HIDDEN[layer] : 1;
        double limit = Math.sqrt(6.0 / (fanIn + units)); // Glorot
        weights[layer] = new double[units][fanIn + 1];
        velocity[layer] = new double[units][fanIn + 1];
        for (double[] unit : weights[layer]) {
          for (int i = 0; i < fanIn; i++) {
            unit[i] = (2 * random.nextOpenDouble() - 1) * limit;
          }
        }
        fanIn = units;
      }
    }

    Layers copy() {
      return new Layers(copy(weights), copy(velocity));
    }

    private static double[][][] copy(double[][][] array) {
      return Arrays.stream(array)
          .map(layer -> Arrays.stream(layer).map(double[]::clone).toArray(double[][]::new))
          .toArray(double[][][]::new);
    }

    double output(double[] input) {
      return forward(input)[weights.length][0];
    }

    private double[][] forward(double[] input) {
      double[][] values = new double[weights.length + 1][];
      values[0] = input;
      for (int layer = 0; layer < weights.length; layer++) {
        double[] out = new double[weights[layer].length];
        for (int u = 0; u < out.length; u++) {
          double[] unit = weights[layer][u];
          double sum = unit[unit.length - 1];
          for (int i = 0; i < unit.length - 1; i++) {
            sum += unit[i] * values[layer][i];
          }
          out[u] = layer < weights.length - 1 ? tanh(sum) : sum;
        }
        values[layer + 1] = out;
      }
      return values;
    }

    private static double tanh(double x) {
      return 1 - 2 / (StrictMath.exp(2 * x) + 1);
    }

    double loss(double[][] inputs, double[] labels, double[] sampleWeights, int[] places) {
      double sum = 0;
      for (int i : places) {
        double z = output(inputs[i]);
        double signed = labels[i] > 0.5 ? -z : z;
        double loss = Math.max(0, signed) + StrictMath.log1p(StrictMath.exp(-Math.abs(signed)));
        sum += sampleWeights[i] * loss;
      }
      return places.length == 0 ? 0 : sum / places.length;
    }

    /** One step of Nesterov's accelerated gradient on a mini-batch. */
    void nesterov(
        double[][] inputs,
        double[] labels,
        double[] sampleWeights,
        int[] places,
        int from,
        int to,
        double step) {
      // Look ahead, take the gradient there.
      add(weights, velocity, MOMENTUM);
      double[][][] gradient = inParts(inputs, labels, sampleWeights, places, from, to);
      add(weights, velocity, -MOMENTUM);
      for (int layer = 0; layer < weights.length; layer++) {
        for (int u = 0; u < weights[layer].length; u++) {
          for (int i = 0; i < weights[layer][u].length; i++) {
            velocity[layer][u][i] = MOMENTUM * velocity[layer][u][i] - step * gradient[layer][u][i];
            weights[layer][u][i] += velocity[layer][u][i];
          }
        }
      }
    }

    private static void add(double[][][] to, double[][][] what, double times) {
      for (int layer = 0; layer < to.length; layer++) {
        for (int u = 0; u < to[layer].length; u++) {
          for (int i = 0; i < to[layer][u].length; i++) {
            to[layer][u][i] += times * what[layer][u][i];
          }
        }
      }
    }

    private double[][][] inParts(
        double[][] inputs,
        double[] labels,
        double[] sampleWeights,
        int[] places,
        int from,
        int to) {
      int size = to - from;
      if (size < WORTH_PARTS) {
        return gradient(inputs, labels, sampleWeights, places, from, to, size);
      }
      double[][][][] parts =
          IntStream.range(0, PARTS)
              .parallel()
              .mapToObj(
                  part ->
                      gradient(
                          inputs,
                          labels,
                          sampleWeights,
                          places,
                          from + size * part / PARTS,
                          from + size * (part + 1) / PARTS,
                          size))
              .toArray(double[][][][]::new);
      for (int part = 1; part < PARTS; part++) {
        add(parts[0], parts[part], 1);
      }
      return parts[0];
    }

    private double[][][] gradient(
        double[][] inputs,
        double[] labels,
        double[] sampleWeights,
        int[] places,
        int from,
        int to,
        int size) {
      double[][][] gradient = new double[weights.length][][];
      for (int layer = 0; layer < weights.length; layer++) {
        gradient[layer] = new double[weights[layer].length][weights[layer][0].length];
      }
      for (int place = from; place < to; place++) {
        int sample = places[place];
        double[][] values = forward(inputs[sample]);
        double p = 1 / (1 + StrictMath.exp(-values[weights.length][0]));
        double[] delta = {sampleWeights[sample] * (p - labels[sample]) / size};
        for (int layer = weights.length - 1; layer >= 0; layer--) {
          double[] below = values[layer];
          double[] next = new double[below.length];
          for (int u = 0; u < delta.length; u++) {
            double[] unit = weights[layer][u];
            double[] slope = gradient[layer][u];
            for (int i = 0; i < below.length; i++) {
              slope[i] += delta[u] * below[i];
              next[i] += delta[u] * unit[i];
            }
            slope[below.length] += delta[u];
          }
          if (layer > 0) {
            for (int i = 0; i < next.length; i++) {
              next[i] *= 1 - below[i] * below[i];
            }
          }
          delta = next;
        }
      }
      return gradient;
    }
  }
}
