// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.noise.Incarnation;
import io.sfumato.noise.ReleaseId;
import io.sfumato.pipeline.Footprint.Kind;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.Plan;
import io.sfumato.release.WorstCase;
import io.sfumato.release.abc.AbcSpec;
import io.sfumato.release.bounds.BoundsSpec;
import io.sfumato.release.count.CountSpec;
import io.sfumato.release.features.FeatureSumsSpec;
import io.sfumato.release.histogram.HistogramSpec;
import io.sfumato.release.mean.MeanSpec;
import io.sfumato.release.mean.MeasuredValue;
import io.sfumato.release.mollifier.MollifierSpec;
import io.sfumato.release.quantile.QuantileSpec;
import io.sfumato.release.subjects.SubjectsSpec;
import io.sfumato.schema.AbcDecision;
import io.sfumato.schema.AbcWeight;
import io.sfumato.schema.BoundsRelease;
import io.sfumato.schema.BoundsRow;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.DeadLetter;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.schema.Estimate;
import io.sfumato.schema.FeatureRelease;
import io.sfumato.schema.Guarantee;
import io.sfumato.schema.HistoryCountRelease;
import io.sfumato.schema.HistoryRelease;
import io.sfumato.schema.MeanRelease;
import io.sfumato.schema.MeanRow;
import io.sfumato.schema.MollifiedSample;
import io.sfumato.schema.Quantile;
import io.sfumato.schema.QuantileRelease;
import io.sfumato.schema.QuantileRow;
import io.sfumato.schema.Refusal;
import io.sfumato.schema.RefusalCode;
import io.sfumato.schema.SubjectRelease;
import io.sfumato.serde.OutputEncoder;
import io.sfumato.serde.RejectionCode;
import io.sfumato.serde.SchemaSource;
import io.sfumato.topology.release.Publisher;
import io.sfumato.topology.setting.Names;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No record that is published is larger than the plan says, in any format, key and headers in. */
class OutputSizesTest {
  /** The longest text that a double has. */
  private static final double LONG = -1.2345678901234567E-308;

  private static final Instant LATE = Instant.ofEpochMilli(Long.MAX_VALUE);
  private static final Instant EARLY = Instant.ofEpochMilli(Long.MIN_VALUE);

  static Stream<Plan> plans() {
    return RowSizesTest.plans();
  }

  private static final SchemaSource REGISTRY =
      new SchemaSource() {
        @Override
        public Optional<Schema> byId(int id) {
          return Optional.empty();
        }

        @Override
        public int idOf(Schema schema) {
          return Integer.MAX_VALUE;
        }
      };

  @ParameterizedTest
  @MethodSource("plans")
  void everyOutputStaysBelowItsBound(Plan plan) {
    Pipeline pipeline = plan.pipeline();
    OutputEncoder encoder = OutputEncoder.of(pipeline.format(), REGISTRY);
    WorstCase sizes = WorstCase.of(plan);
    Publisher publisher =
        new Publisher(
            pipeline,
            Fixture.deployment(1, new Fixture.Counts()),
            () -> new Incarnation(-1, -1),
            null);
    for (PlannedRelease release : plan.releases()) {
      String output = release.spec().name();
      String named = release.spec() instanceof AbcSpec ? output + "/" + "q".repeat(64) : output;
      ReleaseId id = publisher.id(named, LargeFiles.SUBJECT, Long.MAX_VALUE, Integer.MAX_VALUE);
      Guarantee guarantee =
          Guarantee.newBuilder(publisher.outputOf(release).guarantee())
              .setRenyiOrder(LONG)
              .setRenyiEpsilon(LONG)
              .setEpsilon(LONG)
              .setDelta(LONG)
              .build();
      for (SpecificRecord record : largest(pipeline, release, id, guarantee)) {
        long actual = 256 + headers(pipeline, id) + encoder.encode(record).length;
        assertThat(actual)
            .as(output)
            .isLessThanOrEqualTo(sizes.of(Kind.OUTPUT, output).orElseThrow().bytes());
      }
      // Precise enough that few files are refused for nothing.
      long most =
          largest(pipeline, release, id, guarantee).stream()
              .mapToLong(record -> encoder.encode(record).length)
              .max()
              .orElseThrow();
      assertThat(sizes.of(Kind.OUTPUT, output).orElseThrow().bytes())
          .isLessThan(most * 5 / 4 + 2500);
    }
    assertThat(256L + headers(pipeline, null) + encoder.encode(refusal(pipeline)).length)
        .isLessThanOrEqualTo(sizes.of(Kind.OUTPUT, pipeline.refusalsTopic()).orElseThrow().bytes());
    String topic = "t".repeat(249);
    assertThat((long) topic.length() + 11 + encoder.encode(deadLetter(topic)).length)
        .isLessThanOrEqualTo(
            sizes.of(Kind.OUTPUT, pipeline.deadLettersTopic()).orElseThrow().bytes());
  }

