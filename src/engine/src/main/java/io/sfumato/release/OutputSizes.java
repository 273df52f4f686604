// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.accounting.Share;
import io.sfumato.pipeline.Bytes;
import io.sfumato.pipeline.DerivedSpec;
import io.sfumato.pipeline.FieldLimits;
import io.sfumato.pipeline.Footprint;
import io.sfumato.pipeline.Footprint.Kind;
import io.sfumato.pipeline.Footprint.Part;
import io.sfumato.pipeline.OutputBytes;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import java.util.ArrayList;
import java.util.List;

/** The largest record of each output, of the refusals and of the dead letters. */
final class OutputSizes {
  /** Longest name of a Kafka topic. */
  private static final int TOPIC = 249;

  /** Names and values of our three headers, but for the subject in the release's id. */
  private static final int HEADERS = 600;

  /** Names of codes, units, clocks, tags of keys: plain and short. */
  private static final int WORD = 40;

  /** The longest hint of a dead letter: it may name a time format of the file. */
  private static final int HINT = 500;

  /** The sentence that says what neighbours are. */
  private static final int ADJACENCY = 300;

  private final Pipeline pipeline;

  private OutputSizes(Pipeline pipeline) {
    this.pipeline = pipeline;
  }

  static List<Footprint> of(Plan plan) {
    OutputSizes sizes = new OutputSizes(plan.pipeline());
    List<Footprint> outputs = new ArrayList<>();
    plan.releases().forEach(release -> outputs.add(sizes.release(release)));
    plan.pipeline().derived().forEach(derived -> outputs.add(sizes.derived(plan, derived)));
    outputs.add(sizes.refusal());
    outputs.add(sizes.deadLetter());
    return outputs;
  }

  private Footprint release(PlannedRelease release) {
    OutputBytes out = begun(release.spec().schema().getName(), release.spec().name());
    return finished(out, release.spec().name(), release, release.size(out, pipeline));
  }

  /** It has the guarantee of the output that it is made of. */
  private Footprint derived(Plan plan, DerivedSpec derived) {
    OutputBytes out = begun(derived.schema().getName(), derived.name());
    return finished(out, derived.name(), plan.release(derived.of()), derived.size(out));
  }

  private OutputBytes record(String schema) {
    return new OutputBytes(pipeline.format(), schema);
  }

  /** What every release says of itself. */
  private OutputBytes begun(String schema, String output) {
    return record(schema)
        .anyText("release_id", FieldLimits.SUBJECT, idWithoutSubject(output))
        .text("pipeline", pipeline.name())
        .text("output", output)
        .anyText("subject", FieldLimits.SUBJECT, 0)
        .time("window_start")
        .time("window_end");
  }

  /** Budget, incarnation, version, output (with a query's id), window and index, with slashes. */
  private int idWithoutSubject(String output) {
    return Bytes.utf8(pipeline.budget().name())
        + 32
        + 8
        + Bytes.utf8(output)
        + 1
        + FieldLimits.QUERY_ID
        + 31
        + 10
        + 6;
  }

  private void guarantee(OutputBytes out, PlannedRelease release) {
    Share share = release.share();
    out.nested("guarantee")
        .anyText("unit", 0, WORD)
        .anyText("adjacency", 0, ADJACENCY)
        .anyText("clock", 0, WORD)
        .text("period", pipeline.budget().period().word())
        .text("mechanism", release.charge().mechanism())
        .text("admission", share.counting().words())
        .decimal("renyi_order")
        .decimal("renyi_epsilon")
        .decimal("epsilon")
        .decimal("delta")
        .text("budget", pipeline.budget().name())
        .whole("pipeline_version")
        .anyText("noise_key", 0, WORD);
  }

  private Footprint finished(
      OutputBytes out, String output, PlannedRelease release, List<Part> parts) {
    guarantee(out, release);
    // The mechanism's own text is a part: references of items can be long.
    long text = out.ofText(release.charge().mechanism());
    List<Part> all = new ArrayList<>(parts);
    all.add(
        new Part(
            "releases." + release.spec().name(),
            1,
            text,
            "give it a reference of fewer categories or components"));
    // Key, headers, and the subject once more in the release's id.
    long fixed = out.bytes() - text + 2L * FieldLimits.SUBJECT + HEADERS;
    return new Footprint(Kind.OUTPUT, output, fixed, all);
  }

  private Footprint refusal() {
    OutputBytes out =
        record("Refusal")
            .text("pipeline", pipeline.name())
            // The longest name that any output may have.
            .anyText("output", 0, FieldLimits.QUERY_ID)
            .anyText("subject", FieldLimits.SUBJECT, 0)
            .time("window_start")
            .time("window_end")
            .anyText("code", 0, WORD)
            .anyText("query_id", 0, FieldLimits.QUERY_ID)
            .whole("candidate")
            .whole("pipeline_version");
    return new Footprint(
        Kind.OUTPUT,
        pipeline.refusalsTopic(),
        out.bytes() + FieldLimits.SUBJECT + HEADERS,
        List.of());
  }

  private Footprint deadLetter() {
    OutputBytes out =
        record("DeadLetter")
            .anyText("topic", 0, TOPIC)
            .whole("partition")
            .whole("offset")
            .anyText("code", 0, WORD)
            .anyText("hint", 0, HINT);
    return new Footprint(
        Kind.OUTPUT, pipeline.deadLettersTopic(), out.bytes() + TOPIC + 11, List.of());
  }
}
