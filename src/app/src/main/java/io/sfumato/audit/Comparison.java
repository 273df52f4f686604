// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.audit.Run.Published;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Pipeline.Subjects;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.release.abc.AbcSpec;
import io.sfumato.serde.SchemaSource;
import io.sfumato.topology.LedgerImage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Compares all that left the pipeline in two runs, byte by byte. Nothing here is left to chance:
 * the noise of both is the same function of its exact input, so that whatever differs was made to.
 */
final class Comparison {
  /** What tells people which output is meant. */
  private static final Set<String> SHOWN =
      Set.of(
          "subject",
          "window_start",
          "item",
          "query_id",
          "candidate",
          "code",
          "offset",
          "since",
          "counts",
          "probabilities",
          "accepted",
          "category");

  private final Pipeline pipeline;
  private final SchemaSource schemas;
  private final Set<String> sparse;

  /**
   * Outputs that go by earlier ones: where these were drawn of other inputs they may be drawn or
   * refused, and differ in all that is public. Their draws are judged by {@link ExactLoss}.
   */
  private final List<ReleaseSpec> adaptive;

  private final boolean listMayBeFull;

  /** Names of outputs whose draws go by windows before the first that they are about. */
  private final Set<String> goingBack;

  private final Change change;
  private final Order order;
  private final List<String> differences = new ArrayList<>();

  /** Which order of a topic's records is compared. */
  enum Order {
    OF_ALL,
    OF_EACH_DATASET
  }

  /**
   * @param change what may differ
   */
  Comparison(Pipeline pipeline, SchemaSource schemas, Change change, Order order) {
    this.pipeline = pipeline;
    this.schemas = schemas;
    this.change = change;
    this.order = order;
    this.sparse =
        AbcSpec.of(pipeline).stream()
            .filter(spec -> spec.method() instanceof AbcSpec.Method.SparseVector)
            .map(AbcSpec::name)
            .collect(Collectors.toSet());
    this.adaptive =
        pipeline.releases().stream()
            .filter(
                spec ->
                    !spec.boundsWanted().isEmpty() || pipeline.subjects() == Subjects.DISCOVERED)
            .toList();
    this.listMayBeFull = ScenarioSetting.mayFillList(pipeline);
    this.goingBack =
        pipeline.releases().stream()
            .filter(ReleaseSpec::readsEarlierWindows)
            .map(ReleaseSpec::name)
            .flatMap(pipeline::withDerived)
            .collect(Collectors.toSet());
  }

  /** What differs that must not; empty if nothing does. */
  List<String> of(Run first, Run second) {
    if (!first.stopped().map(Run.Stop::why).equals(second.stopped().map(Run.Stop::why))) {
      return List.of("first run %s; second run %s".formatted(ended(first), ended(second)));
    }
    if (first.stopped().isPresent()) {
      // Told once for both; what they had written by then depends on when they stopped.
      return List.of();
    }
    first.drawnTwice().forEach(id -> differences.add("drawn twice: " + id));
    first
        .drawnElsewhere()
        .forEach(id -> differences.add("not drawn from the exact input that it shows: " + id));
    for (String topic : first.outputs().keySet()) {
      topic(topic, first.outputs().get(topic), second.outputs().get(topic));
    }
    if (!sparse.isEmpty() && !change.datasets().isEmpty()) {
      Set<String> ended = ofTouchedQueries(first);
      if (!ended.equals(ofTouchedQueries(second))) {
        differences.add(
            "sparse vector: the two runs answer different candidates or end at "
                + "different ones");
      }
    }
    ledgers(first, second);
    return differences;
  }

  private static String ended(Run run) {
    return run.stopped().map(why -> "stops at " + why).orElse("comes to its end");
  }

  private void topic(String topic, List<Published> first, List<Published> second) {
    List<Published> mine = judged(topic, first);
    List<Published> other = judged(topic, second);
    for (int i = 0; i < Math.max(mine.size(), other.size()); i++) {
      if (i >= mine.size() || i >= other.size()) {
        differences.add(
            "topic %s: %d outputs in the first run, %d in the second; first extra output: %s"
                .formatted(
                    topic,
                    mine.size(),
                    other.size(),
                    shown(i < mine.size() ? mine.get(i) : other.get(i))));
        return;
      }
      Optional<String> found = difference(mine.get(i), other.get(i));
      if (found.isPresent()) {
        differences.add(
            "topic %s, output %d: %s; first %s; second %s"
                .formatted(topic, i, found.get(), shown(mine.get(i)), shown(other.get(i))));
        return;
      }
    }
  }

  /** What of a topic is compared: the order of different datasets only where it must not differ. */
  private List<Published> judged(String topic, List<Published> records) {
    var judged = records.stream().filter(record -> !isExempt(topic, record));
    return order == Order.OF_ALL
        ? judged.toList()
        : judged.sorted(Comparator.comparing(this::dataset)).toList();
  }

