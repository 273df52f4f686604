package io.sfumato.cli;

import io.sfumato.ledger.Continuity;
import io.sfumato.noise.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "activate",
    mixinStandardHelpOptions = true,
    description =
        "Announces a new version of a pipeline file, or a new noise key, to the pipeline that runs:"
            + " the old version releases every window before the given time, then stop it and start"
            + " the new one. The ledger goes on.",
    footer = {
      "",
      "Examples:",
      "  sfumato activate pipeline-v2.yaml --secret-file noise.key",
      "      with the first window that is open now",
      "  sfumato activate pipeline-v2.yaml --from 2026-02-02T00:00:00Z --secret-file new.key",
      "      key rotation: the new version draws with the new key; destroy the old one when the",
      "      new version runs"
    })
final class ActivateCommand implements Callable<Integer> {
  @Mixin private ClusterOptions cluster;

  @Mixin private JsonOrText output;

  @Parameters(paramLabel = "FILE", description = "Pipeline file of the new version.")
  private Path file;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "Event time of its first window; by default now. Windows already closed stay the old version's.")
  private Optional<Instant> from = Optional.empty();

  @Mixin private SecretOptions secrets;

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Plan plan = PlanCommand.load(file);
    Pipeline pipeline = plan.pipeline();
    if (pipeline.population().isPresent()) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          file
              + ": users and subjects have keepers of their own, which cannot hand over at the same"
              + " window yet. Carry the ledger over: 'sfumato ledger export', a new budget name,"
              + " 'sfumato ledger import'");
    }
    NoiseKey key = secrets.require().derive();
    KafkaSettings settings = cluster.settings(pipeline.kafka());
    Instant time = from.orElseGet(Instant::now);
    int running;
    try (Cluster admin = new Cluster(settings)) {
      running =
          Continuity.requireSuccessor(
              plan,
              settings,
              admin,
              admin.source(pipeline.input().topic()),
              key.tag(),
              time.toEpochMilli());
    }
    ControlEntry entry =
        ControlEntry.newBuilder()
            .setCommand(ControlCommand.ACTIVATE)
            .setBudget(pipeline.budget().name())
            .setVersion(pipeline.version())
            .setFrom(time)
            .setDigest(plan.digestText())
            .setNoiseKey(key.tag())
            .build();
    ControlCommands.send(settings, pipeline, List.of(entry));
    output.print(
        JsonOrText.object()
            .put("version", pipeline.version())
            .put("from", time.toString())
            .put("noise_key", key.tag())
            .put("running_version", running),
        String.format(
            "version %d is announced from %s on, noise key %s. Version %d goes on with the windows before;%n"
                + "when it says that its partitions wait for the next version, stop it and run %s",
            pipeline.version(), time, key.tag(), running, file));
    return 0;
  }
}
