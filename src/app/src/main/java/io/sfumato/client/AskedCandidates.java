// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.modeller.PseudoData;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.record.CanonicalName;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.schema.AbcCandidate;
import io.sfumato.serde.ForeignBytes;
import io.sfumato.serde.Outputs;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The candidates of a query as a modeller sent them, pseudo-data and all: public. */
final class AskedCandidates {
  private final GivenAnswers.Query query;
  private final Map<Integer, AbcCandidate> byNumber = new TreeMap<>();

  private AskedCandidates(GivenAnswers.Query query) {
    this.query = query;
  }

  /** As far as the candidates' topic still has them. */
  static AskedCandidates ofTopic(GivenAnswers.Query query, String topic, KafkaSettings settings)
      throws RefusedException {
    AskedCandidates candidates = new AskedCandidates(query);
    new OutputReader(settings)
        .read(
            List.of(topic),
            OutputReader.Ending.AT_END,
            record -> {
              ForeignBytes.<AbcCandidate>ifReadable(() -> Outputs.decodeCandidate(record.value()))
                  .ifPresent(candidates::take);
              return true;
            });
    return candidates;
  }

  /** Of a file with a candidate a line, in JSON as the topic takes it. */
  static AskedCandidates ofFile(GivenAnswers.Query query, Path file) throws RefusedException {
    AskedCandidates candidates = new AskedCandidates(query);
    long line = 0;
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String text = lines.readLine(); text != null; text = lines.readLine()) {
        line++;
        if (!text.isBlank()) {
          candidates.take(Outputs.decodeCandidate(text.getBytes(StandardCharsets.UTF_8)));
        }
      }
    } catch (CorruptBytesException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "%s line %d: not a candidate; allowed is one JSON object per line, as in docs/guides/models.md"
              .formatted(file, line));
    } catch (IOException e) {
      throw new RefusedException(ExitCode.REFUSED_FILE, file + ": cannot be read as UTF-8 text");
    }
    return candidates;
  }

  private void take(AbcCandidate candidate) {
    if (candidate.getOutput().equals(query.spec().name())
        && CanonicalName.ofText(candidate.getSubject()).equals(Optional.of(query.subject()))
        && candidate.getQueryId().equals(query.id())
        && query.window().map(candidate.getWindowStart()::equals).orElse(true)) {
      byNumber.putIfAbsent(candidate.getCandidate(), candidate);
    }
  }

  /**
   * What a candidate simulated; nothing if it is not there, has other parameters than its answer
   * says, or was sent as mean features or shares alone.
   */
  Optional<PseudoData> pseudoData(int number, List<Double> parameters, InputSpec input) {
    AbcCandidate candidate = byNumber.get(number);
    if (candidate == null || !candidate.getParameters().equals(parameters)) {
      return Optional.empty();
    }
    if (candidate.getCounts() != null
        && candidate.getCounts().size() == input.allCategories().size()) {
      return Optional.of(
          new PseudoData.Counts(
              candidate.getCounts().stream().mapToLong(Long::longValue).toArray()));
    }
    if (candidate.getValues() != null
        && !candidate.getValues().isEmpty()
        && !input.values().isEmpty()
        && candidate.getValues().stream().allMatch(r -> r.size() == input.values().size())) {
      return Optional.of(
          PseudoData.Numbers.of(
              candidate.getValues().stream()
                  .map(row -> row.stream().mapToDouble(Double::doubleValue).toArray())
                  .toArray(double[][]::new)));
    }
    return Optional.empty();
  }
}
