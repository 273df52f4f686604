// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.pipeline.Bytes;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.DerivedSpec;
import io.sfumato.pipeline.FieldLimits;
import io.sfumato.pipeline.OutputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.RecordBytes;
import io.sfumato.pipeline.SizeBound;
import io.sfumato.pipeline.SizeBound.Kind;
import io.sfumato.rows.RowColumn;
import io.sfumato.schema.DeadLetter;
import io.sfumato.schema.Refusal;
import io.sfumato.schema.ReleasedThrough;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;

/** The largest record of each output, of the refusals and of the dead letters. */
final class OutputSizes {
  /** Longest name of a Kafka topic. */
  private static final int TOPIC = 249;

  /** A column's schema and value, but for names: types, quotation marks, a number or a time. */
  private static final int COLUMN = 200;

  /** The longest measure with the field that it is of. */
  private static final int MEASURE = 2_000;

  /** Digits of a partition's number. */
  private static final int PARTITION = 10;

  /** Names and values of our three headers, with room, but for the subject in the release's id. */
  private static final int HEADERS = 700;

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

  static List<SizeBound> of(Plan plan) {
    OutputSizes sizes = new OutputSizes(plan.pipeline());
    List<SizeBound> outputs = new ArrayList<>();
    plan.releases().forEach(release -> outputs.add(sizes.release(release)));
    plan.pipeline().derived().forEach(derived -> outputs.add(sizes.derived(plan, derived)));
    outputs.add(sizes.refusal());
    outputs.add(sizes.released());
    outputs.add(sizes.deadLetter());
    if (plan.pipeline().rows() != Pipeline.Rows.NONE) {
      outputs.add(sizes.row());
    }
    return outputs;
  }

  /** What of a kind's record has no cap, in words; nothing where all has. */
  static Optional<String> problem(Pipeline pipeline, PlannedRelease release) {
    try {
      new OutputSizes(pipeline).release(release);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(
          "release '%s': its kind does not say how long its record may be: %s"
              .formatted(release.spec().name(), e.getMessage()));
    }
  }

  private SizeBound release(PlannedRelease release) {
    return output(release.spec(), List.of(release), release.caps(pipeline.partOf(release.spec())));
  }

  /** It has the guarantees of the outputs that it is made of. */
  private SizeBound derived(Plan plan, DerivedSpec derived) {
    return output(derived, plan.sources(derived), derived.caps());
  }

  private SizeBound output(OutputSpec output, List<PlannedRelease> payers, Caps caps) {
    RecordBytes bytes =
        new RecordBytes(
            output.schema(), pipeline.format(), caps.and(head(output)).and(guarantee(payers)));
    // Key, headers, and the subject once more in the release's id.
    long fixed = bytes.fixed() + 2L * FieldLimits.SUBJECT + HEADERS;
    return new SizeBound(Kind.OUTPUT, output.name(), fixed, bytes.parts());
  }

  /** What every release says of itself. */
  private Caps head(OutputSpec output) {
    return new Caps()
        .anyText("release_id", FieldLimits.SUBJECT, idWithoutSubject(output.name()))
        .text("pipeline", pipeline.name())
        .text("output", output.name())
        .anyText("subject", FieldLimits.SUBJECT, 0);
  }

  /** Budget, state epoch, version, output (with a query's id), window and index, with slashes. */
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

  /** The mechanism's own text has a setting: references of items can be long. */
  private Caps guarantee(List<PlannedRelease> releases) {
    ComposedGuarantee composed = new ComposedGuarantee(releases);
    return new Caps()
        .anyText("guarantee.unit", 0, WORD)
        .anyText("guarantee.adjacency", 0, ADJACENCY)
        .anyText("guarantee.clock", 0, WORD)
        .text("guarantee.period", pipeline.budget().period().word())
        .text("guarantee.admission", composed.admission())
        .text("guarantee.budget", pipeline.budget().name())
        .anyText("guarantee.noise_key", 0, WORD)
        .setting(
            "releases." + releases.get(0).spec().name(),
            1,
            "give it a reference of fewer categories or components")
        .text("guarantee.mechanism", composed.mechanism());
  }

  private SizeBound refusal() {
    Caps caps =
        new Caps()
            .text("pipeline", pipeline.name())
            // The longest name that any output may have.
            .anyText("output", 0, FieldLimits.QUERY_ID)
            .anyText("subject", FieldLimits.SUBJECT, 0)
            .anyText("code", 0, WORD)
            .anyText("query_id", 0, FieldLimits.QUERY_ID);
    return notice(
        Refusal.getClassSchema(), pipeline.refusalsTopic(), caps, FieldLimits.SUBJECT + HEADERS);
  }

  private SizeBound released() {
    Caps caps = new Caps().text("pipeline", pipeline.name());
    return notice(
        ReleasedThrough.getClassSchema(), pipeline.releasedTopic(), caps, PARTITION + HEADERS);
  }

  /**
   * A row with its key: schemas, then the names of subject and categories in key and value. JSON
   * takes six bytes for a control character, which a library's names may have.
   */
  private SizeBound row() {
    List<String> fields = RowFields.of(pipeline);
    long schemas =
        fields.stream().mapToLong(field -> 2L * (COLUMN + 6L * Bytes.utf8(field))).sum()
            + 2L * RowColumn.values().length * COLUMN;
    long names = 2L * 6 * (1 + fields.size()) * FieldLimits.SUBJECT + 2L * MEASURE;
    return new SizeBound(Kind.OUTPUT, pipeline.rowsTopic(), schemas + names + HEADERS, List.of());
  }

  private SizeBound deadLetter() {
    Caps caps =
        new Caps().anyText("topic", 0, TOPIC).anyText("code", 0, WORD).anyText("hint", 0, HINT);
    return notice(DeadLetter.getClassSchema(), pipeline.deadLettersTopic(), caps, TOPIC + 11);
  }

  /**
   * A record that is no output.
   *
   * @param beside bytes of key and headers
   */
  private SizeBound notice(Schema schema, String topic, Caps caps, int beside) {
    long bytes = new RecordBytes(schema, pipeline.format(), caps).fixed();
    return new SizeBound(Kind.OUTPUT, topic, bytes + beside, List.of());
  }
}
