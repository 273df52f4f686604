// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Plurals;
import io.sfumato.pipeline.Population;
import io.sfumato.release.Plan;
import io.sfumato.release.PlanReport;
import io.sfumato.release.ReleaseCalendar;
import io.sfumato.serde.RejectionCode;
import io.sfumato.topology.TopologyDrawing;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.streams.TopologyDescription;

/**
 * What the operators' page shows, as JSON: the same counts that the metrics show, and the latest
 * outputs, without their subjects unless the file lists these.
 */
final class StatusDocument {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SECONDS = 60;

  /** Right in themselves, only too late or too early: no dead letters. */
  private static final Set<RejectionCode> UNTIMELY =
      Set.of(RejectionCode.LATE, RejectionCode.EARLY);

  private Plan plan;
  private final RunningCounts counts;
  private final Health health;
  private final OperatorEvents notes;
  private final ClusterProbe probe;
  private final String noiseKeyTag;
  private final Deque<Long> accepted = new ArrayDeque<>();
  private Optional<LatestOutputs> latest = Optional.empty();
  private Optional<TopologyDescription> topology = Optional.empty();

  StatusDocument(
      Plan plan,
      RunningCounts counts,
      Health health,
      OperatorEvents notes,
      ClusterProbe probe,
      String noiseKeyTag) {
    this.plan = plan;
    this.counts = counts;
    this.health = health;
    this.notes = notes;
    this.probe = probe;
    this.noiseKeyTag = noiseKeyTag;
  }

  /**
   * Begins to show outputs.
   *
   * @param running what is really done, which may differ from what the file plans today
   */
  synchronized void show(Plan running, LatestOutputs outputs, TopologyDescription description) {
    plan = running;
    latest = Optional.of(outputs);
    topology = Optional.of(description);
  }

  /** Called every second: rates are differences. */
  synchronized void tick() {
    accepted.addLast(counts.acceptedRecords());
    if (accepted.size() > SECONDS + 1) {
      accepted.removeFirst();
    }
  }

  synchronized String json() {
    ObjectNode json = JSON.createObjectNode();
    json.put("at", Instant.now().toString());
    pipeline(json.putObject("pipeline"));
    health(json.putObject("health"));
    records(json.putObject("records"));
    releases(json);
    partitions(json.putArray("partitions"));
    next(json.putArray("next"));
    budgets(json.putArray("budgets"));
    latest.ifPresent(outputs -> OutputCards.write(plan, outputs, json.putArray("latest")));
    latest.ifPresent(
        outputs -> OutputCards.writeTogether(plan, outputs, json.putArray("together")));
    latest.ifPresent(outputs -> OutputCards.writeMore(plan, outputs, json.putArray("more")));
    topology.ifPresent(t -> TopologyDrawing.write(t, json.putObject("topology")));
    return json.toString();
  }

  private void pipeline(ObjectNode json) {
    Pipeline pipeline = plan.pipeline();
    Promise promise = new Promise(plan);
    json.put("name", pipeline.name())
        .put("version", pipeline.version())
        .put("budget", pipeline.budget().name())
        .put("noise_key", noiseKeyTag)
        .put("input", pipeline.input().topics().words())
        .put("headline", promise.headline())
        .put("users", pipeline.population().isPresent())
        .put("period", promise.period())
        .put("roster", pipeline.subjects() == Pipeline.Subjects.ROSTER)
        .put("listed", pipeline.subjects() == Pipeline.Subjects.LISTED)
        .put("protects", PlanReport.protects(pipeline))
        .put("promise", promise.odds());
    promise.sums().ifPresent(sums -> json.put("sums", sums));
    pipeline
        .population()
        .ifPresent(population -> json.put("bounds", bounds(population, "") + ownBounds(pipeline)));
    pipeline.budget().anySpan().ifPresent(span -> json.put("any", span.spoken()));
    ArrayNode outputs = json.putArray("outputs");
    for (PlannedRelease release : plan.releases()) {
      boolean asked = release.spec().answersQueries();
      boolean records = release.spec().chargesRecords();
      outputs
          .addObject()
          .put("name", release.spec().name())
          .put("topic", release.spec().topic())
          .put("epsilon", release.share().epsilon().toString())
          .put("delta", release.share().delta().toString())
          .put("lasts", release.share().affords(release.charge()))
          .putObject("counted")
          .put("one", asked ? "query" : records ? "record" : "release")
          .put("many", asked ? "queries" : records ? "records" : "releases");
    }
  }

  /**
   * What no bar contains.
   *
   * @param size of a window, to be put behind it; empty where it is the file's
   */
  private static String bounds(Population population, String size) {
    String period =
        population.chargesRecords()
            ? ", and at most %,d in a period".formatted(population.perPeriod().getAsInt())
            : "";
    return "At most %,d records of a user in a window%s count, for at most %s%s; the rest is dropped, and no interval includes that bias."
        .formatted(
            population.records(), size, Plurals.of(population.subjects(), "subject"), period);
  }

