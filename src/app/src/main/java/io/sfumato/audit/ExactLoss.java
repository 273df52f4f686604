// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.accounting.Period;
import io.sfumato.accounting.PrivacyFilter;
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
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;

/**
 * How far the exact inputs of all draws of two neighbouring runs lie apart, and what was lost by
 * them, beside what the ledgers were charged. Nothing is estimated: laws are known in closed form.
 *
 * <p>Where a version takes over from another in the middle of the runs, each draw is judged by the
 * version that made it. Charges of one mechanism pay for the draws of both versions.
 */
final class ExactLoss {
  /** For rounding alone. */
  static final double ROUNDING = 1e-9;

  private final List<Program> programs;
  private final Change change;

  /** Of all ledgers as they stood last. */
  private final Program last;

  private final List<DrawnPairs<?>> drawn = new ArrayList<>();
  private final List<String> distances = new ArrayList<>();
  private final List<String> losses = new ArrayList<>();
  private final Set<String> unjudged = new TreeSet<>();
  private double largest;
  private String at = "";
  private long draws;

  private ExactLoss(List<Program> programs, Change change) {
    this.programs = programs;
    this.change = change;
    this.last = programs.get(programs.size() - 1);
  }

  /**
   * One version in both runs.
   *
   * @param since start of its first window, or the beginning of time
   * @param until start of the first window of the next version, or the end of time
   */
  record Program(Plan plan, Run first, Run second, long since, long until) {}

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
   * @param together what the draws of all versions lose, where draws of each differ
   */
  record Finding(
      List<String> distances,
      List<String> losses,
      double ratio,
      String at,
      long draws,
      Set<String> unjudged,
      LossAcrossVersions.Finding together) {}

  /** Of one version. */
  static Finding of(Plan plan, Change change, Run first, Run second) {
    return of(Versions.of(plan), new AuditLog(List.of()), change, List.of(first), List.of(second));
  }

  /**
   * Of several versions.
   *
   * @param log of both runs, which says where the last version takes over
   */
  static Finding of(
      Versions versions, AuditLog log, Change change, List<Run> first, List<Run> second) {
    List<Program> programs = new ArrayList<>();
    for (int i = 0; i < versions.plans().size(); i++) {
      boolean isLast = i == versions.plans().size() - 1;
      programs.add(
          new Program(
              versions.plans().get(i),
              first.get(i),
              second.get(i),
              i == 0 ? Long.MIN_VALUE : log.takeover().orElseThrow().from(),
              isLast ? Long.MAX_VALUE : log.takeover().orElseThrow().from()));
    }
    return new ExactLoss(programs, change).found();
  }

  private Finding found() {
    int lost = 0;
    for (Program program : programs) {
      int before = drawn.size();
      for (PlannedRelease release : program.plan().releases()) {
        measure(release.lossChecker(), program, release);
        if (programs.size() == 1) {
          requireWithinCap(program, release);
        }
      }
      lost += drawn.size() > before ? 1 : 0;
    }
    for (DrawnPairs<?> one : byCharge()) {
      judge(one);
    }
    LossAcrossVersions.Finding together =
        programs.size() == 1
            ? LossAcrossVersions.Finding.NONE
            : LossAcrossVersions.of(last.plan().pipeline().budget(), drawn);
    losses.addAll(together.losses());
    // How close a share comes to its end within one version shows nothing about the change.
    return new Finding(
        distances,
        losses,
        largest,
        at,
        draws,
        unjudged,
        lost == programs.size() ? together : LossAcrossVersions.Finding.NONE);
  }

  /** Draws of both versions whose charges ledgers cannot tell from each other, as one. */
  private Collection<DrawnPairs<?>> byCharge() {
    Map<List<String>, DrawnPairs<?>> all = new LinkedHashMap<>();
    for (DrawnPairs<?> one : drawn) {
      all.merge(
          List.of(one.ledger(), one.mechanism()), one, (earlier, later) -> later.with(earlier));
    }
    return all.values();
  }

  /** Which draws of an output differ, and whether by too much. */
  private <D extends ExactData> void measure(
      LossChecker<D> checker, Program program, PlannedRelease release) {
    List<Pair<D>> pairs = new ArrayList<>();
    program
        .first()
        .draws()
        .forEach(
            (id, draw) -> {
              if (isOf(release, draw) && program.second().draws().containsKey(id)) {
                pairs.add(pair(draw, program.second().draws().get(id)));
              }
            });
    Pipeline part = program.plan().pipeline().partOf(release.spec());
    ChargeAssumptions assumed = new ChargeAssumptions(part, release, charges(program, release));
    String name = "output " + release.spec().name() + ": ";
    drawnAlone(checker, program.first(), program.second(), assumed)
        .forEach(what -> distances.add(name + what));
    drawnAlone(checker, program.second(), program.first(), assumed)
        .forEach(what -> distances.add(name + what));
    pairs.removeIf(checker::same);
    if (pairs.isEmpty()) {
      return;
    }
    draws += pairs.size();
    checker.tooFar(pairs, assumed).forEach(what -> distances.add(name + what));
    requireEncoded(pairs.get(0), name);
    drawn.add(new DrawnPairs<>(checker, pairs, assumed));
  }

