// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.StateEpoch;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.SizeBound.Kind;
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
import io.sfumato.topology.context.Names;
import io.sfumato.topology.release.Publisher;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  private static final Estimate ESTIMATE = new Estimate(LONG, LONG, LONG, false, false);

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
            () -> new StateEpoch(-1, -1),
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

  private static List<SpecificRecord> largest(
      Pipeline pipeline, PlannedRelease release, ReleaseId id, Guarantee guarantee) {
    Longest longest = new Longest(pipeline, release.spec().name(), id, guarantee);
    List<String> categories = pipeline.input().allCategories();
    Long records = pipeline.population().isPresent() ? null : Long.MAX_VALUE;
    if (release.spec() instanceof HistogramSpec spec && spec.usesHistory()) {
      return List.of(
          longest.of(
              new HistoryRelease(),
              with("records", records),
              with("categories", categories),
              with("probabilities", nCopies(categories.size(), LONG)),
              with("error_95", nCopies(categories.size(), LONG)),
              with("noisy_counts", nCopies(categories.size(), Long.MIN_VALUE))));
    }
    if (release.spec() instanceof HistogramSpec spec) {
      boolean counted = spec.output() instanceof HistogramSpec.Output.Counts;
      return List.of(
          longest.of(
              new DirichletRelease(),
              with("records", records),
              with("categories", categories),
              with("probabilities", nCopies(counted ? 0 : categories.size(), LONG)),
              with("counts", nCopies(counted ? categories.size() : 0, Long.MIN_VALUE)),
              with("error_95", nCopies(categories.size(), LONG))));
    }
    if (release.spec() instanceof CountSpec spec && spec.usesHistory()) {
      List<String> counted = spec.isByCategory() ? categories : List.of();
      int groups = Math.max(1, counted.size());
      return List.of(
          longest.of(
              new HistoryCountRelease(),
              with("categories", counted),
              with("estimates", nCopies(groups, LONG)),
              with("error_95", nCopies(groups, LONG)),
              with("noisy_counts", nCopies(groups, Long.MIN_VALUE))));
    }
    if (release.spec() instanceof CountSpec spec) {
      boolean total = spec.grouping() == CountSpec.Grouping.TOTAL;
      return List.of(
          longest.of(
              new CountRelease(),
              with("categories", total ? List.of() : categories),
              with("counts", nCopies(total ? 1 : categories.size(), Long.MIN_VALUE)),
              with("error_95", Long.MAX_VALUE),
              with("windows", null),
              with("last_windows", null),
              with("last_since", null),
              with("last_counts", null),
              with("last_error_95", null)));
    }
    if (release.spec() instanceof MollifierSpec) {
      return List.of(
          longest.of(
              new MollifiedSample(),
              with(
                  "category",
                  categories.stream().max(Comparator.comparingInt(String::length)).orElse(null)),
              with("values", nCopies(pipeline.input().values().size(), LONG))));
    }
    if (release.spec() instanceof FeatureSumsSpec spec) {
      return List.of(
          longest.of(
              new FeatureRelease(),
              with("sums", nCopies(spec.kept().count(), LONG)),
              with("seed", spec.kept().seed()),
              with("values", pipeline.input().values())));
    }
    if (release.spec() instanceof MeanSpec spec) {
      List<SpecificRecord> rows = new ArrayList<>();
      for (int group = 0; group < spec.groups(); group++) {
        for (MeasuredValue value : spec.values()) {
          rows.add(
              longest.of(
                  new MeanRow(),
                  with("category", spec.groups() > 1 ? categories.get(group) : null),
                  with("value", value.name()),
                  with("parts", nCopies(spec.moments() + 1, LONG))));
        }
      }
      return List.of(
          longest.of(
              new MeanRelease(),
              with("rows", rows),
              with("last_rows", spec.over().last().isPresent() ? rows : null)));
    }
    if (release.spec() instanceof SubjectsSpec) {
      return List.of(longest.of(new SubjectRelease()));
    }
    if (release.spec() instanceof BoundsSpec spec) {
      return List.of(
          longest.of(
              new BoundsRelease(),
              with("value", spec.value()),
              with("passed", Integer.MIN_VALUE),
              with("rows", nCopies(193, new BoundsRow(LONG, LONG, Long.MIN_VALUE)))));
    }
    if (release.spec() instanceof QuantileSpec spec) {
      List<Quantile> quantiles =
          nCopies(spec.quantiles().size(), new Quantile(LONG, ESTIMATE, false));
      return List.of(
          longest.of(
              new QuantileRelease(),
              with("value", spec.value()),
              with("bins", Integer.MIN_VALUE),
              with("scale", "linear"),
              with("quantiles", quantiles),
              with(
                  "categories",
                  spec.groups() == 1
                      ? null
                      : categories.stream()
                          .map(category -> new QuantileRow(category, ESTIMATE, quantiles))
                          .toList())));
    }
    return Stream.of(new AbcDecision(), new AbcWeight())
        .map(
            answer ->
                longest.of(
                    answer,
                    with("query_id", "q".repeat(64)),
                    with("records", Long.MAX_VALUE),
                    with("parameters", nCopies(100, LONG))))
        .toList();
  }

  private record Field(String name, Object value) {}

  private static Field with(String name, Object value) {
    return new Field(name, value);
  }

  /** Fills the records of an output. */
  private record Longest(Pipeline pipeline, String output, ReleaseId id, Guarantee guarantee) {
    /** Every other field is what the label says, or as long as its type allows. */
    SpecificRecord of(SpecificRecord record, Field... fields) {
      Map<String, Object> known = new HashMap<>();
      known.put("release_id", id.text());
      known.put("pipeline", pipeline.name());
      known.put("output", output);
      known.put("subject", LargeFiles.SUBJECT);
      known.put("window_end", LATE);
      known.put("guarantee", guarantee);
      for (Field field : fields) {
        known.put(field.name(), field.value());
      }
      for (Schema.Field field : record.getSchema().getFields()) {
        boolean isKnown = known.containsKey(field.name());
        record.put(field.pos(), isKnown ? known.get(field.name()) : longest(field.schema()));
      }
      return record;
    }

    private static Object longest(Schema schema) {
      return switch (schema.getType()) {
        case UNION -> longest(schema.getTypes().get(1));
        case DOUBLE -> LONG;
        case INT -> Integer.MAX_VALUE;
        case LONG -> schema.getLogicalType() == null ? (Object) Long.MIN_VALUE : EARLY;
        case BOOLEAN -> false;
        case RECORD -> ESTIMATE;
        default -> throw new AssertionError("no longest value of " + schema);
      };
    }
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