  private static long headers(Pipeline pipeline, ReleaseId id) {
    Headers headers = Names.headers(pipeline);
    if (id != null) {
      headers.add(Names.RELEASE_ID_HEADER, id.text().getBytes(StandardCharsets.UTF_8));
      headers.add(Names.GUARANTEE_HEADER, new byte[64]);
    }
    long bytes = 0;
    for (Header header : headers) {
      bytes += header.key().length() + header.value().length + 10;
    }
    return bytes;
  }

  private static List<? extends SpecificRecord> largest(
      Pipeline pipeline, PlannedRelease release, ReleaseId id, Guarantee guarantee) {
    if (release.spec() instanceof HistogramSpec spec && spec.learns()) {
      return List.of(history(pipeline, spec, id, guarantee));
    }
    if (release.spec() instanceof HistogramSpec spec) {
      return List.of(histogram(pipeline, spec, id, guarantee));
    }
    if (release.spec() instanceof CountSpec spec && spec.learns()) {
      return List.of(historyOfCounts(pipeline, spec, id, guarantee));
    }
    if (release.spec() instanceof CountSpec spec) {
      return List.of(count(pipeline, spec, id, guarantee));
    }
    if (release.spec() instanceof MollifierSpec spec) {
      return List.of(item(pipeline, spec, id, guarantee));
    }
    if (release.spec() instanceof FeatureSumsSpec spec) {
      return List.of(features(pipeline, spec, id, guarantee));
    }
    if (release.spec() instanceof MeanSpec spec) {
      return List.of(means(pipeline, spec, id, guarantee));
    }
    if (release.spec() instanceof SubjectsSpec spec) {
      return List.of(found(pipeline, spec, id, guarantee));
    }
    if (release.spec() instanceof BoundsSpec spec) {
      return List.of(bounds(pipeline, spec, id, guarantee));
    }
    if (release.spec() instanceof QuantileSpec spec) {
      return List.of(quantiles(pipeline, spec, id, guarantee));
    }
    return List.of(
        decision(pipeline, release, id, guarantee), weight(pipeline, release, id, guarantee));
  }

  private static final Estimate ESTIMATE = new Estimate(LONG, LONG, LONG);