  private <D extends ExactData> void judge(DrawnPairs<D> one) {
    DrawnPairs<D> swapped = one.swapped();
    long paid = paid(one);
    Ratio worst = Ratio.NONE;
    for (double order : one.orders()) {
      OptionalDouble lost = one.loss(order);
      if (lost.isEmpty()) {
        unjudged.add(one.release().spec().name());
      }
      worst = worst.or(ratio(one.release(), order, paid, lost));
      worst = worst.or(ratio(one.release(), order, paid, swapped.loss(order)));
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
  private long charges(Program program, PlannedRelease release) {
    return Math.max(
        charges(program, release, last.first()), charges(program, release, last.second()));
  }

  /**
   * @param program whose calendar the release has
   */
  private long charges(Program program, PlannedRelease release, Run run) {
    Optional<SpanShare> span = SpanShare.of(program.plan().pipeline(), release.spec());
    if (span.isPresent() && !span.get().hasLedger()) {
      return chargesOfCalendar(release);
    }
    return run.ledgers().stream()
        .filter(line -> line.share().equals(release.share().name()) && change.touches(line))
        .mapToLong(line -> charges(line, release))
        .sum();
  }

  /** What calendars charge of the windows that are changed, without any ledger. */
  private long chargesOfCalendar(PlannedRelease release) {
    long sum = 0;
    for (Program program : programs) {
      for (PlannedRelease same : program.plan().releases()) {
        if (same.share().name().equals(release.share().name())
            && same.charge().mechanism().equals(release.charge().mechanism())) {
          sum += chargesOfCalendar(program, same);
        }
      }
    }
    return sum;
  }

  private long chargesOfCalendar(Program program, PlannedRelease release) {
    Pipeline pipeline = program.plan().pipeline();
    Period period = pipeline.budget().period();
    long since =
        program.since() == Long.MIN_VALUE ? program.since() : period.indexOf(program.since());
    long until =
        program.until() == Long.MAX_VALUE ? program.until() : period.indexOf(program.until());
    long draws = release.sampler(pipeline).map(ReleaseSampler::draws).orElse(1);
    return draws
        * change.payers().stream()
            .filter(payer -> since <= payer.period() && payer.period() < until)
            // Spans have a ledger for each window: it starts where the one before it ends.
            .filter(payer -> pipeline.isDue(release.spec(), period.endOf(payer.period() - 1)))
            .count();
  }

  /** Charges of a release's mechanism, whichever version made them. */
  private long charges(LedgerImage.Line line, PlannedRelease release) {
    return programs.size() == 1 ? charges(line) : line.charges().getOrDefault(idOf(release), 0L);
  }

  /** Ledgers count charges by numbers: the place of the mechanism among all, in their order. */
  private int idOf(PlannedRelease release) {
    return programs.stream()
        .flatMap(program -> program.plan().releases().stream())
        .map(planned -> planned.charge().mechanism())
        .distinct()
        .toList()
        .indexOf(release.charge().mechanism());
  }

  private static long charges(LedgerImage.Line line) {
    return line.charges().values().stream().mapToLong(Long::longValue).sum();
  }

  /** Charges that pay for the draws that differ: no more than there are. */
  private <D extends ExactData> long paid(DrawnPairs<D> one) {
    ChargeAssumptions assumed = one.assumed();
    Set<String> needed = new TreeSet<>();
    for (Pair<D> pair : one.pairs()) {
      one.checker().chargeOf(pair.first(), assumed).ifPresent(needed::add);
    }
    if (needed.size() > assumed.charges()) {
      losses.add(
          "output %s: %d charges are needed for the draws that differ, the ledger has %d"
              .formatted(assumed.planned().spec().name(), needed.size(), assumed.charges()));
    }
    return needed.isEmpty()
        ? one.checker().paid(assumed)
        : Math.min(needed.size(), assumed.charges());
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
  private void requireWithinCap(Program program, PlannedRelease release) {
    long cost = release.share().cost(release.charge());
    long most = release.share().filter().cap() / Math.max(1, cost);
    List<LedgerImage.Line> lines =
        program.first().ledgers().stream()
            .filter(line -> line.share().equals(release.share().name()))
            .toList();
    for (LedgerImage.Line line : lines) {
      long charges = chargesThrough(line, lines);
      if (charges > most) {
        losses.add(
            "output %s: the ledger of %s has %d charges, its share affords %d"
                .formatted(release.spec().name(), line.subject(), charges, most));
      }
    }
    boolean ofCalendar = program.plan().pipeline().calendar().isPresent() && lines.isEmpty();
    long calendar = ofCalendar ? chargesOfCalendar(release) : 0;
    if (calendar > most) {
      losses.add(
          "output %s: the calendar charges %d times for the windows that differ, the share affords %d"
              .formatted(release.spec().name(), calendar, most));
    }
  }

  /** Of a ledger with those before it that it is added up with. */
  private long chargesThrough(LedgerImage.Line line, List<LedgerImage.Line> lines) {
    long first = last.plan().pipeline().budget().period().firstWith(line.period());
    return lines.stream()
        .filter(other -> other.subject().equals(line.subject()))
        .filter(other -> first <= other.period() && other.period() <= line.period())
        .mapToLong(ExactLoss::charges)
        .sum();
  }
}
