// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import com.fasterxml.jackson.databind.JsonNode;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.ArrayItems;
import io.sfumato.pipeline.BandwidthSource;
import io.sfumato.pipeline.BudgetReader;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.ContributionsReader;
import io.sfumato.pipeline.FeatureSpec;
import io.sfumato.pipeline.FeaturesReader;
import io.sfumato.pipeline.FieldTypes;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.FilterReader;
import io.sfumato.pipeline.InputReader;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.OutputFormat;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Pipeline.Subjects;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.PlainValues;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.Problems;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.SubjectsField;
import io.sfumato.pipeline.TopicNames;
import io.sfumato.pipeline.WindowReader;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.pipeline.WindowSpec.Clock;
import io.sfumato.pipeline.YamlText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads pipeline files: YAML to {@link Pipeline}, or everything that is wrong with it. */
public final class PipelineFile {
  private static final String TOO_LONG = "larger than 1 MiB; a pipeline file has some 20 lines";

  private final Problems problems = new Problems();

  private final Optional<BandwidthSource> derived;

  private PipelineFile(Optional<BandwidthSource> derived) {
    this.derived = derived;
  }

  /**
   * Reads a file.
   *
   * @throws PipelineFileException if it cannot be read or anything in it is wrong
   */
  public static Pipeline read(Path file) throws PipelineFileException {
    return read(file, Optional.empty());
  }

  /**
   * Reads a file.
   *
   * @param derived gives the bandwidth if the file names none
   * @throws PipelineFileException if it cannot be read or anything in it is wrong
   */
  public static Pipeline read(Path file, Optional<BandwidthSource> derived)
      throws PipelineFileException {
    try {
      if (Files.size(file) > YamlText.MAX_CHARACTERS) {
        throw new PipelineFileException(file.toString(), List.of(TOO_LONG));
      }
      return parse(file.toString(), Files.readString(file), derived);
    } catch (NoSuchFileException e) {
      throw new PipelineFileException(
          file.toString(), List.of("no such file; examples lie in the folder topology/"));
    } catch (IOException e) {
      throw new PipelineFileException(
          file.toString(),
          List.of("cannot be read as UTF-8 text: " + e.getClass().getSimpleName()));
    }
  }

  /** Parses the text of a file; {@code name} stands in its error messages. */
  public static Pipeline parse(String name, String yaml) throws PipelineFileException {
    return parse(name, yaml, Optional.empty());
  }

  private static Pipeline parse(String name, String yaml, Optional<BandwidthSource> derived)
      throws PipelineFileException {
    if (yaml.length() > YamlText.MAX_CHARACTERS) {
      throw new PipelineFileException(name, List.of(TOO_LONG));
    }
    PipelineFile reader = new PipelineFile(derived);
    Pipeline pipeline = reader.pipeline(YamlText.read(name, yaml));
    List<String> told = reader.problems.toReport();
    if (!told.isEmpty()) {
      throw new PipelineFileException(name, told);
    }
    return pipeline;
  }

  private Pipeline pipeline(JsonNode tree) {
    Fields file = new Fields(tree, FileSections.file(), problems);
    String name = file.get(FileSections.PIPELINE);
    TopicNames.checkPipeline(file, "pipeline", name, FieldTypes.NAME.allowed());
    int version = file.get(FileSections.VERSION);
    Fields records = file.section(FileSections.INPUT);
    InputSpec input = InputReader.input(records);
    Optional<String> user = InputReader.user(records);
    user.ifPresent(field -> InputReader.checkKey(records, "user", field, input.formats().keys()));
    InputReader.checkWeight(records, input, user);
    InputReader.checkNumbers(records, input);
    InputReader.checkId(records, input);
    InputReader.checkDiscovery(records, input, user);
    records.refuseUnknown();
    if (input.columns().isEmpty()) {
      input.category().ifPresent(category -> ArrayItems.check(records, category, user));
    }
    Optional<Population> population = ContributionsReader.population(file, user, input);
    Optional<FeatureSpec> features = FeaturesReader.features(file, input, derived);
    int before = problems.unreadable();
    WindowSpec window = WindowReader.window(file.section(FileSections.WINDOW));
    BudgetSpec budget = BudgetReader.budget(file.section(FileSections.BUDGET), window);
    SubjectsField.Choice who = SubjectsField.choice(file, input.constantSubject(), budget.unit());
    ReleasesReader reader =
        new ReleasesReader(
            input, features, window, budget, population, problems.unreadable() == before);
    FileOutputs outputs = reader.read(file);
    List<ReleaseSpec> releases = outputs.releases();
    Optional<Integer> reservoir = reservoir(file, releases);
    OutputFormat format = format(file);
    Pipeline.Rows rows = file.get(FileSections.ROWS);
    Map<String, String> kafka = PlainValues.of(file, "kafka");
    file.refuseUnknown();
    outputs.checkNames(name, input, problems);
    outputs.checkSources(problems);
    checkUnit(window, who.subjects(), budget);
    FilterReader.checkPublic(input, budget.unit(), problems);
    FilterReader.checkId(input, budget.unit(), problems);
    checkPopulation(input, budget, releases, population);
    Pipeline pipeline =
        new Pipeline(
            name,
            version,
            input,
            window,
            features,
            reservoir,
            who.subjects(),
            who.listed(),
            population,
            budget,
            releases,
            outputs.derived(),
            format,
            kafka,
            outputs.questions(),
            rows);
    checkReleases(file, pipeline, reader);
    return pipeline;
  }

