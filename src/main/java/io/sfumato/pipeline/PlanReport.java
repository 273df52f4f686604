package io.sfumato.pipeline;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Conversion;
import io.sfumato.accounting.Period;
import io.sfumato.accounting.RenyiCurve;
import io.sfumato.accounting.RenyiUnits;
import io.sfumato.mechanism.dirichlet.DirichletPlan;
import io.sfumato.pipeline.Plan.PlannedRelease;
import java.util.Locale;

/** A plan in words and as JSON. */
public final class PlanReport {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Share of the error of guessing uniform above which a release says little. */
  private static final double NEAR_UNIFORM = 0.75;

  private PlanReport() {}

  /** For people. */
  public static String text(Plan plan) {
    Pipeline pipeline = plan.pipeline();
    StringBuilder text = new StringBuilder();
    line(text, "pipeline   %s, version %d", pipeline.name(), pipeline.version());
    line(
        text,
        "windows    %s of event time, closing %s after their end by %s",
        Fields.word(pipeline.window().size()),
        Fields.word(pipeline.window().grace()),
        pipeline.window().clock() == WindowSpec.Clock.RECORDS ? "the records' clock" : "ticks");
    line(
        text,
        "budget     %s: epsilon %s, delta %s per subject and %s, unit %s",
        pipeline.budget().name(),
        pipeline.budget().epsilon(),
        pipeline.budget().delta(),
        pipeline.budget().period().word(),
        pipeline.budget().unit().word());
    line(text, "protects   %s", protects(pipeline));
    for (PlannedRelease release : plan.releases()) {
      DirichletPlan dirichlet = release.dirichlet();
      HistogramSpec spec = release.spec();
      double cost = RenyiUnits.toNats(dirichlet.share().cost(dirichlet.mechanism().charge()));
      line(text, "");
      line(text, "release    %s -> topic %s", spec.name(), spec.topic());
      line(
          text,
          "  share      epsilon %s, delta %s, counted at Rényi order %s",
          spec.share().epsilon(),
          spec.share().delta(),
          order(dirichlet.share().order()));
      line(
          text,
          "  parameters y ~ Dirichlet(r f + a), r = %.6g, a = %.6g (%s calibration)",
          dirichlet.mechanism().parameters().r(),
          dirichlet.mechanism().parameters().a(),
          spec.calibration().word());
      line(
          text,
          "  cost       %.6g of %.6g nats a release: the share lasts %,d %s%s",
          cost,
          RenyiUnits.toNats(dirichlet.share().cap()),
          dirichlet.releases(),
          dirichlet.releases() == 1 ? "window" : "windows",
          lasts(pipeline, dirichlet.releases()));
      RenyiCurve one = dirichlet.mechanism().charge().curve();
      double delta = spec.share().delta().roundedDown();
      if (dirichlet.releases() > 1) {
        line(
            text,
            "  reported   one release alone is (%.4g, %s), all %,d together (%.4g, %s): the best order of each",
            Conversion.epsilon(one, delta),
            spec.share().delta(),
            dirichlet.releases(),
            Conversion.epsilon(RenyiCurve.zero().plus(dirichlet.releases(), one), delta),
            spec.share().delta());
      }
      line(
          text,
          "  error      expected KL %.4g nats for %s records of the planned mix (guessing uniform is %.4g)",
          dirichlet.expectedKl(),
          amount(spec.model().size()),
          uniformKl(spec));
      if (dirichlet.expectedKl() > NEAR_UNIFORM * uniformKl(spec)) {
        line(
            text,
            "  warning    releases will be near uniform: raise the share, plan fewer windows, widen the window or merge categories");
      }
    }
    return text.toString();
  }

  /** For programs. */
  public static String json(Plan plan) {
    Pipeline pipeline = plan.pipeline();
    ObjectNode root = JSON.createObjectNode();
    root.put("pipeline", pipeline.name()).put("version", pipeline.version());
    root.put("protects", protects(pipeline));
    root.putObject("budget")
        .put("name", pipeline.budget().name())
        .put("unit", pipeline.budget().unit().word())
        .put("epsilon", pipeline.budget().epsilon().value())
        .put("delta", pipeline.budget().delta().value())
        .put("period", pipeline.budget().period().word());
    var releases = root.putArray("releases");
    for (PlannedRelease release : plan.releases()) {
      DirichletPlan dirichlet = release.dirichlet();
      releases
          .addObject()
          .put("name", release.spec().name())
          .put("topic", release.spec().topic())
          .put("method", "dirichlet")
          .put("calibration", release.spec().calibration().word())
          .put("epsilon", release.spec().share().epsilon().value())
          .put("delta", release.spec().share().delta().value())
          .put("order", dirichlet.share().order())
          .put("r", dirichlet.mechanism().parameters().r())
          .put("alpha", dirichlet.mechanism().parameters().a())
          .put(
              "renyi_epsilon",
              RenyiUnits.toNats(dirichlet.share().cost(dirichlet.mechanism().charge())))
          .put("renyi_budget", RenyiUnits.toNats(dirichlet.share().cap()))
          .put(
              "epsilon_of_one_release",
              Conversion.epsilon(
                  dirichlet.mechanism().charge().curve(),
                  release.spec().share().delta().roundedDown()))
          .put("windows", dirichlet.releases())
          .put("expected_kl", dirichlet.expectedKl());
    }
    return root.toPrettyString();
  }

  /** What the guarantee bounds, in the words of docs/privacy.md. */
  public static String protects(Pipeline pipeline) {
    String bound =
        pipeline.budget().period() instanceof Period.Window
            ? "what all outputs together reveal about the category of any ONE record"
            : "what all outputs of one period together reveal about one record's category, even if one"
                + " record in EVERY window of the period is changed";
    return bound + "; who has records, how many and when stays public";
  }

  private static String lasts(Pipeline pipeline, long windows) {
    if (pipeline.budget().period() instanceof Period.Window) {
      return ", a new one every window";
    }
    double days = windows * (pipeline.window().size().toMillis() / 86_400_000.0);
    String length =
        days >= 2
            ? String.format(Locale.ROOT, "%.0f days", days)
            : String.format(Locale.ROOT, "%.3g hours", days * 24);
    return pipeline.budget().period() instanceof Period.Lifetime
        ? " of a subject (" + length + " if all have records), then ONE refusal and silence"
        : " of a subject in each period of " + pipeline.budget().period().word();
  }

  private static double uniformKl(HistogramSpec spec) {
    int d = spec.model().shares().size();
    return spec.model().shares().stream().mapToDouble(p -> p > 0 ? p * Math.log(p * d) : 0).sum();
  }

  private static String order(double order) {
    return order == Math.rint(order) ? Long.toString((long) order) : Double.toString(order);
  }

  private static String amount(double size) {
    return size == Math.rint(size) ? Long.toString((long) size) : Double.toString(size);
  }

  private static void line(StringBuilder text, String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
