// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.version;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.gate.StateEpoch;
import io.sfumato.pipeline.OutputFormat;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.release.Plan;
import io.sfumato.serde.Stamp;
import io.sfumato.topology.context.Deployment;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.context.SourceTopics;
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
  /** Of a state whose file names one topic. */
  private static final int FORMAT = 2;

  /** Of a state with several topics, or with those of a pattern. */
  private static final int SEVERAL_TOPICS = 3;

  /**
   * A program, as its state sees it.
   *
   * @param version in the file
   * @param digest of everything in the file that bears on what is released, hexadecimal
   * @param noiseKey tag of the noise key
   * @param sources the records' topics
   * @param layout how datasets are made: the same in every version
   * @param categories the category dictionary: append only
   */
  public record Maker(
      int version,
      String digest,
      String noiseKey,
      SourceTopics sources,
      Map<String, String> layout,
      List<String> categories) {

    /** A program that runs. */
    public static Maker of(Plan plan, Deployment deployment) {
      return of(plan, deployment.sources(), deployment.noiseKey().tag());
    }

    /** A program that would run on those topics. */
    public static Maker of(Plan plan, SourceTopics sources, String noiseKey) {
      Planned planned = last;
      if (planned == null || planned.plan != plan) {
        planned =
            new Planned(
                plan, plan.digestText(), plan.layout(), plan.pipeline().input().allCategories());
        last = planned;
      }
      return new Maker(
          plan.pipeline().version(),
          digest(plan, planned.digest, sources),
          noiseKey,
          sources,
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
      Optional<WindowStarts> starts = WindowStarts.of(plan.pipeline(), since, now);
      if (starts.isEmpty()) {
        return this;
      }
      TreeMap<String, String> kept = new TreeMap<>(layout);
      kept.put(WindowStarts.KEY, starts.get().text());
      return new Maker(version, digest, noiseKey, sources, kept, categories);
    }

    /**
     * The same, knowing what outputs were about that this program does not have: one that comes
     * back is about the same, since what it remembers is about these records.
     *
     * @param before layout of the version before
     */
    Maker knowing(Map<String, String> before) {
      TreeMap<String, String> known = new TreeMap<>(layout);
      before.forEach(
          (what, how) -> {
            if (what.startsWith(Plan.RECORDS_OF)) {
              known.putIfAbsent(what, how);
            }
          });
      return new Maker(version, digest, noiseKey, sources, known, categories);
    }

    /** Programs that resolve a pattern to other topics are other programs. */
    private static String digest(Plan plan, String planned, SourceTopics sources) {
      if (plan.pipeline().input().topics().pattern().isEmpty()) {
        return planned;
      }
      CanonicalEncoder encoder = new CanonicalEncoder().text(planned);
      sources.names().forEach(encoder::text);
      return HexFormat.of().formatHex(encoder.digest());
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
    requireListed(plan);
    requireJoining(next, plan, from);
    return new StateIdentity(
        epoch,
        from,
        next.keeping(plan, from, from).knowing(maker.layout()),
        terms.extended(plan, from));
  }

  /** Throws if {@code next}, which has the same version, must not work on this state. */
  public void requireSame(Maker next, Plan plan) {
    requireCompatible(next, plan);
    if (!maker.sources().equals(next.sources())) {
      throw new PipelineStopException(
          "%s: version %d reads %s, and this program would read %s. Start it again; a topic joins only with a new version"
              .formatted(
                  Plan.TOPICS,
                  maker.version(),
                  String.join(", ", maker.sources().names()),
                  String.join(", ", next.sources().names())));
    }
    WindowStarts.in(maker.layout())
        .ifPresent(
            starts -> starts.requireSame(plan.pipeline(), ChangeAdvice.file(plan.pipeline())));
    requireEqual(
        "categories",
        maker.categories(),
        next.categories(),
        () -> ChangeAdvice.file(plan.pipeline()));
    requireEqual(
        "noise key",
        maker.noiseKey(),
        next.noiseKey(),
        () ->
            "give the secret that the state was started with, or "
                + ChangeAdvice.key(plan.pipeline()));
    if (!maker.digest().equals(next.digest())) {
      requireNotAvro(maker.digest(), next, plan);
      throw new PipelineStopException(
          "the pipeline file was changed under the same version, or this version of Sfumato "
              + "plans it differently; "
              + Differences.of(terms, plan)
              + ". The state was made by the old one: put the file back, or "
              + ChangeAdvice.file(plan.pipeline()));
    }
  }

  /**
   * A file without a format was Avro once.
   *
   * @param digest of what has run, or was announced
   */
  static void requireNotAvro(String digest, Maker next, Plan plan) {
    if (plan.pipeline().format() == OutputFormat.JSON) {
      Plan avro = new Plan(plan.pipeline().with(OutputFormat.AVRO), plan.releases());
      if (digest.equals(Maker.of(avro, next.sources(), next.noiseKey()).digest())) {
        throw new PipelineStopException(
            "the outputs of version %d are Avro, and by the file they would be JSON, which is the default: add 'format: avro' to the file"
                .formatted(next.version()));
      }
    }
  }

  /** What no version may change. */
  private void requireCompatible(Maker next, Plan plan) {
    for (Map.Entry<String, String> mine : maker.layout().entrySet()) {
      if (mine.getKey().equals(WindowStarts.KEY)
          || mine.getKey().equals(Plan.TOPICS)
          || isOfQuestion(mine.getKey())
          || isBehindUsers(mine.getKey(), plan)) {
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
      // States that began without a beginning go on with one; topics are compared one by one.
      if (!theirs.getKey().equals(Plan.BEGIN)
          && !theirs.getKey().equals(Plan.TOPICS)
          && !isOfQuestion(theirs.getKey())
          && !isBehindUsers(theirs.getKey(), plan)) {
        requireEqual(
            theirs.getKey(),
            maker.layout().getOrDefault(theirs.getKey(), "nothing"),
            theirs.getValue(),
            () -> ChangeAdvice.seal(terms, plan));
      }
    }
    requireSources(next, plan);
    requireAppended(next.categories(), plan);
    new QuestionChange(maker.layout(), terms).require(next.layout(), plan);
  }

  /** Outputs come and go with what they alone are about. */
  private static boolean isOfQuestion(String what) {
    return what.startsWith(Plan.CATEGORIES_OF) || what.startsWith(Plan.RECORDS_OF);
  }

  /**
   * How subjects' datasets are made behind users: where the version changes none is open, since
   * records of the next version's windows are passed on by that version alone.
   */
  private static boolean isBehindUsers(String what, Plan plan) {
    return plan.pipeline().population().isPresent() && Plan.OF_DATASETS.contains(what);
  }

  /**
   * Lists of names that users' records are tested for go on with their own tests and thresholds.
   */
  private void requireListed(Plan plan) {
    if (plan.pipeline().discoversAmongUsers()) {
      throw new PipelineStopException(
          "a pipeline of users that discovers names or subjects cannot hand over to a new version, because thresholds of former and of new tests would add up; "
              + ChangeAdvice.seal(terms, plan));
    }
  }

  /** Sources keep their numbers, and none may stop: its clock would hold back every window. */
  private void requireSources(Maker next, Plan plan) {
    List<SourceTopics.Topic> known = maker.sources().topics();
    List<SourceTopics.Topic> theirs = next.sources().topics();
    if (theirs.size() < known.size()
        || !next.sources().names().subList(0, known.size()).equals(maker.sources().names())) {
      throw new PipelineStopException(
          "%s: the state was made with %s, this program has %s. Topics can only join, after those that are there: one that left would hold back every window, because its clock stops; %s"
              .formatted(
                  Plan.TOPICS,
                  String.join(", ", maker.sources().names()),
                  String.join(", ", next.sources().names()),
                  ChangeAdvice.seal(terms, plan)));
    }
    for (int i = 0; i < known.size(); i++) {
      requireSame(known.get(i), theirs.get(i), plan);
    }
  }

  private void requireSame(SourceTopics.Topic known, SourceTopics.Topic now, Plan plan) {
    String which = maker.sources().isSingle() ? "" : " " + known.name();
    requireEqual(
        "partitions of the records' topic" + which,
        known.partitions(),
        now.partitions(),
        () -> "a change would split datasets; " + ChangeAdvice.seal(terms, plan));
    if (!known.id().equals(now.id())) {
      throw new PipelineStopException(
          "the records' topic"
              + which
              + " was re-created under the same name: counted records may come "
              + "again, and the old offsets hold other records; "
              + ChangeAdvice.seal(terms, plan));
    }
  }

  /** What topics may join with a version that takes over. */
  private void requireJoining(Maker next, Plan plan, long from) {
    List<SourceTopics.Topic> all = next.sources().topics();
    int most = maker.sources().journalPartitions();
    for (SourceTopics.Topic joins : all.subList(maker.sources().topics().size(), all.size())) {
      if (plan.pipeline().population().isPresent()) {
        throw new PipelineStopException(
            "topic %s cannot join a pipeline of users; %s"
                .formatted(joins.name(), ChangeAdvice.seal(terms, plan)));
      }
      if (joins.partitions() > most) {
        throw new PipelineStopException(
            "topic %s cannot join: it has %d partitions, and the state was made with %d, which cannot change; %s"
                .formatted(joins.name(), joins.partitions(), most, ChangeAdvice.seal(terms, plan)));
      }
      if (joins.since() < from) {
        throw new PipelineStopException(
            "topic %s cannot join: another version was announced while this one started. Stop all instances, then start them again"
                .formatted(joins.name()));
      }
      if (!plan.pipeline().queries().isEmpty()) {
        throw new PipelineStopException(
            "topic %s cannot join a pipeline that answers queries: windows would open again whose candidates were judged; %s"
                .formatted(joins.name(), ChangeAdvice.seal(terms, plan)));
      }
    }
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
            .fixed8(namesItsTopic() ? FORMAT : SEVERAL_TOPICS)
            .raw(epoch.toBytes())
            .signed(since)
            .unsigned(maker.version())
            .block(HexFormat.of().parseHex(maker.digest()))
            .text(maker.noiseKey());
    writeSources(out);
    out.unsigned(maker.layout().size());
    maker.layout().forEach((what, how) -> out.text(what).text(how));
    terms.write(out.texts(maker.categories()));
    return out.toBytes();
  }

  /** Whether the layout has the name of the only topic. */
  private boolean namesItsTopic() {
    SourceTopics.Topic first = maker.sources().topics().get(0);
    return maker.sources().isSingle()
        && first.since() == SourceTopics.Topic.FROM_THE_BEGINNING
        && first.name().equals(maker.layout().get(Plan.TOPICS));
  }

  private void writeSources(ByteWriter out) {
    boolean isNamed = namesItsTopic();
    if (!isNamed) {
      out.unsigned(maker.sources().topics().size());
    }
    for (SourceTopics.Topic topic : maker.sources().topics()) {
      out.text(topic.id()).unsigned(topic.partitions());
      if (!isNamed) {
        out.text(topic.name()).signed(topic.since());
      }
    }
  }

  /** Inverse of {@link #encode}. */
  public static StateIdentity decode(byte[] bytes) {
    boolean several = bytes.length > 0 && bytes[0] == SEVERAL_TOPICS;
    ByteReader in =
        new ByteReader(bytes).format(several ? SEVERAL_TOPICS : FORMAT, "the state's identity");
    StateEpoch epoch = StateEpoch.fromBytes(in.raw(StateEpoch.BYTES));
    long since = in.signed();
    int version = (int) in.unsigned();
    String digest = HexFormat.of().formatHex(in.block());
    String noiseKey = in.text();
    List<SourceTopics.Topic> topics = new ArrayList<>();
    for (long left = several ? in.unsigned() : 1; left > 0; left--) {
      String id = in.text();
      int partitions = (int) in.unsigned();
      topics.add(
          several
              ? new SourceTopics.Topic(in.text(), id, partitions, in.signed())
              : new SourceTopics.Topic("", id, partitions));
    }
    TreeMap<String, String> layout = new TreeMap<>();
    for (long left = in.unsigned(); left > 0; left--) {
      layout.put(in.text(), in.text());
    }
    SourceTopics sources =
        several
            ? new SourceTopics(topics)
            : SourceTopics.of(
                layout.getOrDefault(Plan.TOPICS, ""),
                topics.get(0).id(),
                topics.get(0).partitions());
    Maker maker = new Maker(version, digest, noiseKey, sources, layout, in.texts());
    BudgetTerms terms = BudgetTerms.read(in);
    in.end();
    return new StateIdentity(epoch, since, maker, terms);
  }
}
