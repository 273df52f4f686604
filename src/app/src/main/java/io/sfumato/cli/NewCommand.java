// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.EventTimes;
import io.sfumato.console.Terminal;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.Plan;
import io.sfumato.release.PlanReport;
import io.sfumato.runtime.RefusedException;
import io.sfumato.scaffold.DraftAdvice;
import io.sfumato.scaffold.DraftCheck;
import io.sfumato.scaffold.EditorSchema;
import io.sfumato.scaffold.FieldRoles;
import io.sfumato.scaffold.Guess;
import io.sfumato.scaffold.NewFile;
import io.sfumato.scaffold.NextSteps;
import io.sfumato.scaffold.PersonField;
import io.sfumato.scaffold.SampleRecords;
import io.sfumato.scaffold.Scaffold;
import io.sfumato.scaffold.TimeField;
import io.sfumato.scaffold.TopicField;
import io.sfumato.text.ControlCharEscaper;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "new",
    mixinStandardHelpOptions = true,
    description = {
      "Writes a commented pipeline file from the field names and types of some records.",
      "It never looks at what fields hold. On a terminal it asks whom to protect, and for "
          + "what it cannot find; elsewhere it takes what it finds. Categories and subjects become public, so it "
          + "does not take them from records, unless you pay for it with --list-epsilon.",
      "Beside the file it writes pipeline.schema.json, with which editors complete and check it."
    },
    footer = {
      "",
      "Examples:",
      "  sfumato new diary.yaml --csv diary.csv.gz --categories meal,walk,sleep",
      "  sfumato new clicks.yaml --from-topic clicks --bootstrap-servers kafka:9092"
          + " --categories-file codes.txt",
      "  sfumato new wards.yaml --csv admissions.csv --user patient --subject ward --begin"
          + " 2026-01-05",
      "  sfumato new orders.yaml --csv orders.csv --user customer --subject region --begin"
          + " 2026-01-05 --categories tea,milk --value amount=0,500",
      "  sfumato new both.yaml --csv orders.csv --user customer --subject region --begin 2026-01-05"
          + " --categories channel=web,app --categories product=tea,milk",
      "  sfumato new steps.yaml --subject user --time at --category kind --categories walk,run,ride"
          + " --window 1d",
      "",
      "Pay once, epsilon 1 and delta 1e-6, to find the names that enough people have; the same"
          + " answer from the receipt from then on:",
      "  sfumato new wards.yaml --csv admissions.csv --user patient --subject ward --begin"
          + " 2026-01-05 --list-epsilon 1",
      "  sfumato new diary.yaml --csv diary.csv --list-epsilon 1 --list-delta 1e-7 --secret-file"
          + " noise.key"
    })
