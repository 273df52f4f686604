// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.abc.DistanceMeasure;
import io.sfumato.mechanism.abc.Distances;
import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.mechanism.abc.Summaries;
import io.sfumato.mechanism.abc.SummaryData;
import io.sfumato.pipeline.FieldLimits;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.record.CanonicalName;
import io.sfumato.release.abc.AbcSpec;
import io.sfumato.schema.AbcCandidate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Turns a modeller's record into a candidate, or into the code that says why it is none. Everything
 * in it is public; what counts is that no number in it can break a distance.
 */
public final class CandidateReader {
  /** What Avro decodes invalid UTF-8 to: two subjects would be one. */
  private static final char REPLACEMENT = '\uFFFD';

  private static final Pattern QUERY_ID =
      Pattern.compile(String.format(Locale.ROOT, "[A-Za-z0-9._-]{1,%d}", FieldLimits.QUERY_ID));

  private final Pipeline pipeline;
  private final Map<String, AbcSpec> outputs;
  private final Optional<RandomFeatures> features;

  public CandidateReader(Pipeline pipeline) {
    this.pipeline = pipeline;
    this.outputs =
        AbcSpec.of(pipeline).stream().collect(Collectors.toMap(AbcSpec::name, Function.identity()));
    this.features =
        pipeline.features().map(spec -> spec.features(pipeline.input().values().size()));
  }

  /**
   * Reads one candidate.
   *
   * @throws RejectedRecordException with the code of the first thing that is wrong
   */
  public JournalEntry.Candidate read(byte[] value) throws RejectedRecordException {
    return ForeignBytes.orReject(RejectionCode.BAD_CANDIDATE, () -> candidate(value));
  }

  private JournalEntry.Candidate candidate(byte[] value) throws RejectedRecordException {
    if (value == null) {
      throw new RejectedRecordException(RejectionCode.NULL_VALUE);
    }
    if (value.length > pipeline.input().maxBytes()) {
      throw new RejectedRecordException(RejectionCode.TOO_LARGE);
    }
    AbcCandidate found = Outputs.decodeCandidate(value);
    Optional<String> subject =
        CanonicalName.ofText(found.getSubject()).filter(name -> name.indexOf(REPLACEMENT) < 0);
    require(
        QUERY_ID.matcher(found.getQueryId()).matches() && subject.isPresent(),
        RejectionCode.BAD_CANDIDATE);
    AbcSpec spec = outputs.get(found.getOutput());
    require(spec != null, RejectionCode.UNKNOWN_OUTPUT);
    require(
        found.getCandidates() >= 1
            && found.getCandidates() <= spec.candidates()
            && found.getCandidate() >= 0,
        RejectionCode.BAD_QUERY_SIZE);
    long start = found.getWindowStart().toEpochMilli();
    require(
        start >= EventReader.EARLIEST
            && start <= EventReader.LATEST
            && pipeline.window().startOf(start) == start,
        RejectionCode.BAD_WINDOW);
    require(
        found.getParameters().size() <= FieldLimits.PARAMETERS && finite(found.getParameters()),
        RejectionCode.BAD_PARAMETERS);
    return new JournalEntry.Candidate(
        spec.name(),
        found.getQueryId(),
        found.getCandidate(),
        found.getCandidates(),
        subject.get(),
        start,
        found.getParameters(),
        numbers(spec.measure(), found));
  }

  /** What the pseudo-data come to, as the output measures it. */
  private List<Double> numbers(DistanceMeasure measure, AbcCandidate found)
      throws RejectedRecordException {
    if (found.getMean() != null) {
      require(
          found.getValues() == null && found.getCounts() == null, RejectionCode.BAD_PSEUDO_DATA);
      checkMean(measure, found.getMean());
      return found.getMean();
    }
    Given given =
        new Given(Optional.ofNullable(found.getValues()), Optional.ofNullable(found.getCounts()));
    return measure.choose(
        new DistanceMeasure.Cases<List<Double>, RejectedRecordException>() {
          @Override
          public List<Double> features() throws RejectedRecordException {
            require(given.hasOnlyValues(), RejectionCode.BAD_PSEUDO_DATA);
            return meanFeatures(given.values().orElseThrow());
          }

          @Override
          public List<Double> categories() throws RejectedRecordException {
            require(given.hasOnlyCounts(), RejectionCode.BAD_PSEUDO_DATA);
            return shares(given.counts().orElseThrow());
          }

          @Override
          public List<Double> summaries(Summaries summaries) throws RejectedRecordException {
            return summarised(summaries, given);
          }
        });
  }