  private static MeanRelease means(
      Pipeline pipeline, MeanSpec spec, ReleaseId id, Guarantee guarantee) {
    List<MeanRow> rows = new ArrayList<>();
    for (int group = 0; group < spec.groups(); group++) {
      for (MeasuredValue value : spec.values()) {
        rows.add(
            MeanRow.newBuilder()
                .setCategory(spec.groups() > 1 ? pipeline.input().allCategories().get(group) : null)
                .setValue(value.name())
                .setLowest(LONG)
                .setHighest(LONG)
                .setCount(ESTIMATE)
                .setSum(ESTIMATE)
                .setMean(ESTIMATE)
                .setVariance(ESTIMATE)
                .setSpread(ESTIMATE)
                .setParts(Collections.nCopies(spec.moments() + 1, LONG))
                .build());
      }
    }
    boolean last = spec.over().last().isPresent();
    return MeanRelease.newBuilder()
        .setSince(EARLY)
        .setWindows(Long.MIN_VALUE)
        .setLastSince(EARLY)
        .setLastWindows(Long.MIN_VALUE)
        .setLastRecords(Long.MIN_VALUE)
        .setLastDeviation(LONG)
        .setLastRows(last ? rows : null)
        .setReleaseId(id.text())
        .setPipeline(pipeline.name())
        .setOutput(spec.name())
        .setSubject(LargeFiles.SUBJECT)
        .setWindowStart(EARLY)
        .setWindowEnd(LATE)
        .setRecords(Long.MIN_VALUE)
        .setDeviation(LONG)
        .setRows(rows)
        .setExampleLeftOut(LONG)
        .setGuarantee(guarantee)
        .build();
  }

  private static SubjectRelease found(
      Pipeline pipeline, SubjectsSpec spec, ReleaseId id, Guarantee guarantee) {
    return SubjectRelease.newBuilder()
        .setReleaseId(id.text())
        .setPipeline(pipeline.name())
        .setOutput(spec.name())
        .setSubject(LargeFiles.SUBJECT)
        .setWindowStart(EARLY)
        .setWindowEnd(LATE)
        .setUsers(LONG)
        .setLow(Long.MIN_VALUE)
        .setHigh(Long.MIN_VALUE)
        .setThreshold(Long.MIN_VALUE)
        .setFound(false)
        .setGuarantee(guarantee)
        .build();
  }

  private static BoundsRelease bounds(
      Pipeline pipeline, BoundsSpec spec, ReleaseId id, Guarantee guarantee) {
    return BoundsRelease.newBuilder()
        .setReleaseId(id.text())
        .setPipeline(pipeline.name())
        .setOutput(spec.name())
        .setSubject(LargeFiles.SUBJECT)
        .setWindowStart(EARLY)
        .setWindowEnd(LATE)
        .setValue(spec.value())
        .setRecords(Long.MIN_VALUE)
        .setLowest(LONG)
        .setHighest(LONG)
        .setPassed(Integer.MIN_VALUE)
        .setThreshold(Long.MIN_VALUE)
        .setDeviation(LONG)
        .setRows(Collections.nCopies(193, new BoundsRow(LONG, LONG, Long.MIN_VALUE)))
        .setExampleLeftOut(LONG)
        .setGuarantee(guarantee)
        .build();
  }

  private static QuantileRelease quantiles(
      Pipeline pipeline, QuantileSpec spec, ReleaseId id, Guarantee guarantee) {
    List<Quantile> quantiles =
        Collections.nCopies(spec.quantiles().size(), new Quantile(LONG, ESTIMATE, false));
    return QuantileRelease.newBuilder()
        .setReleaseId(id.text())
        .setPipeline(pipeline.name())
        .setOutput(spec.name())
        .setSubject(LargeFiles.SUBJECT)
        .setWindowStart(EARLY)
        .setWindowEnd(LATE)
        .setValue(spec.value())
        .setLowest(LONG)
        .setHighest(LONG)
        .setBins(Integer.MIN_VALUE)
        .setScale("linear")
        .setRecords(Long.MIN_VALUE)
        .setCount(ESTIMATE)
        .setQuantiles(quantiles)
        .setCategories(
            spec.groups() == 1
                ? null
                : pipeline.input().allCategories().stream()
                    .map(category -> new QuantileRow(category, ESTIMATE, quantiles))
                    .toList())
        .setExampleLeftOut(LONG)
        .setGuarantee(guarantee)
        .build();
  }

