package io.sfumato.topology;

import io.sfumato.noise.Incarnation;
import io.sfumato.pipeline.Plan;
import io.sfumato.serde.ByteReader;
import io.sfumato.serde.ByteWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a partition's state was made by. A program whose file, key or input contradicts it stops
 * before it touches anything: counts would be relabelled, or a budget would start afresh.
 *
 * @param incarnation of the state
 * @param pipeline name in the file
 * @param version in the file
 * @param digest of everything in the file that bears on what is released
 * @param noiseKey tag of the noise key
 * @param sourcePartitions of the records' topic
 * @param categories the category dictionary: append only
 * @param charges full parameters of every charge, by charge id: append only
 */
record Identity(
    Incarnation incarnation,
    String pipeline,
    int version,
    byte[] digest,
    String noiseKey,
    int sourcePartitions,
    List<String> categories,
    List<String> charges) {

  private static final int FORMAT = 1;

  static Identity of(Incarnation incarnation, Plan plan, Deployment deployment) {
    return new Identity(
        incarnation,
        plan.pipeline().name(),
        plan.pipeline().version(),
        plan.digest(),
        deployment.noiseKey().tag(),
        deployment.sourcePartitions(),
        plan.pipeline().input().allCategories(),
        charges(plan));
  }

  /** Full parameters of every charge, in the file's order: their places are the ledgers' ids. */
  static List<String> charges(Plan plan) {
    return plan.releases().stream().map(release -> release.charge().mechanism()).toList();
  }

  /** Throws if a program with {@code other} must not work on this state. */
  void requireSame(Identity other) {
    require("pipeline", pipeline, other.pipeline, "use another budget name for another pipeline");
    require(
        "pipeline version",
        version,
        other.version,
        "run the file of that version; this release cannot activate a new one on existing state");
    require(
        "noise key", noiseKey, other.noiseKey, "give the secret that the state was started with");
    require(
        "partitions of the records' topic",
        sourcePartitions,
        other.sourcePartitions,
        "datasets of the old layout are not complete in the new one");
    require(
        "categories",
        categories,
        other.categories,
        "counts would change their names; put the list back in its old order");
    require("charges", charges, other.charges, "put the shares and plans back as they were");
    if (!Arrays.equals(digest, other.digest)) {
      throw new PipelineStopException(
          "the pipeline file was changed under the same version (input, window, budget or releases);"
              + " the state was made by the old one: put the file back");
    }
  }

  private static void require(String what, Object mine, Object other, String advice) {
    if (!mine.equals(other)) {
      throw new PipelineStopException(
          "%s: the state was made with %s, this program has %s; %s"
              .formatted(what, mine, other, advice));
    }
  }

  byte[] encode() {
    ByteWriter out =
        new ByteWriter()
            .fixed8(FORMAT)
            .raw(incarnation.toBytes())
            .text(pipeline)
            .unsigned(version)
            .block(digest)
            .text(noiseKey)
            .unsigned(sourcePartitions);
    texts(out, categories);
    texts(out, charges);
    return out.toBytes();
  }

  static Identity decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes).format(FORMAT, "the state's identity");
    Incarnation incarnation = Incarnation.fromBytes(in.raw(Incarnation.BYTES));
    String pipeline = in.text();
    int version = (int) in.unsigned();
    byte[] digest = in.block();
    String noiseKey = in.text();
    int sourcePartitions = (int) in.unsigned();
    List<String> categories = texts(in);
    List<String> charges = texts(in);
    in.end();
    return new Identity(
        incarnation, pipeline, version, digest, noiseKey, sourcePartitions, categories, charges);
  }

  private static void texts(ByteWriter out, List<String> texts) {
    out.unsigned(texts.size());
    texts.forEach(out::text);
  }

  private static List<String> texts(ByteReader in) {
    long size = in.unsigned();
    List<String> texts = new ArrayList<>();
    for (long i = 0; i < size; i++) {
      texts.add(in.text());
    }
    return List.copyOf(texts);
  }
}
