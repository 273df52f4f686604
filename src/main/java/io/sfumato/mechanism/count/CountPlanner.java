package io.sfumato.mechanism.count;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Counting;
import io.sfumato.accounting.Share;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.ShareRequest;
import io.sfumato.mechanism.baseline.LeastNoise;
import java.util.Optional;

/** The least noise on counts that a share affords. */
public final class CountPlanner {
  private CountPlanner() {}

  /** Discrete Gaussian noise; nothing if even sigma 2^17 is too little. */
  public static Optional<CountPlan> gaussian(ShareRequest request, Sensitivity sensitivity) {
    return LeastNoise.gaussian(request, Accountant.RENYI, sensitivity)
        .map(
            found -> plan(request, found, new CountNoise.Gaussian(found.parameter()), sensitivity));
  }

  /** Discrete Laplace noise; nothing if even scale 2^20 is too little. */
  public static Optional<CountPlan> laplace(ShareRequest request, Sensitivity sensitivity) {
    return LeastNoise.laplace(request, Accountant.RENYI, sensitivity)
        .map(found -> plan(request, found, new CountNoise.Laplace(found.parameter()), sensitivity));
  }

  /** Not a window more than asked for: the sensitivity of running counts rests on that. */
  private static CountPlan plan(
      ShareRequest request, LeastNoise least, CountNoise noise, Sensitivity sensitivity) {
    CountMechanism mechanism = new CountMechanism(noise, sensitivity);
    Counting.AtOrder at = (Counting.AtOrder) least.counting();
    Counting counting =
        new Counting.AtOrder(at.order(), at.cost(mechanism.charge()) * request.horizon());
    return new CountPlan(
        new Share(request.name(), request.epsilon(), request.delta(), counting), mechanism);
  }
}
