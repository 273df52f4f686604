// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.release;

import io.sfumato.accounting.Period;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.gate.Gate;
import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.StateEpoch;
import io.sfumato.pipeline.DerivedSpec;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.random.Sha256;
import io.sfumato.release.ComposedGuarantee;
import io.sfumato.schema.Guarantee;
import io.sfumato.serde.JsonRecords;
import io.sfumato.serde.OutputEncoder;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Names draws, and forwards outputs: new records, our headers only. */
public final class Publisher {
  private final Pipeline pipeline;
  private final Supplier<StateEpoch> named;
  private final String keyTag;
  private final PipelineMeters meters;
  private final ProcessorContext<String, byte[]> context;
  private final OutputEncoder encoder;
  private final Optional<RowTopic> rows;
  private final Gate gate;

  private StateEpoch epoch;

  public Publisher(
      Pipeline pipeline,
      Deployment deployment,
      Supplier<StateEpoch> named,
      ProcessorContext<String, byte[]> context) {
    this.pipeline = pipeline;
    this.named = named;
    this.keyTag = deployment.noiseKey().tag();
    this.meters = deployment.meters();
    this.context = context;
    this.encoder = OutputEncoder.of(pipeline.format(), deployment.schemas());
    this.rows = RowTopic.of(pipeline, deployment, context);
    this.gate = deployment.gate();
  }

  /** That of one draw of this state. */
  public ReleaseId id(String output, String subject, long windowStart, int index) {
    return new ReleaseId(
        pipeline.budget().name(), epoch(), pipeline.version(), output, subject, windowStart, index);
  }

  /** Named by the journal before anything is drawn, and never changed. */
  private StateEpoch epoch() {
    if (epoch == null) {
      epoch = named.get();
    }
    return epoch;
  }

  /** Through which everything is drawn. */
  public Gate gate() {
    return gate;
  }

  /** An output in the pipeline's format. */
  public byte[] encode(SpecificRecord output) {
    return encoder.encode(output);
  }

  /**
   * What is the same in each record of an output.
   *
   * @param guarantee what it promises
   * @param digest of the guarantee: what tells that two releases promise the same
   * @param exampleLeftOut what bounds leave out of the file's public example; null without one
   * @param question that it answers: its number, 0 for that of the file
   * @param part the file as this question sees it
   */
  public record Output(
      String name,
      Guarantee guarantee,
      byte[] digest,
      Double exampleLeftOut,
      int question,
      Pipeline part) {}

  /** Of a planned release. */
  public Output outputOf(PlannedRelease planned) {
    return outputOf(planned.spec().name(), List.of(planned));
  }

  /** Of what is made of other outputs' records: it promises what these do together. */
  Output outputOf(DerivedSpec derived, List<PlannedRelease> sources) {
    return outputOf(derived.name(), sources);
  }

  /** All of one question. */
  private Output outputOf(String name, List<PlannedRelease> releases) {
    ReleaseSpec first = releases.get(0).spec();
    Pipeline part = pipeline.partOf(first);
    Guarantee guarantee = guarantee(part, new ComposedGuarantee(releases));
    return new Output(
        name, guarantee, digest(guarantee), exampleLeftOut(part), pipeline.questionOf(first), part);
  }

  /** What a record says of itself. */
  public OutputLabel label(Output output, ReleaseId id) {
    return new OutputLabel(
        id, output.part(), output.name(), output.guarantee(), output.exampleLeftOut());
  }

  /**
   * Publishes a draw.
   *
   * @param record that the value encodes
   */
  public void publish(
      Output output, ReleaseId id, SpecificRecord record, byte[] value, long timestamp) {
    forward(output, id, value, timestamp);
    rows.ifPresent(topic -> topic.publish(record, timestamp));
    meters.released(context.taskId().partition(), output.name());
  }

  /** Publishes what was neither drawn nor charged. */
  void publishDerived(Output output, ReleaseId id, SpecificRecord value, long timestamp) {
    forward(output, id, encode(value), timestamp);
    rows.ifPresent(topic -> topic.publish(value, timestamp));
  }

  private void forward(Output output, ReleaseId id, byte[] value, long timestamp) {
    Headers headers = Names.headers(pipeline);
    headers.add(Names.RELEASE_ID_HEADER, id.text().getBytes(StandardCharsets.UTF_8));
    headers.add(Names.GUARANTEE_HEADER, output.digest());
    context.forward(
        new Record<>(id.subject(), value, timestamp, headers), Names.sink(output.name()));
  }

  private Guarantee guarantee(Pipeline part, ComposedGuarantee composed) {
    return Guarantee.newBuilder()
        .setUnit(composed.unit().word())
        .setAdjacency(adjacency(part, composed.unit()))
        .setClock(pipeline.window().clock().word())
        .setPeriod(pipeline.budget().period().word())
        .setMechanism(composed.mechanism())
        .setAdmission(composed.admission())
        .setRenyiOrder(composed.order())
        .setRenyiEpsilon(composed.renyiEpsilon())
        .setEpsilon(composed.epsilon())
        .setDelta(composed.delta())
        .setBudget(pipeline.budget().name())
        .setPipelineVersion(pipeline.version())
        .setNoiseKey(keyTag)
        .build();
  }

  /** SHA-256 of the guarantee as one line of JSON, in hexadecimal digits. */
  private static byte[] digest(Guarantee guarantee) {
    byte[] digest = Sha256.of(JsonRecords.line(guarantee).getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest).getBytes(StandardCharsets.UTF_8);
  }

  /** What bounds leave out of the file's public example, 0 to 1; null without one. */
  private static Double exampleLeftOut(Pipeline pipeline) {
    OptionalDouble share =
        pipeline.population().map(Population::exampleLeftOut).orElse(OptionalDouble.empty());
    return share.isPresent() ? share.getAsDouble() : null;
  }

  /**
   * @param pipeline as the output's question sees it
   */
  private String adjacency(Pipeline pipeline, PrivacyUnit unit) {
    if (unit == PrivacyUnit.USER) {
      // A ledger that spans windows makes what counts in one depend on the others of the same user.
      boolean window = pipeline.budget().period() instanceof Period.Window;
      Population users = pipeline.population().orElseThrow();
      return String.format(
          Locale.ROOT,
          "%s are added or removed, of which at most %d%s count%s%s; %s",
          pipeline
              .budget()
              .anySpan()
              .map(
                  span ->
                      span.whatever() + ", all records of one user in the windows that these touch")
              .orElse("all records of one user in one " + (window ? "window" : "period")),
          users.records(),
          pipeline.input().weight().isPresent() ? " units of weight" : "",
          users.leftOut().isPresent()
              ? ", and at most " + users.leftOut().getAsInt() + " are told as left out,"
              : "",
          (window ? "" : " in each window")
              + (users.chargesRecords()
                  ? " and at most " + users.perPeriod().getAsInt() + " in the period"
                  : ""),
          pipeline.subjects() == Pipeline.Subjects.DISCOVERED
              ? "subjects that are published are public from the next window on"
              : "the subjects are public");
    }
    if (unit == PrivacyUnit.DATASET) {
      return "any two datasets of the subject, empty ones included"
          + inEveryWindow()
          + "; who is enrolled is public";
    }
    return "one record's "
        + pipeline.input().content()
        + (pipeline.input().values().isEmpty() ? " is" : " are")
        + " replaced"
        + inEveryWindow()
        + "; its key, time and existence are public";
  }

  private String inEveryWindow() {
    return pipeline
        .budget()
        .anySpan()
        .map(span -> ", " + span.whatever() + ", in every window that these touch")
        .orElse("");
  }
}
