// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.doctor.Doctor;
import io.sfumato.doctor.Finding;
import io.sfumato.doctor.Finding.Severity;
import io.sfumato.doctor.Rights;
import io.sfumato.ledger.PatternTopics;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plurals;
import io.sfumato.release.Plan;
import io.sfumato.runtime.EmbeddedFolder;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.Secrets;
import io.sfumato.text.ControlCharEscaper;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description =
        "Checks a cluster and this machine for a pipeline, and changes nothing. Every "
            + "finding has a fix.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:no problem was found; there may be warnings",
      "4:something could lose a charge or leak, or the cluster cannot be reached"
    },
    footer = {
      "",
      "Examples:",
      "  sfumato doctor pipeline.yaml --bootstrap-servers kafka:9092 --secret-file noise.key",
      "      --principal User:app",
      "  sfumato doctor pipeline.yaml --bootstrap-servers kafka:9092 -o json | jq '.findings[].fix'",
      "  sfumato doctor pipeline.yaml --bootstrap-servers kafka:9092 --rights User:app",
      "      the rights that it needs, as commands",
      "  sfumato doctor pipeline.yaml --rights User:clock --role ticker",
    })
final class DoctorCommand extends PipelineCommand.OnCluster {
  private static final Pattern PRINCIPAL = Pattern.compile("[^:\\s]+:.+");

  @Mixin private SecretOptions secrets;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Folder for local state. If a broker was embedded there, and no other cluster is "
              + "named, that broker is checked; by default .sfumato.")
  private Path data = EmbeddedFolder.DEFAULT;

  @Option(
      names = "--principal",
      paramLabel = "PRINCIPAL",
      description =
          "Principal of the pipeline, such as User:app. Without it the check of rights is a "
              + "guess: the only principal that may write its ledgers.")
  private Optional<String> principal = Optional.empty();

  @Option(
      names = "--rights",
      paramLabel = "PRINCIPAL",
      description =
          "Print the commands that give this principal the rights of its role, and no more. "
              + "Checks nothing.")
  private Optional<String> rights = Optional.empty();

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      description =
          "With --rights, role of the principal: application, operator, producer, ticker, "
              + "reader, modeller or auditor; by default application.")
  private Optional<PrintedRights.Role> role = Optional.empty();

  @Option(
      names = "--imports",
      paramLabel = "BUDGET",
      description = "With --rights: the budget whose ledger is imported.")
  private Optional<String> imports = Optional.empty();

  @Option(
      names = "--auditor",
      description =
          "Check the cluster only, neither this machine nor a noise secret. With --rights: "
              + "the same as --role auditor, who sees no raw data.")
  private boolean auditor;

  @Option(names = "--all", description = "Also show what is in order.")
  private boolean all;

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    requireType("--principal", principal);
    requireType("--rights", rights);
    if (rights.isEmpty() && role.isPresent()) {
      throw output.bad("--role: only with --rights PRINCIPAL");
    }
    Plan plan = plan();
    Pipeline pipeline = plan.pipeline();
    if (rights.isPresent()) {
      String servers = cluster.named(pipeline.kafka()).bootstrapServers();
      PrintWriter out = output.out();
      new PrintedRights(pipeline, rights.get(), servers, imports).of(role(), out);
      out.flush();
      return 0;
    }
    KafkaSettings settings = cluster.reachBeside(pipeline.kafka(), data);
    Doctor doctor = new Doctor(PatternTopics.resolve(plan, settings), settings, principal);
    List<Finding> findings =
        auditor
            ? doctor.examineCluster()
            : doctor.examine(new Doctor.Machine(secretFile(settings), System.getenv(), data));
    if (output.isJson()) {
      output.print(json(pipeline, findings), "");
    } else {
      print(output.out(), findings);
    }
    return count(findings, Severity.PROBLEM) == 0 ? 0 : ExitCode.REFUSED_CLUSTER.number();
  }

  /** That of an embedded broker lies beside it, where 'run --embedded' takes it from. */
  private Optional<Path> secretFile(KafkaSettings settings) throws RefusedException {
    EmbeddedFolder folder = new EmbeddedFolder(data);
    if (secrets.file.isPresent()
        || System.getenv().containsKey(Secrets.VARIABLE)
        || !Files.exists(folder.secret())) {
      return secrets.file;
    }
    return folder.isAt(settings) ? Optional.of(folder.secret()) : Optional.empty();
  }

  private PrintedRights.Role role() {
    return role.orElse(auditor ? PrintedRights.Role.AUDITOR : PrintedRights.Role.APPLICATION);
  }

  /** Of a name without one Kafka's tool makes a rule for nobody. */
  private void requireType(String option, Optional<String> principal) {
    if (principal.isPresent() && !PRINCIPAL.matcher(principal.get()).matches()) {
      throw output.bad(
          "%s '%s': a principal has a type before its name, such as User:%s"
              .formatted(
                  option,
                  ControlCharEscaper.of(principal.get()),
                  ControlCharEscaper.of(principal.get())));
    }
  }

  private void print(PrintWriter out, List<Finding> findings) {
    if (findings.stream().anyMatch(finding -> finding.fix().contains("--command-config"))) {
      out.println("# " + Rights.ofCommands());
    }
    for (Finding finding : findings) {
      if (all || finding.severity() != Severity.OK) {
        out.printf(
            "%-8s %s: %s%n",
            finding.severity().name().toLowerCase(Locale.ROOT),
            ControlCharEscaper.of(finding.subject()),
            ControlCharEscaper.of(finding.found()));
        if (!finding.fix().isEmpty()) {
          out.printf("         fix: %s%n", ControlCharEscaper.of(finding.fix()));
        }
      }
    }
    out.printf(
        "%s, %s, %d in order%n",
        Plurals.of(count(findings, Severity.PROBLEM), "problem"),
        Plurals.of(count(findings, Severity.WARNING), "warning"),
        count(findings, Severity.OK));
  }

  private static ObjectNode json(Pipeline pipeline, List<Finding> findings) {
    ObjectNode report = JsonOrText.object().put("pipeline", pipeline.name());
    report.put("problems", count(findings, Severity.PROBLEM));
    report.put("warnings", count(findings, Severity.WARNING));
    ArrayNode list = report.putArray("findings");
    for (Finding finding : findings) {
      list.addObject()
          .put("severity", finding.severity().name().toLowerCase(Locale.ROOT))
          .put("subject", finding.subject())
          .put("found", finding.found())
          .put("fix", finding.fix());
    }
    return report;
  }

  private static long count(List<Finding> findings, Severity severity) {
    return findings.stream().filter(finding -> finding.severity() == severity).count();
  }
}
