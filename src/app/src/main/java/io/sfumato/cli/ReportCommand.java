// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.client.ModelOutlook;
import io.sfumato.console.Terminal;
import io.sfumato.files.SmallFile;
import io.sfumato.ledger.AddedLoss;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.release.Plan;
import io.sfumato.report.Findings;
import io.sfumato.report.Form;
import io.sfumato.report.Sheet;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.scaffold.ReplacedFile;
import io.sfumato.text.ControlCharEscaper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = {
      "Writes a privacy report about a pipeline file, for reviewers and approvers.",
      "It says what is protected and from whom, what epsilon means in odds, what each "
          + "output costs, and how large its error is. It also says what is not covered, and "
          + "lists keys, rights and retention, and how to check each figure.",
      "Without a broker, the same file and program give the same bytes, on every machine "
          + "and day. With --bootstrap-servers it also names the budgets whose losses were "
          + "accepted to add ('run --accept-added-loss')."
    },
    footer = {
      "",
      "Examples:",
      "  sfumato report topology/wards.yaml",
      "  sfumato report topology/wards.yaml -o html --out wards.html",
      "  sfumato report topology/wards.yaml -o json | jq '.total.together[0].epsilon'",
      "  sfumato audit topology/wards.yaml -o json > audit.json",
      "  sfumato report topology/wards.yaml -o html --audit audit.json --out wards.html"
    })
final class ReportCommand implements Callable<Integer> {
  private static final int LARGEST_AUDIT = 1 << 20;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "Pipeline file.")
  private Path file;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "Format: markdown, json or html; by default ${DEFAULT-VALUE}.",
      defaultValue = "markdown")
  private Form form;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "File to write, replaced if it exists; by default the report is printed.")
  private Optional<Path> out = Optional.empty();

  @Option(
      names = "--audit",
      paramLabel = "JSON",
      description = "What 'sfumato audit FILE -o json' found of this file.")
  private Optional<Path> audit = Optional.empty();

  @Option(
      names = "--docs",
      paramLabel = "BASE",
      description =
          "Where links to this program's documents lead, a folder or an address; by default ${DEFAULT-VALUE}.",
      defaultValue = "docs/")
  private String docs;

  @Mixin private ClusterOptions cluster;

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Plan plan = PipelineCommand.planOf(file);
    Sheet sheet = Sheet.of(plan, file.getFileName().toString(), digest(), program(), beside(plan));
    // As a terminal shows it, so that a file has the same bytes.
    String written = ControlCharEscaper.lines(form.write(sheet, docs));
    if (out.isPresent()) {
      write(out.get(), written);
    } else {
      Terminal.over(spec.commandLine().getOut()).print(written);
      Terminal.over(spec.commandLine().getOut()).flush();
    }
    return 0;
  }

  /** The plan's own command warns of the same. */
  private Sheet.Beside beside(Plan plan) throws RefusedException {
    return new Sheet.Beside(
        audit.isPresent() ? Optional.of(findings(audit.get(), plan)) : Optional.empty(),
        accepted(plan),
        ModelOutlook.of(plan, Optional.empty()).map(ModelOutlook::warnings).orElse(List.of()));
  }

  /** Budgets whose losses add, where a cluster is named that knows it. */
  private List<String> accepted(Plan plan) throws RefusedException {
    if (cluster.bootstrapServers.isEmpty()) {
      return List.of();
    }
    KafkaSettings settings = cluster.reach(plan.pipeline().kafka());
    try (Cluster admin = new Cluster(settings)) {
      return AddedLoss.acceptedOf(plan.pipeline().budget().name(), settings, admin);
    }
  }

  private static String program() {
    return new Main.Version().getVersion()[0];
  }

  private String digest() throws RefusedException {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    } catch (IOException e) {
      throw new RefusedException(ExitCode.REFUSED_FILE, file + " cannot be read");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private Findings findings(Path found, Plan plan) throws RefusedException {
    try {
      return Findings.of(
          new ObjectMapper()
              .readTree(
                  SmallFile.read(
                      found, LARGEST_AUDIT, "it holds what 'sfumato audit FILE -o json' printed")),
          plan.digestText(),
          program());
    } catch (NoSuchFileException e) {
      throw bad("--audit: there is no file " + found);
    } catch (JsonProcessingException e) {
      throw bad("--audit: " + found + " holds no JSON");
    } catch (IOException e) {
      throw new RefusedException(ExitCode.REFUSED_FILE, found + " cannot be read");
    } catch (IllegalArgumentException e) {
      throw bad("--audit: " + found + ": " + e.getMessage());
    }
  }

  private void write(Path target, String written) throws RefusedException {
    new ReplacedFile(target).write(written);
    System.err.println("wrote " + target);
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
