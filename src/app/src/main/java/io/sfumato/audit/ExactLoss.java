// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.accounting.RenyiOrders;
import io.sfumato.accounting.RenyiUnits;
import io.sfumato.gate.Draw;
import io.sfumato.mechanism.ExactData;
import io.sfumato.pipeline.ChargeAssumptions;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.Pair;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.SpanShare;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.release.Plan;
import io.sfumato.topology.LedgerImage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;

/**
 * How far the exact inputs of all draws of two neighbouring runs lie apart, and what was lost by
 * them, beside what the ledgers were charged. Nothing is estimated: laws are known in closed form.
 */
final class ExactLoss {
  /** For rounding alone. */
  private static final double ROUNDING = 1e-9;

  private final Plan plan;
  private final Change change;
  private final Run first;
  private final Run second;
  private final List<String> distances = new ArrayList<>();
  private final List<String> losses = new ArrayList<>();
  private final Set<String> unjudged = new TreeSet<>();
  private double largest;
  private String at = "";
  private long draws;

  private ExactLoss(Plan plan, Change change, Run first, Run second) {
    this.plan = plan;
    this.change = change;
    this.first = first;
    this.second = second;
  }

  /**
   * What was found.
   *
   * @param distances that are too large, in words
   * @param losses that are too large, in words
   * @param ratio largest true loss over charged loss, over all shares; 0 if nothing was lost
   * @param at what of it is lost and what is paid, in words
   * @param draws whose exact inputs differ
   * @param unjudged names of outputs of which draws differ and whose laws have no closed form, so
   *     that nothing is known of their loss
   */
  record Finding(
      List<String> distances,
      List<String> losses,
      double ratio,
      String at,
      long draws,
      Set<String> unjudged) {}

  static Finding of(Plan plan, Change change, Run first, Run second) {
    ExactLoss loss = new ExactLoss(plan, change, first, second);
    for (PlannedRelease release : plan.releases()) {
      loss.check(release.lossChecker(), release);
      loss.requireWithinCap(release, first);
    }
    return new Finding(
        loss.distances, loss.losses, loss.largest, loss.at, loss.draws, loss.unjudged);
  }

  private <D extends ExactData> void check(LossChecker<D> checker, PlannedRelease release) {
    List<Pair<D>> pairs = new ArrayList<>();
    first
        .draws()
        .forEach(
            (id, draw) -> {
              if (isOf(release, draw) && second.draws().containsKey(id)) {
                pairs.add(pair(draw, second.draws().get(id)));
              }
            });
    Pipeline part = plan.pipeline().partOf(release.spec());
    ChargeAssumptions assumed = new ChargeAssumptions(part, release, charges(release));
    String name = "output " + release.spec().name() + ": ";
    drawnAlone(checker, first, second, assumed).forEach(what -> distances.add(name + what));
    drawnAlone(checker, second, first, assumed).forEach(what -> distances.add(name + what));
    pairs.removeIf(checker::same);
    if (pairs.isEmpty()) {
      return;
    }
    draws += pairs.size();
    checker.tooFar(pairs, assumed).forEach(what -> distances.add(name + what));
    List<Pair<D>> swapped = pairs.stream().map(Pair::swapped).toList();
    long paid = paid(checker, pairs, assumed);
    requireEncoded(pairs.get(0), name);
    Ratio worst = Ratio.NONE;
    for (double order : orders(release)) {
      OptionalDouble lost = sum(checker, order, pairs);
      if (lost.isEmpty()) {
        unjudged.add(release.spec().name());
      }
      worst = worst.or(ratio(release, order, paid, lost));
      worst = worst.or(ratio(release, order, paid, sum(checker, order, swapped)));
    }
    if (worst.ratio() > largest) {
      largest = worst.ratio();
      at = worst.what();
    }
    if (worst.ratio() > 1 + ROUNDING) {
      losses.add(worst.what());
    }
  }

  @SuppressWarnings("unchecked")
  private static <D extends ExactData> List<String> drawnAlone(
      LossChecker<D> checker, Run run, Run other, ChargeAssumptions assumed) {
    List<Draw<D>> alone = new ArrayList<>();
    run.draws()
        .forEach(
            (id, draw) -> {
              if (isOf(assumed.planned(), draw) && !other.draws().containsKey(id)) {
                alone.add((Draw<D>) draw);
              }
            });
    return alone.isEmpty() ? List.of() : checker.drawnAlone(alone, assumed);
  }

  /** Other inputs need other randomness. */
  private <D extends ExactData> void requireEncoded(Pair<D> pair, String name) {
    if (Arrays.equals(encoded(pair.first()), encoded(pair.second()))) {
      distances.add(
          name
              + "draw "
              + pair.first().id().text()
              + " has the same random numbers for another exact input:"
              + " OutputDistribution.encodeInput leaves something out");
    }
  }

  /** What the randomness of a draw follows from, but for its id. */
  static <D extends ExactData> byte[] encoded(Draw<D> draw) {
    CanonicalEncoder encoder = new CanonicalEncoder();
    draw.mechanism().distribution(draw.exact()).encodeInput(encoder);
    return encoder.digest();
  }

  /** Both of one output, whose draws all have one kind of exact input. */
  @SuppressWarnings("unchecked")
  private static <D extends ExactData> Pair<D> pair(Draw<?> draw, Draw<?> other) {
    return new Pair<>((Draw<D>) draw, (Draw<D>) other);
  }