  private static FeatureRelease features(
      Pipeline pipeline, FeatureSumsSpec spec, ReleaseId id, Guarantee guarantee) {
    return FeatureRelease.newBuilder()
        .setReleaseId(id.text())
        .setPipeline(pipeline.name())
        .setOutput(spec.name())
        .setSubject(LargeFiles.SUBJECT)
        .setWindowStart(EARLY)
        .setWindowEnd(LATE)
        .setRecords(LONG)
        .setRecordsDeviation(LONG)
        .setSums(Collections.nCopies(spec.kept().count(), LONG))
        .setBandwidth(LONG)
        .setSeed(spec.kept().seed())
        .setValues(pipeline.input().values())
        .setDeviation(LONG)
        .setGuarantee(guarantee)
        .build();
  }

  private static HistoryCountRelease historyOfCounts(
      Pipeline pipeline, CountSpec spec, ReleaseId id, Guarantee guarantee) {
    List<String> categories = spec.isByCategory() ? pipeline.input().allCategories() : List.of();
    int groups = Math.max(1, categories.size());
    return HistoryCountRelease.newBuilder()
        .setReleaseId(id.text())
        .setPipeline(pipeline.name())
        .setOutput(spec.name())
        .setSubject(LargeFiles.SUBJECT)
        .setWindowStart(EARLY)
        .setWindowEnd(LATE)
        .setCategories(categories)
        .setEstimates(Collections.nCopies(groups, LONG))
        .setError95(Collections.nCopies(groups, LONG))
        .setNoisyCounts(Collections.nCopies(groups, Long.MIN_VALUE))
        .setLearnedFrom(Integer.MAX_VALUE)
        .setExampleLeftOut(LONG)
        .setGuarantee(guarantee)
        .build();
  }

  private static HistoryRelease history(
      Pipeline pipeline, HistogramSpec spec, ReleaseId id, Guarantee guarantee) {
    int categories = pipeline.input().allCategories().size();
    return HistoryRelease.newBuilder()
        .setReleaseId(id.text())
        .setPipeline(pipeline.name())
        .setOutput(spec.name())
        .setSubject(LargeFiles.SUBJECT)
        .setWindowStart(EARLY)
        .setWindowEnd(LATE)
        .setRecords(pipeline.population().isPresent() ? null : Long.MAX_VALUE)
        .setCategories(pipeline.input().allCategories())
        .setProbabilities(Collections.nCopies(categories, LONG))
        .setError95(Collections.nCopies(categories, LONG))
        .setNoisyCounts(Collections.nCopies(categories, Long.MIN_VALUE))
        .setLearnedFrom(Integer.MAX_VALUE)
        .setExampleLeftOut(LONG)
        .setGuarantee(guarantee)
        .build();
  }

  private static DirichletRelease histogram(
      Pipeline pipeline, HistogramSpec spec, ReleaseId id, Guarantee guarantee) {
    int categories = pipeline.input().allCategories().size();
    boolean counted = spec.output() instanceof HistogramSpec.Output.Counts;
    return DirichletRelease.newBuilder()
        .setReleaseId(id.text())
        .setPipeline(pipeline.name())
        .setOutput(spec.name())
        .setSubject(LargeFiles.SUBJECT)
        .setWindowStart(EARLY)
        .setWindowEnd(LATE)
        .setRecords(pipeline.population().isPresent() ? null : Long.MAX_VALUE)
        .setCategories(pipeline.input().allCategories())
        .setProbabilities(Collections.nCopies(counted ? 0 : categories, LONG))
        .setCounts(Collections.nCopies(counted ? categories : 0, Long.MIN_VALUE))
        .setExampleLeftOut(LONG)
        .setError95(Collections.nCopies(categories, LONG))
        .setGuarantee(guarantee)
        .build();
  }

  private static CountRelease count(
      Pipeline pipeline, CountSpec spec, ReleaseId id, Guarantee guarantee) {
    boolean total = spec.grouping() == CountSpec.Grouping.TOTAL;
    List<String> categories = total ? List.of() : pipeline.input().allCategories();
    return CountRelease.newBuilder()
        .setReleaseId(id.text())
        .setPipeline(pipeline.name())
        .setOutput(spec.name())
        .setSubject(LargeFiles.SUBJECT)
        .setWindowStart(EARLY)
        .setWindowEnd(LATE)
        .setSince(EARLY)
        .setCategories(categories)
        .setCounts(Collections.nCopies(total ? 1 : categories.size(), Long.MIN_VALUE))
        .setExampleLeftOut(LONG)
        .setError95(Long.MAX_VALUE)
        .setGuarantee(guarantee)
        .build();
  }

