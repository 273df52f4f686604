// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.gate.StateEpoch;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.release.Plan;
import io.sfumato.serde.Stamp;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.PipelineStopException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * What a partition's state was made by. A program whose file, key or input contradicts it stops
 * before it touches anything: counts would be relabelled, or a budget would start afresh.
 *
 * @param epoch of the state
 * @param since start of the first window of this version
 * @param maker the program that may go on
 * @param terms what the budget has granted so far
 */
public record StateIdentity(StateEpoch epoch, long since, Maker maker, BudgetTerms terms) {
  private static final int FORMAT = 2;

  /**
   * A program, as its state sees it.
   *
   * @param version in the file
   * @param digest of everything in the file that bears on what is released, hexadecimal
   * @param noiseKey tag of the noise key
   * @param sourceTopic id that the cluster gave the records' topic when it was made
   * @param sourcePartitions of the records' topic
   * @param layout how datasets are made: the same in every version
   * @param categories the category dictionary: append only
   */
  public record Maker(
      int version,
      String digest,
      String noiseKey,
      String sourceTopic,
      int sourcePartitions,
      Map<String, String> layout,
      List<String> categories) {

    /** A program that runs. */
    public static Maker of(Plan plan, Deployment deployment) {
      return of(
          plan,
          deployment.sourceTopic(),
          deployment.sourcePartitions(),
          deployment.noiseKey().tag());
    }

    /** A program that would run on a topic of that id. */
    public static Maker of(Plan plan, String sourceTopic, int sourcePartitions, String noiseKey) {
      Planned planned = last;
      if (planned == null || planned.plan != plan) {
        planned =
            new Planned(
                plan, plan.digestText(), plan.layout(), plan.pipeline().input().allCategories());
        last = planned;
      }
      return new Maker(
          plan.pipeline().version(),
          planned.digest,
          noiseKey,
          sourceTopic,
          sourcePartitions,
          planned.layout,
          planned.categories);
    }

    /**
     * The same with the starts of its windows, for a state that it begins or takes over.
     *
     * @param since start of the first window of its version, or the beginning of time
     * @param now milliseconds since 1970
     */
    Maker keeping(Plan plan, long since, long now) {
      Optional<WindowStarts> starts = WindowStarts.of(plan.pipeline().window(), since, now);
      if (starts.isEmpty()) {
        return this;
      }
      TreeMap<String, String> kept = new TreeMap<>(layout);
      kept.put(WindowStarts.KEY, starts.get().text());
      return new Maker(version, digest, noiseKey, sourceTopic, sourcePartitions, kept, categories);
    }

    /** What follows from a plan alone: each part of a topology asks for it. */
    private record Planned(
        Plan plan, String digest, Map<String, String> layout, List<String> categories) {}

    private static volatile Planned last;

    /** What journal entries carry that this program writes. */
    public Stamp stamp() {
      byte[] all = new CanonicalEncoder().number(version).text(digest).text(noiseKey).digest();
      return new Stamp(version, ByteBuffer.wrap(all).getLong());
    }
  }

  /** This state after a program that was activated has taken over. */
  public StateIdentity takenOver(Maker next, Plan plan, long from) {
    requireCompatible(next, plan);
    return new StateIdentity(
        epoch, from, next.keeping(plan, from, from), terms.extended(plan, from));
  }

  /** Throws if {@code next}, which has the same version, must not work on this state. */
  public void requireSame(Maker next, Plan plan) {
    requireCompatible(next, plan);
    WindowStarts.in(maker.layout())
        .ifPresent(
            starts -> starts.requireSame(plan.pipeline().window(), ChangeAdvice.file(terms, plan)));
    requireEqual(
        "categories", maker.categories(), next.categories(), () -> ChangeAdvice.file(terms, plan));
    requireEqual(
        "noise key",
        maker.noiseKey(),
        next.noiseKey(),
        () ->
            "give the secret that the state was started with, or "
                + ChangeAdvice.key(plan.pipeline()));
    if (!maker.digest().equals(next.digest())) {
      throw new PipelineStopException(
          "the pipeline file was changed under the same version, or this version of Sfumato "
              + "plans it differently; "
              + Differences.of(terms, plan)
              + ". The state was made by the old one: put the file back, or "
              + ChangeAdvice.file(terms, plan));
    }
  }