  /** True loss over charged loss, and where. */
  private record Ratio(double ratio, String what) {
    static final Ratio NONE = new Ratio(0, "");

    Ratio or(Ratio other) {
      return other.ratio > ratio ? other : this;
    }
  }

  /** Answers' outputs are followed by the query. */
  private static boolean isOf(PlannedRelease release, Draw<?> draw) {
    String output = draw.id().output();
    return output.equals(release.spec().name()) || output.startsWith(release.spec().name() + "/");
  }

  /** How often the ledgers of whom the records are were charged for an output. */
  private long charges(PlannedRelease release) {
    return Math.max(charges(release, first), charges(release, second));
  }

  private long charges(PlannedRelease release, Run run) {
    Optional<SpanShare> span = SpanShare.of(plan.pipeline(), release.spec());
    if (span.isPresent() && !span.get().hasLedger()) {
      return chargesOfCalendar(release);
    }
    return run.ledgers().stream()
        .filter(line -> line.share().equals(release.share().name()) && change.touches(line))
        .mapToLong(ExactLoss::charges)
        .sum();
  }

  /** What the calendar charges of the windows that are changed, without any ledger. */
  private long chargesOfCalendar(PlannedRelease release) {
    long draws = release.sampler(plan.pipeline()).map(ReleaseSampler::draws).orElse(1);
    return draws
        * change.payers().stream()
            .filter(payer -> plan.pipeline().isDue(release.spec(), payer.period()))
            .count();
  }

  private static long charges(LedgerImage.Line line) {
    return line.charges().values().stream().mapToLong(Long::longValue).sum();
  }

  /** Charges that pay for the draws that differ: no more than there are. */
  private <D extends ExactData> long paid(
      LossChecker<D> checker, List<Pair<D>> pairs, ChargeAssumptions assumed) {
    Set<String> needed = new TreeSet<>();
    for (Pair<D> pair : pairs) {
      checker.chargeOf(pair.first(), assumed).ifPresent(needed::add);
    }
    if (needed.size() > assumed.charges()) {
      losses.add(
          "output %s: %d charges are needed for the draws that differ, the ledger has %d"
              .formatted(assumed.planned().spec().name(), needed.size(), assumed.charges()));
    }
    return needed.isEmpty() ? checker.paid(assumed) : Math.min(needed.size(), assumed.charges());
  }

  /** Where a share counts: at its one order, or at every one at which its charge says anything. */
  private static List<Double> orders(PlannedRelease release) {
    if (release.share().filter() instanceof PrivacyFilter.RenyiFilter at) {
      return List.of(at.order());
    }
    List<Double> orders = new ArrayList<>();
    for (int i = 0; i < RenyiOrders.size(); i++) {
      if (Double.isFinite(release.charge().curve().at(RenyiOrders.at(i)))) {
        orders.add(RenyiOrders.at(i));
      }
    }
    return orders;
  }

  /** Nothing if the law of any of the draws has no closed form. */
  private static <D extends ExactData> OptionalDouble sum(
      LossChecker<D> checker, double order, List<Pair<D>> pairs) {
    double sum = 0;
    for (Pair<D> pair : pairs) {
      OptionalDouble divergence = checker.divergence(order, pair);
      if (divergence.isEmpty()) {
        return divergence;
      }
      sum += divergence.getAsDouble();
    }
    return OptionalDouble.of(sum);
  }

  private static Ratio ratio(PlannedRelease release, double order, long paid, OptionalDouble lost) {
    if (lost.isEmpty() || lost.getAsDouble() == 0) {
      return Ratio.NONE;
    }
    double each =
        release.share().filter() instanceof PrivacyFilter.RenyiFilter
            ? RenyiUnits.toNats(release.share().cost(release.charge()))
            : release.charge().curve().at(order);
    return new Ratio(
        lost.getAsDouble() / (paid * each),
        "output %s: %.6g nats are lost at order %s; %d charges of %.6g cover %.6g"
            .formatted(release.spec().name(), lost.getAsDouble(), order, paid, each, paid * each));
  }

  /** No ledger may hold more than its share has, nor any that are added up. */
  private void requireWithinCap(PlannedRelease release, Run run) {
    long cost = release.share().cost(release.charge());
    long most = release.share().filter().cap() / Math.max(1, cost);
    List<LedgerImage.Line> lines =
        run.ledgers().stream().filter(line -> line.share().equals(release.share().name())).toList();
    for (LedgerImage.Line line : lines) {
      long charges = chargesThrough(line, lines);
      if (charges > most) {
        losses.add(
            "output %s: the ledger of %s has %d charges, its share affords %d"
                .formatted(release.spec().name(), line.subject(), charges, most));
      }
    }
    long calendar = chargesOfCalendar(release);
    if (plan.pipeline().calendar().isPresent() && lines.isEmpty() && calendar > most) {
      losses.add(
          "output %s: the calendar charges %d times for the windows that differ, the share affords %d"
              .formatted(release.spec().name(), calendar, most));
    }
  }

  /** Of a ledger with those before it that it is added up with. */
  private long chargesThrough(LedgerImage.Line line, List<LedgerImage.Line> lines) {
    long first = plan.pipeline().budget().period().firstWith(line.period());
    return lines.stream()
        .filter(other -> other.subject().equals(line.subject()))
        .filter(other -> first <= other.period() && other.period() <= line.period())
        .mapToLong(ExactLoss::charges)
        .sum();
  }
}
