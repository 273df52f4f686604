// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sfumato.doctor.TopicPart;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plan;
import io.sfumato.release.PlanReport;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All that whoever must sign for a pipeline file has to know: a function of the file, the program,
 * what an audit found and what was accepted as the budget began. No clock, no place, no machine.
 *
 * @param document what it is about
 * @param protection the promise
 * @param odds what the promise means
 * @param outputs in the file's order
 * @param total what all outputs come to
 * @param warnings what the plan warns of as a whole
 * @param gaps what the promise does not cover
 * @param holders who can learn what at worst
 * @param keys secrets
 * @param access who needs which rights
 * @param topics what lies where, and for how long
 * @param forgetting what becomes of data
 * @param audit what an audit found; empty where none was given
 * @param guideline what NIST SP 800-226 asks
 * @param repeats how somebody else gets these figures
 */
public record Sheet(
    Document document,
    Protection protection,
    Odds odds,
    List<Output> outputs,
    Total total,
    List<String> warnings,
    List<Limitation> gaps,
    List<RoleExposure> holders,
    List<Key> keys,
    List<ResourceRights> access,
    List<TopicPart> topics,
    List<Forgetting> forgetting,
    List<Findings> audit,
    List<GuidelineQuestion> guideline,
    List<Reproduction> repeats) {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(com.fasterxml.jackson.core.JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN)
          .build();

  /**
   * What a sheet is about.
   *
   * @param file its name, without folders
   * @param sha256 of its bytes, hexadecimal
   * @param pipeline name
   * @param version of the file
   * @param planDigest SHA-256 of all in it that bears on what is released: a running pipeline's
   *     state refuses any other
   * @param program its name and version
   */
  public record Document(
      String file,
      String sha256,
      String pipeline,
      int version,
      String planDigest,
      String program) {}

  /**
   * What a file alone does not say.
   *
   * @param audit what an audit found of it
   * @param accepted budgets whose losses an operator accepted to add when this one began
   * @param warnings what trials of the plan warn of
   */
  public record Beside(Optional<Findings> audit, List<String> accepted, List<String> warnings) {
    /** Nothing is known. */
    public static final Beside NOTHING = new Beside(Optional.empty(), List.of(), List.of());

    public Beside {
      accepted = List.copyOf(accepted);
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * Of a plan.
   *
   * @param file name of the pipeline file
   * @param sha256 of its bytes, hexadecimal
   * @param program name and version
   * @param beside what is known besides
   */
  public static Sheet of(Plan plan, String file, String sha256, String program, Beside beside) {
    Pipeline pipeline = plan.pipeline();
    Sheet facts =
        new Sheet(
            new Document(
                file, sha256, pipeline.name(), pipeline.version(), plan.digestText(), program),
            Protection.of(pipeline),
            Odds.of(
                pipeline.budget().unit(), pipeline.budget().epsilon(), pipeline.budget().delta()),
            Stream.concat(
                    plan.releases().stream().map(release -> Output.of(pipeline, release)),
                    pipeline.derived().stream()
                        .map(derived -> Output.of(pipeline, derived, plan.sources(derived))))
                .toList(),
            Total.of(plan),
            Stream.concat(PlanReport.warnings(plan).stream(), beside.warnings().stream()).toList(),
            Limitation.of(pipeline, beside.accepted()),
            RoleExposure.of(pipeline),
            Key.of(file, pipeline),
            ResourceRights.of(pipeline),
            TopicPart.of(pipeline),
            Forgetting.of(file, pipeline),
            beside.audit().stream().toList(),
            List.of(),
            Reproduction.of(file, pipeline, beside.audit()));
    return facts.with(GuidelineQuestion.of(facts, pipeline));
  }

  private Sheet with(List<GuidelineQuestion> answered) {
    return new Sheet(
        document,
        protection,
        odds,
        outputs,
        total,
        warnings,
        gaps,
        holders,
        keys,
        access,
        topics,
        forgetting,
        audit,
        answered,
        repeats);
  }

  /** For programs: docs/guides/privacy-report.md has the names. */
  public String json() {
    try {
      return JSON.writeValueAsString(this).replace(System.lineSeparator(), "\n") + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a sheet has nothing that cannot be written", e);
    }
  }
}
