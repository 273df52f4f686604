// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.client.PublishedOutputs;
import io.sfumato.estimate.mollifier.PopulationEstimate;
import io.sfumato.mechanism.mollifier.FiniteItems;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plurals;
import io.sfumato.release.Plan;
import io.sfumato.release.mollifier.PlannedMollifier;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.schema.MollifiedSample;
import io.sfumato.text.Bars;
import io.sfumato.text.ControlCharEscaper;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.avro.generic.IndexedRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "estimate",
    mixinStandardHelpOptions = true,
    description = {
      "Estimates the shares of a whole population from its mollifier items, window by "
          + "window, with confidence intervals.",
      "Inverts the known distribution of the sampler. Costs no budget.",
      "Exact if every subject's window has one category. Of a subject with several, each "
          + "item counts as if it came from one of them."
    },
    footer = {"", "Example: sfumato estimate topology/diary-taste.yaml"})
final class EstimateCommand extends PipelineCommand.OnNearbyCluster {
  private static final int BAR = 20;

  @Option(
      names = "--release",
      paramLabel = "NAME",
      description = "Name of the mollifier release; by default the only one.")
  private Optional<String> release = Optional.empty();

  @Option(names = "--all", description = "All windows together instead of one by one.")
  private boolean all;

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Plan plan = plan();
    PlannedMollifier planned = planned(plan);
    if (!(planned.plan().mechanism() instanceof FiniteItems finite)) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          file
              + ": items of '"
              + planned.spec().name()
              + "' are numbers; category shares can be estimated only from items of categories");
    }
    List<String> categories = plan.pipeline().input().allCategories();
    Map<Instant, long[]> windows = new TreeMap<>();
    KafkaSettings settings = reach(plan.pipeline());
    PublishedOutputs.read(
        settings,
        List.of(planned.spec().topic()),
        output -> count(output, planned, categories, windows));
    if (windows.isEmpty()) {
      throw new RefusedException(
          ExitCode.FAILED,
          planned.spec().topic() + " holds no item yet: wait until a window is " + "released");
    }
    ArrayNode json = JsonOrText.object().putArray("windows");
    PrintWriter out = output.out();
    windows.forEach(
        (window, counts) -> {
          PopulationEstimate estimate = PopulationEstimate.of(counts, finite.sampler());
          if (output.isJson()) {
            json(json.addObject(), window, estimate, categories);
          } else {
            print(out, window, estimate, categories);
          }
        });
    if (output.isJson()) {
      out.println(json.toPrettyString());
    }
    out.flush();
    return 0;
  }

  private PlannedMollifier planned(Plan plan) throws RefusedException {
    return Chosen.of(
        file,
        plan.all(PlannedMollifier.class),
        items -> items.spec().name(),
        release,
        "has no release 'mollifier'");
  }

  private void count(
      IndexedRecord output,
      PlannedMollifier planned,
      List<String> categories,
      Map<Instant, long[]> windows) {
    // One of a category that the file does not have is none.
    if (output instanceof MollifiedSample item
        && item.getOutput().equals(planned.spec().name())
        && categories.contains(item.getCategory())) {
      Instant window = all ? Instant.EPOCH : item.getWindowStart();
      windows
          .computeIfAbsent(window, w -> new long[categories.size()])[
          categories.indexOf(item.getCategory())]++;
    }
  }

  private void print(
      PrintWriter out, Instant window, PopulationEstimate estimate, List<String> categories) {
    out.printf(
        Locale.ROOT,
        "%s: %s%n",
        all ? "all windows" : window.toString(),
        Plurals.of(estimate.items(), "item"));
    if (estimate.isIllConditioned()) {
      out.printf(
          Locale.ROOT,
          "  ill-conditioned: inverting the sampling distribution amplifies noise up to %.0f "
              + "times; raise epsilon or merge categories%n",
          estimate.condition());
    }
    for (int i = 0; i < categories.size(); i++) {
      out.printf(
          Locale.ROOT,
          "  %-14s %s %5.1f%%, 95%%: %.1f to %.1f%%  (of the items %.1f%%)%n",
          ControlCharEscaper.of(categories.get(i)),
          Bars.bar(estimate.shareWithin(i), BAR),
          100 * estimate.shareWithin(i),
          // Outwards, so that what is printed holds the truth as often as it says.
          Math.floor(1000 * estimate.intervals()[i][0]) / 10,
          Math.ceil(1000 * estimate.intervals()[i][1]) / 10,
          100 * estimate.observed()[i]);
    }
  }

  private void json(
      ObjectNode node, Instant window, PopulationEstimate estimate, List<String> categories) {
    if (!all) {
      node.put("window_start", window.toString());
    }
    node.put("items", estimate.items())
        .put("condition", estimate.condition())
        .put("ill_conditioned", estimate.isIllConditioned());
    ArrayNode shares = node.putArray("shares");
    for (int i = 0; i < categories.size(); i++) {
      shares
          .addObject()
          .put("category", categories.get(i))
          .put("share", estimate.shares()[i])
          .put("standard_error", estimate.errors()[i])
          .put("low_95", estimate.intervals()[i][0])
          .put("high_95", estimate.intervals()[i][1])
          .put("observed", estimate.observed()[i]);
    }
  }
}
