// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.LossReport.Claim;
import io.sfumato.accounting.LossReport.Counted;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.RenyiOrders;
import io.sfumato.pipeline.DerivedSpec;
import io.sfumato.pipeline.FactJson;
import io.sfumato.pipeline.FactText;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.OutputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.PrivacyRationale;
import io.sfumato.release.Releases;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.apache.avro.SchemaNormalization;

/**
 * One output, as its own kind tells of it.
 *
 * @param name of it
 * @param kind its word in files
 * @param topic that it is published to
 * @param publishes what readers get
 * @param schema its name
 * @param schemaFingerprint CRC-64-AVRO of the canonical schema, hexadecimal: what stands in front
 *     of each record
 * @param madeOf the output that it is made of, at no cost; empty for a release
 * @param spends what a release may spend; empty for what is made of another output
 * @param sources on what its privacy rests
 * @param errors what its plan says of errors, the noise's own
 * @param warnings of its plan
 * @param caveats what its guarantee does not cover
 * @param plan all that its plan says, by labels
 * @param figures the same for programs, as {@code sfumato plan -o json} has it
 */
public record Output(
    String name,
    String kind,
    String topic,
    String publishes,
    String schema,
    String schemaFingerprint,
    String madeOf,
    List<Spending> spends,
    List<PrivacyRationale.Source> sources,
    List<String> errors,
    List<String> warnings,
    List<String> caveats,
    List<FactText.Labelled> plan,
    ObjectNode figures) {
  /** Labels of plans' lines about errors. */
  private static final Set<String> OF_ERRORS = Set.of("error", "noise", "promise");

  private static final double[] ORDERS = {2, 4, 8, 16, 32, 64};

  /**
   * What a release may spend.
   *
   * @param epsilon of its share
   * @param delta of its share
   * @param countedBy how charges are admitted
   * @param mechanism with every parameter: the identity of its charge
   * @param charges how many the share admits in one period
   * @param deltaBesides the part of delta that no charge holds
   * @param lossOfOne of one charge at the rest of the share's delta, the smallest first
   * @param lossOfPeriod of all that the share admits
   * @param renyi the curve of one charge
   */
  public record Spending(
      BigDecimal epsilon,
      BigDecimal delta,
      String countedBy,
      String mechanism,
      long charges,
      BigDecimal deltaBesides,
      List<Claim> lossOfOne,
      List<Claim> lossOfPeriod,
      List<RenyiFilter> renyi) {}

  /** Rényi divergence of one order, in nats; infinite divergences are left out. */
  public record RenyiFilter(double order, double nats) {}

  static Output of(Pipeline pipeline, PlannedRelease release) {
    PrivacyCost charge = release.charge();
    long charges = release.plan().releases();
    BigDecimal forNoise = release.share().delta().value().subtract(release.deltaBesides());
    List<Claim> ofOne = Losses.of(List.of(new Counted(charge, 1)), forNoise);
    Spending spending =
        new Spending(
            release.share().epsilon().value(),
            release.share().delta().value(),
            release.share().filter().words(),
            charge.mechanism(),
            charges,
            release.deltaBesides(),
            ofOne,
            charges == 1 ? ofOne : Losses.of(List.of(new Counted(charge, charges)), forNoise),
            curve(charge));
    return of(
        release.spec(),
        Releases.kindOf(release.spec()),
        "",
        List.of(spending),
        release.rationale(pipeline.partOf(release.spec())),
        release.facts(pipeline.partOf(release.spec())));
  }

  static Output of(Pipeline pipeline, DerivedSpec derived, List<PlannedRelease> sources) {
    return of(
        derived,
        Releases.kindOf(derived),
        String.join(", ", derived.sources()),
        List.of(),
        derived.rationale(),
        derived.facts(pipeline, sources));
  }

  private static Output of(
      OutputSpec spec,
      String kind,
      String madeOf,
      List<Spending> spends,
      PrivacyRationale rationale,
      Facts facts) {
    List<FactText.Labelled> rows = FactText.rows(facts);
    return new Output(
        spec.name(),
        kind,
        spec.topic(),
        rationale.publishes(),
        spec.schema().getFullName(),
        fingerprint(spec),
        madeOf,
        spends,
        rationale.sources(),
        lines(rows, OF_ERRORS),
        lines(rows, Set.of("warning")),
        rationale.caveats(),
        rows,
        FactJson.of(facts));
  }

  private static String fingerprint(OutputSpec spec) {
    return HexFormat.of().toHexDigits(SchemaNormalization.parsingFingerprint64(spec.schema()));
  }

  private static List<String> lines(List<FactText.Labelled> rows, Set<String> labels) {
    return rows.stream()
        .filter(row -> labels.contains(row.label()))
        .flatMap(row -> row.lines().stream())
        .toList();
  }

  private static List<RenyiFilter> curve(PrivacyCost charge) {
    List<RenyiFilter> curve = new ArrayList<>();
    for (double order : ORDERS) {
      double nats = charge.curve().at(order);
      if (RenyiOrders.contains(order) && Double.isFinite(nats)) {
        curve.add(new RenyiFilter(order, nats));
      }
    }
    return curve;
  }
}