  /** Pseudo-data as they came. */
  private record Given(Optional<List<List<Double>>> values, Optional<List<Long>> counts) {
    boolean hasOnlyValues() {
      return values.isPresent() && counts.isEmpty();
    }

    boolean hasOnlyCounts() {
      return counts.isPresent() && values.isEmpty();
    }
  }

  /** Of values, counts, or both: what the summaries are of, and nothing else. */
  private List<Double> summarised(Summaries summaries, Given given) throws RejectedRecordException {
    require(
        given.values().isPresent() == summaries.needNumbers()
            && given.counts().isPresent() == summaries.needCategories(),
        RejectionCode.BAD_PSEUDO_DATA);
    List<double[]> rows = new ArrayList<>();
    for (List<Double> row : given.values().orElse(List.of())) {
      require(
          row.size() == pipeline.input().values().size() && usable(row),
          RejectionCode.BAD_PSEUDO_DATA);
      rows.add(row.stream().mapToDouble(Double::doubleValue).toArray());
    }
    require(!rows.isEmpty() || !summaries.needNumbers(), RejectionCode.BAD_PSEUDO_DATA);
    if (given.counts().isPresent()) {
      shares(given.counts().get());
    }
    try {
      Optional<Histogram> counts =
          given
              .counts()
              .map(all -> new Histogram(all.stream().mapToLong(Long::longValue).toArray()));
      return boxed(summaries.of(SummaryData.pseudo(pipeline.sums().orElseThrow(), rows, counts)));
    } catch (ArithmeticException e) {
      // Counts whose sum is no whole number of 64 bits.
      throw new RejectedRecordException(RejectionCode.BAD_PSEUDO_DATA);
    }
  }

  /** Whether they are numbers as records may have them. */
  private static boolean usable(List<Double> numbers) {
    // Written so that NaN is refused too.
    return numbers.stream().allMatch(x -> Math.abs(x) <= RandomFeatures.LARGEST_INPUT);
  }

  private List<Double> meanFeatures(List<List<Double>> values) throws RejectedRecordException {
    double[][] rows =
        values.stream()
            .map(row -> row.stream().mapToDouble(Double::doubleValue).toArray())
            .toArray(double[][]::new);
    try {
      return boxed(features.orElseThrow().mean(rows));
    } catch (IllegalArgumentException e) {
      throw new RejectedRecordException(RejectionCode.BAD_PSEUDO_DATA);
    }
  }

  private List<Double> shares(List<Long> counts) throws RejectedRecordException {
    double sum = 0;
    for (long count : counts) {
      require(count >= 0, RejectionCode.BAD_PSEUDO_DATA);
      sum += count;
    }
    require(
        sum > 0 && counts.size() == pipeline.input().allCategories().size(),
        RejectionCode.BAD_PSEUDO_DATA);
    double all = sum;
    return counts.stream().map(count -> count / all).toList();
  }

  private void checkMean(DistanceMeasure measure, List<Double> mean)
      throws RejectedRecordException {
    double[] numbers = mean.stream().mapToDouble(Double::doubleValue).toArray();
    boolean usable =
        measure.choose(
            new DistanceMeasure.Cases<Boolean, RuntimeException>() {
              @Override
              public Boolean features() {
                return numbers.length == features.orElseThrow().features()
                    && Distances.isFeatureMean(numbers);
              }

              @Override
              public Boolean categories() {
                return numbers.length == pipeline.input().allCategories().size()
                    && Distances.areShares(numbers);
              }

              @Override
              public Boolean summaries(Summaries summaries) {
                return numbers.length == summaries.list().size() && usable(mean);
              }
            });
    require(usable, RejectionCode.BAD_FEATURE_MEAN);
  }

  private static boolean finite(List<Double> numbers) {
    return numbers.stream().allMatch(Double::isFinite);
  }

  private static List<Double> boxed(double[] numbers) {
    return Arrays.stream(numbers).boxed().toList();
  }

  private static void require(boolean usable, RejectionCode code) throws RejectedRecordException {
    if (!usable) {
      throw new RejectedRecordException(code);
    }
  }
}
