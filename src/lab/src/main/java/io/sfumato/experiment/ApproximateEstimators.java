// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import static io.sfumato.experiment.Estimator.CLIP;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Bisection;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.accounting.RenyiUnits;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.estimate.additive.NoiseCalibration;
import io.sfumato.estimate.dirichlet.DirichletCalibrator;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.mechanism.dirichlet.DirichletBound;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoublePredicate;
import java.util.function.Function;

/**
 * Figures 9 to 11: a whole model is (epsilon, delta)-private. How its K tables share that:
 *
 * <ul>
 *   <li>Dirichlet: an equal part each of the Rényi divergence of one order, the same for all;
 *   <li>Gohari et al., Gaussian: (epsilon / K, delta / K) each, as the paper's remark on
 *       composition reads; Laplace: pure epsilon / K each;
 *   <li>the fair ones: K times the same noise, by the loss of all of them together. (Gaussian: one
 *       of K times the squared sensitivity. Laplace: the bound of discrete noise, two randomised
 *       responses a table, which dominates the continuous one.)
 * </ul>
 *
 * @param delta of a model, above 0
 */
record ApproximateEstimators(Delta delta) implements Estimators {
  private static final MathContext DOWN = new MathContext(6, RoundingMode.DOWN);

  @Override
  public List<Contender> contenders() {
    return List.of(Contender.values());
  }

  @Override
  public List<Estimator> of(Contender contender, double epsilon, List<PublicRows> tables)
      throws ExperimentException {
    int k = tables.size();
    CalibrationTarget all = request(epsilon, 1, k);
    CalibrationTarget each = request(epsilon, k, 1);
    return switch (contender) {
      case DIRICHLET_PAPER -> dirichlet(all, Accountant.PAPER, new DirichletBound.Paper(), tables);
      case DIRICHLET_EXACT ->
          dirichlet(all, Accountant.RENYI, new DirichletBound.ReplaceOne(), tables);
      case GOHARI ->
          forEach(
              tables,
              rows ->
                  GohariPlan.best(each.epsilon().roundedDown(), each.delta().roundedDown(), rows)
                      .map(Estimator::dirichlet));
      case GAUSSIAN_PAPER -> Collections.nCopies(k, Estimator.gaussian(sigma(each), CLIP));
      case GAUSSIAN_FAIR -> {
        double sigma = sigma(all);
        yield Collections.nCopies(k, Estimator.gaussian(sigma, sigma / 2));
      }
      case LAPLACE_PAPER ->
          Collections.nCopies(k, Estimator.laplace(2 / each.epsilon().roundedDown(), CLIP));
      case LAPLACE_FAIR -> {
        AdditiveNoise noise =
            NoiseCalibration.laplace(all, Accountant.EXACT, Sensitivity.replaceOne())
                .orElseThrow(() -> tooLittle(all))
                .noise();
        double b = ((LaplaceNoise) noise).scale();
        yield Collections.nCopies(k, Estimator.laplace(b, b / Math.sqrt(2)));
      }
    };
  }

  private CalibrationTarget request(double epsilon, int parts, int releases) {
    BigDecimal part = new BigDecimal(epsilon).divide(BigDecimal.valueOf(parts), DOWN);
    BigDecimal failure = delta.value().divide(BigDecimal.valueOf(parts), DOWN);
    return new CalibrationTarget("table", new Epsilon(part), new Delta(failure), releases);
  }

  private static ExperimentException tooLittle(CalibrationTarget request) {
    return new ExperimentException(
        "nothing is private enough at epsilon %s and delta %s for %d tables; raise --delta"
            .formatted(request.epsilon(), request.delta(), request.horizon()));
  }

  /** Every table its own pair, at the order that is best for a middle one. */
  private static List<Estimator> dirichlet(
      CalibrationTarget all, Accountant accountant, DirichletBound bound, List<PublicRows> tables)
      throws ExperimentException {
    List<PublicRows> byWidth =
        tables.stream().sorted(Comparator.comparingInt(PublicRows::categories)).toList();
    PublicRows middle = byWidth.get(byWidth.size() / 2);
    Optional<HistogramPlan> plan = DirichletCalibrator.plan(all, accountant, middle.plan());
    if (plan.isEmpty()) {
      throw tooLittle(all);
    }
    PrivacyFilter.RenyiFilter filter = (PrivacyFilter.RenyiFilter) plan.get().share().filter();
    double budget = RenyiUnits.toNats(filter.cap() / tables.size());
    return forEach(
        tables,
        rows ->
            DirichletCalibrator.pair(filter.order(), budget, bound, rows.plan())
                .map(Estimator::dirichlet));
  }

  /** Like tables have like mechanisms: each is sought once. */
  private static List<Estimator> forEach(
      List<PublicRows> tables, Function<PublicRows, Optional<Estimator>> plan)
      throws ExperimentException {
    Map<PublicRows, Optional<Estimator>> made = new HashMap<>();
    List<PublicRows> different = tables.stream().distinct().toList();
    List<Optional<Estimator>> found =
        Parallel.all(different.size(), i -> plan.apply(different.get(i)), () -> {});
    for (int i = 0; i < different.size(); i++) {
      if (found.get(i).isEmpty()) {
        throw new ExperimentException(
            "so small an epsilon affords no table of "
                + different.get(i).categories()
                + " categories");
      }
      made.put(different.get(i), found.get(i));
    }
    return tables.stream().map(rows -> made.get(rows).orElseThrow()).toList();
  }

  /** The least noise of all releases of a request: replacing a record moves each by sqrt 2. */
  private static double sigma(CalibrationTarget request) throws ExperimentException {
    double distance = Math.sqrt(2.0 * request.horizon());
    DoublePredicate tooLittle =
        sigma ->
            PrivacyProfile.gaussian(distance / sigma).delta(request.epsilon().roundedDown())
                > request.delta().roundedDown();
    return Bisection.around(1, 1e-6, 1e9, tooLittle)
        .orElseThrow(() -> tooLittle(request))
        .narrowed(1e-9, tooLittle)
        .high();
  }
}