  private void checkReleases(Fields file, Pipeline pipeline, ReleasesReader reader) {
    List<ReleaseSpec> releases = pipeline.releases();
    new QuestionsCheck(pipeline).problems().forEach(problems::conflict);
    reader.checkKinds(releases, problems);
    checkFeatures(file, pipeline.input(), pipeline.features(), releases);
    reader.checkShares(releases, problems);
  }

  private void checkUnit(WindowSpec window, Subjects subjects, BudgetSpec budget) {
    boolean needsTicks = budget.unit() != PrivacyUnit.RECORD;
    if (needsTicks && (window.clock() != Clock.TICKS || !subjects.isFixed())) {
      problems.conflict(
          "field 'budget.unit': '"
              + budget.unit().word()
              + "' hides who has records, so it needs 'window.clock: ticks' and 'subjects: roster', a list, or 'discover'");
    }
  }

  private static OutputFormat format(Fields file) {
    OutputFormat format = file.get(FileSections.FORMAT);
    boolean registered = file.get(FileSections.SCHEMAS).equals("registry");
    if (registered && file.has(FileSections.FORMAT) && format == OutputFormat.JSON) {
      file.conflict("schemas", "found 'registry' with format 'json'", "with format 'avro' only");
    }
    return registered ? OutputFormat.REGISTERED : format;
  }

  private void checkPopulation(
      InputSpec input,
      BudgetSpec budget,
      List<ReleaseSpec> releases,
      Optional<Population> population) {
    if (population.isPresent() != (budget.unit() == PrivacyUnit.USER)) {
      problems.conflict(
          "field 'budget.unit': found '"
              + budget.unit().word()
              + "'; name the field of the user ('input.user') and what counts of one ('contributions') with 'unit: user' alone, and leave both out with other units");
    }
    boolean told = releases.stream().anyMatch(ReleaseSpec::countsLeftOut);
    if (told && input.id().isPresent()) {
      problems.conflict(
          "field 'input.id': found with a count 'by: left-out', which would count copies of an event as left out; allowed is one of them");
    }
    if (population.isPresent() && population.get().leftOut().isPresent() != told) {
      problems.conflict(
          told
              ? "field 'contributions.left-out': is missing, with a count 'by: left-out'; allowed: how many left-out records"
                  + " of one user and window are told at most, such as 10"
              : "field 'contributions.left-out': found without a count 'by: left-out', which alone tells it");
    }
    population
        .filter(people -> people.user().equals(input.subject()))
        .ifPresent(
            people ->
                problems.conflict(
                    "field 'input.user': is 'input.subject' too; many users feed one subject here. Leave"
                        + " it out where the user IS the subject"));
  }

  /** A sample of records is kept only where items, or quantiles, are drawn from numbers. */
  private static Optional<Integer> reservoir(Fields file, List<ReleaseSpec> releases) {
    boolean needed = releases.stream().anyMatch(ReleaseSpec::drawsFromNumbers);
    if (!needed) {
      if (file.has(FileSections.RESERVOIR)) {
        file.get(FileSections.RESERVOIR);
        file.conflict(
            "reservoir",
            file.found("reservoir"),
            "only with 'input.values' and a release 'mollifier', or quantiles of a release 'abc'");
      }
      return Optional.empty();
    }
    return Optional.of(file.get(FileSections.RESERVOIR));
  }

  /** Refuses a file whose queries measure features that it does not keep. */
  private static void checkFeatures(
      Fields file, InputSpec input, Optional<FeatureSpec> features, List<ReleaseSpec> releases) {
    boolean measured = releases.stream().anyMatch(ReleaseSpec::measuresFeatures);
    if (measured && features.isEmpty() && !input.values().isEmpty()) {
      file.conflict(
          "features",
          "is missing, but 'input.values' names fields of numbers",
          "a mapping: {bandwidth: 0.6}; 'sfumato plan FILE --pseudo-data CSV' derives one from"
              + " public pseudo-data");
    }
  }
}
