// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.mechanism.abc.Distances;
import io.sfumato.mechanism.abc.Measure;
import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.pipeline.FieldLimits;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.abc.AbcSpec;
import io.sfumato.schema.AbcCandidate;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
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
  private static final Pattern QUERY_ID =
      Pattern.compile("[A-Za-z0-9._-]{1,%d}".formatted(FieldLimits.QUERY_ID));

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
    int subjectBytes = found.getSubject().getBytes(StandardCharsets.UTF_8).length;
    require(
        QUERY_ID.matcher(found.getQueryId()).matches()
            && subjectBytes > 0
            && subjectBytes <= FieldLimits.SUBJECT,
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
        found.getSubject(),
        start,
        found.getParameters(),
        mean(spec.measure(), found));
  }

  private List<Double> mean(Measure measure, AbcCandidate found) throws RejectedRecordException {
    List<List<Double>> values = found.getValues();
    List<Long> counts = found.getCounts();
    int given =
        (values == null ? 0 : 1) + (counts == null ? 0 : 1) + (found.getMean() == null ? 0 : 1);
    require(given == 1, RejectionCode.BAD_PSEUDO_DATA);
    if (found.getMean() != null) {
      checkMean(measure, found.getMean());
      return found.getMean();
    }
    return switch (measure) {
      case FEATURES -> {
        require(values != null, RejectionCode.BAD_PSEUDO_DATA);
        yield meanFeatures(values);
      }
      case CATEGORIES -> {
        require(counts != null, RejectionCode.BAD_PSEUDO_DATA);
        yield shares(counts);
      }
    };
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

  private void checkMean(Measure measure, List<Double> mean) throws RejectedRecordException {
    double[] numbers = mean.stream().mapToDouble(Double::doubleValue).toArray();
    boolean usable =
        switch (measure) {
          case FEATURES ->
              numbers.length == features.orElseThrow().features()
                  && Distances.isFeatureMean(numbers);
          case CATEGORIES ->
              numbers.length == pipeline.input().allCategories().size()
                  && Distances.areShares(numbers);
        };
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