  private static MollifiedSample item(
      Pipeline pipeline, MollifierSpec spec, ReleaseId id, Guarantee guarantee) {
    return MollifiedSample.newBuilder()
        .setReleaseId(id.text())
        .setPipeline(pipeline.name())
        .setOutput(spec.name())
        .setSubject(LargeFiles.SUBJECT)
        .setWindowStart(EARLY)
        .setWindowEnd(LATE)
        .setItem(Integer.MAX_VALUE)
        .setItems(Integer.MAX_VALUE)
        .setCategory(
            pipeline.input().allCategories().stream()
                .max(Comparator.comparingInt(String::length))
                .orElse(null))
        .setValues(Collections.nCopies(pipeline.input().values().size(), LONG))
        .setEpsilon(LONG)
        .setGuarantee(guarantee)
        .build();
  }

  private static AbcDecision decision(
      Pipeline pipeline, PlannedRelease release, ReleaseId id, Guarantee guarantee) {
    return AbcDecision.newBuilder()
        .setReleaseId(id.text())
        .setPipeline(pipeline.name())
        .setOutput(release.spec().name())
        .setQueryId("q".repeat(64))
        .setCandidate(Integer.MAX_VALUE)
        .setCandidates(Integer.MAX_VALUE)
        .setSubject(LargeFiles.SUBJECT)
        .setWindowStart(EARLY)
        .setWindowEnd(LATE)
        .setRecords(Long.MAX_VALUE)
        .setParameters(Collections.nCopies(100, LONG))
        .setThreshold(LONG)
        .setNoiseScale(LONG)
        .setAccepted(false)
        .setGuarantee(guarantee)
        .build();
  }

  private static AbcWeight weight(
      Pipeline pipeline, PlannedRelease release, ReleaseId id, Guarantee guarantee) {
    return AbcWeight.newBuilder()
        .setReleaseId(id.text())
        .setPipeline(pipeline.name())
        .setOutput(release.spec().name())
        .setQueryId("q".repeat(64))
        .setCandidate(Integer.MAX_VALUE)
        .setCandidates(Integer.MAX_VALUE)
        .setSubject(LargeFiles.SUBJECT)
        .setWindowStart(EARLY)
        .setWindowEnd(LATE)
        .setRecords(Long.MAX_VALUE)
        .setParameters(Collections.nCopies(100, LONG))
        .setThreshold(LONG)
        .setNoiseScale(LONG)
        .setNoisyDistance(LONG)
        .setWeight(LONG)
        .setGuarantee(guarantee)
        .build();
  }

  private static Refusal refusal(Pipeline pipeline) {
    return Refusal.newBuilder()
        .setPipeline(pipeline.name())
        .setOutput("o".repeat(63))
        .setSubject(LargeFiles.SUBJECT)
        .setWindowStart(EARLY)
        .setWindowEnd(LATE)
        .setCode(
            Stream.of(RefusalCode.values())
                .max(Comparator.comparingInt(code -> code.name().length()))
                .orElseThrow())
        .setQueryId("q".repeat(64))
        .setCandidate(Integer.MAX_VALUE)
        .setPipelineVersion(1_000_000)
        .build();
  }

  private static DeadLetter deadLetter(String topic) {
    return DeadLetter.newBuilder()
        .setTopic(topic)
        .setPartition(Integer.MAX_VALUE)
        .setOffset(Long.MAX_VALUE)
        .setCode(
            Stream.of(RejectionCode.values())
                .map(Enum::name)
                .max(Comparator.comparingInt(String::length))
                .orElseThrow())
        .build();
  }
}
