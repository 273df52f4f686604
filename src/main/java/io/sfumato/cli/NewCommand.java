// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.EventTimes;
import io.sfumato.console.Terminal;
import io.sfumato.console.Visible;
import io.sfumato.draft.ArrayItems;
import io.sfumato.draft.Draft;
import io.sfumato.draft.DraftAdvice;
import io.sfumato.draft.DraftCheck;
import io.sfumato.draft.Fields;
import io.sfumato.draft.Guess;
import io.sfumato.draft.NewFile;
import io.sfumato.draft.NextSteps;
import io.sfumato.draft.Sample;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.release.PipelineFile;
import io.sfumato.release.Plan;
import io.sfumato.release.PlanReport;
import io.sfumato.runtime.RefusedException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
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
      "Writes a commented pipeline file from a look at some records.",
      "On a terminal it asks what it cannot find; elsewhere it takes what it finds."
    },
    footer = {
      "",
      "Examples:",
      "  sfumato new diary.yaml --csv diary.csv.gz",
      "  sfumato new clicks.yaml --from-topic clicks --bootstrap-servers kafka:9092",
      "  sfumato new wards.yaml --csv admissions.csv --user patient --subject ward --window 1d",
      "  sfumato new orders.yaml --csv orders.csv --user customer --subject region --value amount=0,500",
      "  sfumato new steps.yaml --subject user --time at --category kind --categories walk,run,ride --window 1d"
    })
final class NewCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "Pipeline file to write; it must not exist.")
  private Path file;

  @Mixin private ClusterOptions cluster;

  @Mixin private SampleOptions records;

  @Mixin private DraftOptions said;

  @Override
  public Integer call() throws RefusedException, PipelineFileException {
    said.require();
    records.require();
    NewFile written = new NewFile(file);
    written.requireNone();
    Sample sample = records.look(cluster);
    if (records.csv.isEmpty() && records.fromTopic.isEmpty()) {
      said.requireAllNamed();
    }
    String name = name();
    String topic = said.topic(records.fromTopic, name);
    Fields fields = said.fields(sample);
    Sample counted = new ArrayItems(sample).unfolded(fields.category());
    DraftCheck.requireFields(sample, counted, fields);
    EventTimes times = records.times(sample, fields.time(), said.choices());
    Guess guess = new Guess(counted.sent(fields.time(), times));
    List<String> allowed = said.categories(guess, fields);
    Guess.Window found = said.window(guess, fields);
    String yaml = said.yaml(name, topic, fields, allowed, found, records.fromTopic, guess);
    // Whatever comes out must be a file that runs, and that counts these records.
    Plan plan = Plan.of(file.toString(), PipelineFile.parse(file.toString(), yaml));
    List<String> notes =
        new ArrayList<>(DraftCheck.notes(records.rehearse(plan.pipeline(), sample, times)));
    written.write(yaml);
    PrintWriter out = Terminal.over(spec.commandLine().getOut());
    out.printf("wrote %s; read it: the categories in it become public%n%n", file);
    out.printf(
        "It counts '%s' (--category) of each '%s' (--subject) by the time in '%s' (--time), in windows of%n"
            + "%s (--window). What you did not give was chosen by a look at the records%s,%n"
            + "and is marked GUESSED in the file. To change it, edit the file before its first start, or remove it%n"
            + "and say these options.%n%n",
        fields.category(),
        fields.subject(),
        fields.time(),
        Draft.length(found.size()),
        DraftAdvice.typical(found));
    notes.addAll(DraftCheck.numbers(sample, said.measured()));
    DraftCheck.utc(times.zone(), found.size()).ifPresent(notes::add);
    notes.forEach(note -> out.printf("%s%n%n", Visible.of(note)));
    out.print(PlanReport.text(plan));
    DraftAdvice advice = new DraftAdvice(file, looked(), fields, said.measured());
    plan.pipeline()
        .population()
        .map(people -> new Guess.Bounds(people.records(), people.subjects()))
        .flatMap(
            bounds -> advice.leftOut(guess, found, bounds, Set.copyOf(plan.pipeline().listed())))
        .ifPresent(line -> out.printf("%n%s%n", line));
    advice.on(guess, found).forEach(line -> out.printf("%n%s%n", line));
    out.printf("%nNext, each in a terminal of its own:%n");
    next(plan, times).commands().forEach(command -> out.printf("  %s%n", command));
    out.flush();
    return 0;
  }

  /** Options that name what was looked at, and how. */
  private List<String> looked() {
    List<String> options = new ArrayList<>(records.typed());
    said.window.ifPresent(size -> options.addAll(List.of("--window", size)));
    options.addAll(cluster.typed());
    return options;
  }

  private NextSteps next(Plan plan, EventTimes times) {
    return new NextSteps(
        file,
        plan.pipeline().outputs().stream().map(output -> output.topic()).toList(),
        records.csv,
        times.zone(),
        records.fromTopic,
        cluster.typed(),
        said.user.isPresent());
  }

  private String name() {
    String base = file.getFileName().toString().replaceFirst("\\.ya?ml$", "");
    return base.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
  }
}