  /** The same of outputs with bounds of their own; empty where there are none. */
  private static String ownBounds(Pipeline pipeline) {
    return pipeline.questions().stream()
        .map(
            question ->
                " %s: %s"
                    .formatted(
                        String.join(", ", question.outputs()),
                        bounds(
                            question.population(),
                            question.windows() == 1
                                ? ""
                                : " of " + pipeline.window().times(question.windows()).sizeWord())))
        .collect(Collectors.joining());
  }

  private void health(ObjectNode json) {
    Health.Status status = health.status();
    json.put("state", health.state().name())
        .put("live", status.live())
        .put("ready", status.ready())
        .put("advancing", status.advancing())
        .put("brokers", probe.brokers())
        .put("brokers_most", probe.mostBrokers());
    ArrayNode reasons = json.putArray("reasons");
    status.reasons().forEach(reasons::add);
    ArrayNode known = json.putArray("notes");
    notes.now().forEach(known::add);
  }

  private void records(ObjectNode json) {
    json.put("accepted", counts.acceptedRecords());
    json.put("unselected", counts.unselectedRecords());
    json.put("unenrolled", counts.notEnrolledRecords());
    ArrayNode rates = json.putArray("per_second");
    long before = -1;
    for (long total : accepted) {
      if (before >= 0) {
        rates.add(total - before);
      }
      before = total;
    }
    ObjectNode untimely = json.putObject("untimely");
    ObjectNode dead = json.putObject("dead_letters");
    counts
        .rejections()
        .forEach(
            (code, count) ->
                (UNTIMELY.contains(code) ? untimely : dead)
                    .put(code.name().toLowerCase(Locale.ROOT), count));
  }

  private void releases(ObjectNode json) {
    ArrayNode outputs = json.putArray("outputs");
    Map<String, Long> released = counts.releasesByOutput();
    Map<String, Long> asked = counts.candidates();
    for (PlannedRelease release : plan.releases()) {
      String name = release.spec().name();
      ObjectNode output =
          outputs.addObject().put("name", name).put("released", released.getOrDefault(name, 0L));
      if (release.spec().answersQueries()) {
        output.put("asked", asked.getOrDefault(name, 0L));
      }
      ObjectNode refused = output.putObject("refused");
      counts
          .refusalsByReason()
          .forEach(
              (refusal, count) -> {
                if (refusal.output().equals(name)) {
                  refused.put(refusal.code().toLowerCase(Locale.ROOT), count);
                }
              });
      output.put("silent", counts.silences().getOrDefault(name, 0L));
    }
    ArrayNode charges = json.putArray("charges");
    counts
        .charges()
        .forEach(
            (charged, count) ->
                charges
                    .addObject()
                    .put("share", charged.share())
                    .put("mechanism", charged.mechanism())
                    .put("count", count));
  }

  private void partitions(ArrayNode json) {
    counts
        .partitions()
        .forEach(
            (partition, progress) -> {
              ObjectNode node = json.addObject().put("partition", partition);
              progress
                  .lagMillis(plan.pipeline().window(), System.currentTimeMillis())
                  .ifPresent(lag -> node.put("lag_seconds", lag / 1e3));
              progress
                  .released()
                  .ifPresent(
                      end -> node.put("released_through", plan.pipeline().window().timeText(end)));
              if (progress.heldBackBy() >= 0) {
                heldBack(node, progress.heldBackBy());
              }
            });
  }

  /** A partition of the only topic, or one of several with the topic's name. */
  private void heldBack(ObjectNode node, int source) {
    String words = counts.words(source);
    if (words.equals(Integer.toString(source))) {
      node.put("held_back_by", source);
    } else {
      node.put("held_back_by", words);
    }
  }

  /** Outputs that pass windows over: which one is next, behind those that are released. */
  private void next(ArrayNode json) {
    counts.partitions().values().stream()
        .flatMapToLong(progress -> progress.released().stream())
        .min()
        .ifPresent(
            through ->
                new ReleaseCalendar(plan.pipeline())
                    .sparse(through)
                    .forEach(
                        due ->
                            json.addObject()
                                .put("outputs", String.join(", ", due.outputs()))
                                .put("from", plan.pipeline().window().timeText(due.start()))
                                .put("closes", plan.pipeline().window().timeText(due.closes()))));
  }

  private void budgets(ArrayNode json) {
    if (plan.pipeline().population().isPresent() || plan.pipeline().calendar().isPresent()) {
      // The users' keepers tell of no ledger, and spans that overlap leave no one rest.
      return;
    }
    for (PlannedRelease release : plan.releases()) {
      BudgetView view = BudgetView.of(counts.spent().get(release.share().name()));
      ObjectNode node = json.addObject().put("share", release.share().name());
      double half = view.atLeast(0.5);
      if (view.isEmpty()) {
        node.put("nobody", true);
      } else if (!Double.isNaN(half)) {
        node.put("half", half)
            .put("most", view.atLeast(0.8))
            .put("all", view.atLeast(1))
            .put("left", view.left(release));
      }
    }
  }
}