  /** What no version may change. */
  private void requireCompatible(Maker next, Plan plan) {
    for (Map.Entry<String, String> mine : maker.layout().entrySet()) {
      if (mine.getKey().equals(WindowStarts.KEY)) {
        // Each version keeps its own.
        continue;
      }
      requireEqual(
          mine.getKey(),
          mine.getValue(),
          next.layout().getOrDefault(mine.getKey(), "nothing"),
          () ->
              mine.getKey().equals(Plan.BEGIN)
                  ? "window.begin can never change: restore begin: "
                      + mine.getValue()
                      + ". If nothing was released yet, give the pipeline and its budget new "
                      + "names instead"
                  : ChangeAdvice.seal(terms, plan));
    }
    for (Map.Entry<String, String> theirs : next.layout().entrySet()) {
      // States that began without a beginning go on with one.
      if (!theirs.getKey().equals(Plan.BEGIN)) {
        requireEqual(
            theirs.getKey(),
            maker.layout().getOrDefault(theirs.getKey(), "nothing"),
            theirs.getValue(),
            () -> ChangeAdvice.seal(terms, plan));
      }
    }
    requireEqual(
        "partitions of the records' topic",
        maker.sourcePartitions(),
        next.sourcePartitions(),
        () -> "a change would split datasets; " + ChangeAdvice.seal(terms, plan));
    if (!maker.sourceTopic().equals(next.sourceTopic())) {
      throw new PipelineStopException(
          "the records' topic was re-created under the same name: counted records may come "
              + "again, and the old offsets hold other records; "
              + ChangeAdvice.seal(terms, plan));
    }
    requireAppended(next.categories(), plan);
  }

  /** Counts are stored by their category's place, so places of known categories never change. */
  private void requireAppended(List<String> next, Plan plan) {
    List<String> known = maker.categories();
    if (next.size() >= known.size() && next.subList(0, known.size()).equals(known)) {
      return;
    }
    List<String> appended = new ArrayList<>(known);
    next.stream().filter(category -> !known.contains(category)).forEach(appended::add);
    throw new PipelineStopException(
        "categories: the state was made with %s, this program has %s (the category for unknown values comes last unless the list names it). Stored counts would be attributed to different categories. Write categories: %s, with input.other as it was; to drop or reorder categories, %s"
            .formatted(known, next, appended, ChangeAdvice.seal(terms, plan)));
  }

  private static void requireEqual(
      String what, Object mine, Object other, Supplier<String> advice) {
    if (!mine.equals(other)) {
      throw new PipelineStopException(
          "%s: the state was made with %s, this program has %s; %s"
              .formatted(what, mine, other, advice.get()));
    }
  }

  /** As the keeper's store has it. */
  public byte[] encode() {
    ByteWriter out =
        new ByteWriter()
            .fixed8(FORMAT)
            .raw(epoch.toBytes())
            .signed(since)
            .unsigned(maker.version())
            .block(HexFormat.of().parseHex(maker.digest()))
            .text(maker.noiseKey())
            .text(maker.sourceTopic())
            .unsigned(maker.sourcePartitions())
            .unsigned(maker.layout().size());
    maker.layout().forEach((what, how) -> out.text(what).text(how));
    terms.write(out.texts(maker.categories()));
    return out.toBytes();
  }

  /** Inverse of {@link #encode}. */
  public static StateIdentity decode(byte[] bytes) {
    ByteReader in = new ByteReader(bytes).format(FORMAT, "the state's identity");
    StateEpoch epoch = StateEpoch.fromBytes(in.raw(StateEpoch.BYTES));
    long since = in.signed();
    int version = (int) in.unsigned();
    String digest = HexFormat.of().formatHex(in.block());
    String noiseKey = in.text();
    String sourceTopic = in.text();
    int sourcePartitions = (int) in.unsigned();
    TreeMap<String, String> layout = new TreeMap<>();
    for (long left = in.unsigned(); left > 0; left--) {
      layout.put(in.text(), in.text());
    }
    Maker maker =
        new Maker(version, digest, noiseKey, sourceTopic, sourcePartitions, layout, in.texts());
    BudgetTerms terms = BudgetTerms.read(in);
    in.end();
    return new StateIdentity(epoch, since, maker, terms);
  }
}