  /** Which output of which dataset it is about; nothing of those that are about none. */
  private String dataset(Published record) {
    return Payload.of(record.value(), schemas)
        .filter(payload -> payload.fields().containsKey("window_start"))
        .map(
            payload ->
                String.join(
                    "/",
                    payload.text("subject"),
                    payload.text("output"),
                    payload.text("window_start")))
        .orElse("");
  }

  private Optional<String> difference(Published first, Published second) {
    if (!Arrays.equals(first.key(), second.key())) {
      return Optional.of("keys differ");
    }
    if (first.timestamp() != second.timestamp()) {
      return Optional.of(
          "timestamps differ, %d and %d".formatted(first.timestamp(), second.timestamp()));
    }
    if (!first.headers().equals(second.headers())) {
      return Optional.of("headers differ");
    }
    if (Arrays.equals(first.value(), second.value())) {
      return Optional.empty();
    }
    Optional<Payload> mine = Payload.of(first.value(), schemas);
    Optional<Payload> other = Payload.of(second.value(), schemas);
    if (mine.isEmpty() || other.isEmpty()) {
      return Optional.of("values differ");
    }
    if (!isTouched(mine.get())) {
      return Optional.of("a payload differs although no changed record contributes to it");
    }
    List<String> fields = mine.get().publicDifferences(other.get());
    return fields.isEmpty()
        ? Optional.empty()
        : Optional.of("public fields differ: " + String.join(", ", fields));
  }

  private boolean isTouched(Payload payload) {
    if (!payload.fields().containsKey("window_start")) {
      return false;
    }
    String subject = payload.text("subject");
    // Its last moment: a longer window is touched by each of those in it.
    long last = payload.millis("window_end") - 1;
    return goingBack.contains(payload.text("output"))
        ? change.touchesBefore(subject, last)
        : change.touches(subject, payload.millis("since"), last);
  }

  /** What is about a changed record alone, and what a touched sparse-vector query says. */
  private boolean isExempt(String topic, Published record) {
    if (change.offsets().isEmpty()) {
      return false;
    }
    Optional<Payload> payload = Payload.of(record.value(), schemas);
    if (payload.isEmpty()) {
      return false;
    }
    if (topic.equals(pipeline.deadLettersTopic())) {
      return payload.get().text("topic").equals(Replay.recordsTopic(pipeline))
          && change.offsets().contains((Long) payload.get().fields().get("offset"));
    }
    return isOfTouchedQuery(payload.get()) || goesByTouched(payload.get());
  }

  private boolean goesByTouched(Payload payload) {
    return adaptive.stream().anyMatch(spec -> spec.name().equals(payload.text("output")))
            && change.touchesBefore(payload.text("subject"), payload.millis("window_end") - 1)
        || listMayBeFull
            && payload.fields().containsKey("window_start")
            && change.touchesAnyBefore(payload.millis("window_end") - 1);
  }

  private boolean isOfTouchedQuery(Payload payload) {
    boolean over = payload.text("code").equals("QUERY_OVER");
    return sparse.contains(payload.text("output"))
        && (payload.type().equals("AbcDecision") || over)
        && isTouched(payload);
  }

  /** Which candidates of touched sparse-vector queries were answered or told that it is over. */
  private Set<String> ofTouchedQueries(Run run) {
    Set<String> candidates = new TreeSet<>();
    for (List<Published> topic : run.outputs().values()) {
      for (Published record : topic) {
        Payload.of(record.value(), schemas)
            .filter(this::isOfTouchedQuery)
            .ifPresent(
                payload ->
                    candidates.add(
                        String.join(
                            "/",
                            payload.text("output"),
                            payload.text("query_id"),
                            payload.text("candidate"),
                            Long.toString(record.timestamp()))));
      }
    }
    return candidates;
  }

  /** Ledgers never leave, but what is admitted of everybody else follows from theirs. */
  private void ledgers(Run first, Run second) {
    if (!ofOthers(first).equals(ofOthers(second))) {
      differences.add("ledgers of unchanged subjects or users differ");
    }
  }

  private List<LedgerImage.Line> ofOthers(Run run) {
    return run.ledgers().stream()
        .filter(line -> !change.touches(line))
        .filter(line -> !goesByTouched(line))
        .toList();
  }

  /** What is not drawn is not charged, where subjects have ledgers. */
  private boolean goesByTouched(LedgerImage.Line line) {
    return pipeline.population().isEmpty()
        && adaptive.stream().anyMatch(spec -> spec.share().ledger().equals(line.share()))
        && change.touchesBefore(line);
  }

  private String shown(Published record) {
    String key = record.key() == null ? "none" : new String(record.key(), StandardCharsets.UTF_8);
    return Payload.of(record.value(), schemas)
        .map(
            payload ->
                payload.fields().entrySet().stream()
                    .filter(field -> SHOWN.contains(field.getKey()))
                    .map(field -> field.getKey() + " " + field.getValue())
                    .collect(Collectors.joining(", ", "(", ")")))
        .orElse("key " + key + " at " + Instant.ofEpochMilli(record.timestamp()));
  }
}