final class NewCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "Pipeline file to write; it must not exist.")
  private Path file;

  @Mixin private ClusterOptions cluster;

  @Mixin private SampleOptions records;

  @Mixin private DraftOptions said;

  @Mixin private ListOptions lists;

  @Override
  public Integer call() throws RefusedException, PipelineFileException {
    said.require();
    records.require();
    lists.require(said.fields.user.isPresent(), records.looks());
    NewFile written = new NewFile(file);
    written.requireNone();
    SampleRecords sample = records.look(cluster);
    if (!records.looks()) {
      said.fields.requireAllNamed(said.choices());
    }
    said.askUser(sample, lists.fields(sample));
    String name = name();
    String topic = said.topic(records.fromTopic, name);
    FieldRoles fields =
        said.fields.fields(
            sample,
            lists.fields(sample),
            lists.isOpen() && !said.findsCategories(),
            said.choices());
    lists.read(fields);
    DraftCheck.requireFields(sample, fields);
    records.require(fields);
    TimeField time = records.time(sample, fields.time(), said.choices());
    EventTimes times = records.times(time);
    lists.ask(said.choices(), fields, said.findsCategories(fields));
    // Whatever comes out must be a file that runs, and that can read these records: before anything
    // is paid for.
    Plan unpaid = plan(said.yaml(name, TopicField.of(topic, sample), fields, time, lists, records));
    List<String> notes =
        new ArrayList<>(
            DraftCheck.notes(records.rehearse(unpaid.pipeline(), sample, times, cluster)));
    lists.pay(file, fields, said.bounds(), records, cluster);
    String yaml = said.yaml(name, TopicField.of(topic, sample), fields, time, lists, records);
    Plan plan = plan(yaml);
    written.write(yaml);
    EditorSchema.beside(file);
    new PersonField(sample, said.choices()).warning(fields).ifPresent(notes::add);
    notes.addAll(DraftCheck.numbers(sample, said.measured()));
    sample.unread().ifPresent(notes::add);
    sample.envelope().ifPresent(notes::add);
    DraftCheck.utc(times.zone(), said.size(), LocalDate.now(ZoneOffset.UTC).getYear())
        .ifPresent(notes::add);
    PrintWriter out = Terminal.over(spec.commandLine().getOut());
    boolean unsaid = Scaffold.isOpen(yaml);
    tell(out, fields, notes, unsaid, plan);
    new DraftAdvice(file, looked(), fields, said.measured())
        .on(new Guess(sample))
        .forEach(line -> out.printf("%n%s%n", line));
    out.printf("%nNext%s, each in a terminal of its own:%n", unsaid ? ", after that edit" : "");
    next(plan, time, times).commands().forEach(command -> out.printf("  %s%n", command));
    out.flush();
    return 0;
  }

  /** The plan; of a file that lacks a list, with one that anybody might write there. */
  private Plan plan(String yaml) throws PipelineFileException {
    String listed = Scaffold.filled(yaml, List.of("a", "b"));
    return Plan.of(file.toString(), PipelineFile.parse(file.toString(), listed));
  }

  private void tell(
      PrintWriter out, FieldRoles fields, List<String> notes, boolean unsaid, Plan plan)
      throws RefusedException {
    out.printf("wrote %s%s%n%n", file, unsaid ? ", which needs one edit" : "");
    if (unsaid) {
      out.printf(
          "No categories were given: list them where the file says TO DO. They become public, "
              + "so take them%nfrom a code book, not from the records. To select them privately "
              + "at a cost: --list-epsilon%s.%n%n",
          fields.user().isPresent() || fields.category().size() > 1
              ? ""
              : ", or name a user (--user), and the pipeline selects them");
    }
    out.printf(
        "It counts %s (--category) of each '%s' (--subject) by the time in '%s' (--time), in "
            + "windows of%n%s (--window). What you did not give was chosen from names and types "
            + "of fields alone, and is%nmarked GUESSED in the file. To change it, edit the file "
            + "before its first start, or delete it%nand run 'new' again with the options in brackets above.%n%n",
        fields.counted(), fields.subject(), fields.time(), Scaffold.length(said.size()));
    lists.told().forEach(line -> out.printf("%s%n%n", ControlCharEscaper.of(line)));
    notes.forEach(note -> out.printf("%s%n%n", ControlCharEscaper.of(note)));
    if (!unsaid) {
      out.print(PlanReport.text(plan));
    }
  }

  /** Options that name what was looked at, and how. */
  private List<String> looked() {
    List<String> options = new ArrayList<>(records.typed());
    said.window.ifPresent(size -> options.addAll(List.of("--window", size)));
    options.addAll(cluster.typed());
    return options;
  }

  private NextSteps next(Plan plan, TimeField time, EventTimes times) {
    return new NextSteps(
        file,
        plan.pipeline().outputs().stream().map(output -> output.topic()).toList(),
        records.csv,
        records.reading(time, times),
        records.fromTopic,
        cluster.typed(),
        said.fields.user.isPresent());
  }

  private String name() {
    String base = file.getFileName().toString().replaceFirst("\\.ya?ml$", "");
    return base.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
  }
}
