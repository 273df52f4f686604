// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.cli.CommandResult;
import io.sfumato.client.EventPublisher;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.HistogramFile;
import io.sfumato.runtime.TestCluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** One pipeline that the program runs on a cluster with a login, by a properties file alone. */
final class GuidedPipeline implements AutoCloseable {
  private static final Instant BEGIN = Instant.parse("2026-01-05T00:00:00Z");

  private final Path folder;
  private final String name;
  private final GuidedBroker broker;
  private final Launcher launcher;
  private final Path file;
  private final Path secret;

  /**
   * Nothing is started yet.
   *
   * @param name of pipeline and budget
   * @param environment of the program
   */
  GuidedPipeline(Path folder, String name, GuidedBroker broker, Map<String, String> environment)
      throws Exception {
    this.folder = folder;
    this.name = name;
    this.broker = broker;
    launcher = new Launcher(folder, environment);
    file = Files.writeString(folder.resolve(name + ".yaml"), HistogramFile.perWindow(name));
    secret = Files.writeString(folder.resolve("noise.key"), TestCluster.KEY + "\n");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    try (Cluster cluster = new Cluster(broker.administrator())) {
      cluster.topics().createIfMissing(name + "-in", 1);
    }
  }

  /** Gives a principal the rules that are printed for it; no other is left wanting. */
  void grant(String principal) throws Exception {
    Launcher.Ended printed =
        launcher.run(
            "doctor", file.toString(), "--rights", principal, "--bootstrap-servers", servers());
    assertThat(printed.code()).as(printed.text()).isZero();
    PrintedRules.grant(folder, printed.text(), broker.administrator());
    CommandResult checked =
        CommandResult.of(
            "doctor",
            file.toString(),
            "--principal",
            principal,
            "--bootstrap-servers",
            broker.internal(),
            "--secret-file",
            secret.toString(),
            "--data",
            folder.resolve("data").toString());
    assertThat(checked.text()).contains(" in order").doesNotContain(" lacks ", "rights of ");
  }

  private String servers() {
    return broker.servers();
  }

  /** With nothing but the printed rules the doctor is let in, and says what it may not see. */
  void examine(Path config) throws Exception {
    Launcher.Ended doctor = doctor(config);
    assertThat(doctor.text())
        .contains("ACLs: not checked: no DESCRIBE on the cluster", " in order");
  }

  private Launcher.Ended doctor(Path config) throws Exception {
    return launcher.run(
        "doctor",
        file.toString(),
        "--bootstrap-servers",
        servers(),
        "--config",
        config.toString(),
        "--secret-file",
        secret.toString(),
        "--data",
        folder.resolve("data").toString());
  }

  private Launcher.Running start(Path config) throws Exception {
    return launcher.start(
        "run",
        file.toString(),
        "--bootstrap-servers",
        servers(),
        "--config",
        config.toString(),
        "--secret-file",
        secret.toString(),
        "--data",
        folder.resolve("data").toString(),
        "--accept-risk",
        "--no-http",
        "--standbys",
        "0");
  }

  /** Runs it until it has released a window. */
  Launcher.Running run(Path config) throws Exception {
    Launcher.Running run = start(config);
    run.awaitText(name + " is running");
    release(config, 0);
    return run;
  }

  /**
   * A record, a tick and the window's release, which the program reads, too.
   *
   * @param window one after the other, from 0 on
   */
  void release(Path config, int window) throws Exception {
    Instant begin = BEGIN.plusSeconds(10L * window);
    try (EventPublisher publisher = new EventPublisher(broker.administrator())) {
      publisher.event(
          name + "-in",
          "ann",
          "{\"who\":\"ann\",\"at\":\"%s\",\"what\":\"a\"}"
              .formatted(begin)
              .getBytes(StandardCharsets.UTF_8));
      publisher.tick(name + "-in", begin.plusSeconds(10).toEpochMilli(), TestCluster.ticks(name));
    }
    Launcher.Ended consume =
        launcher.run(
            "consume",
            name + "-mix",
            "--follow",
            "--max",
            Integer.toString(window + 1),
            "--bootstrap-servers",
            servers(),
            "--config",
            config.toString());
    assertThat(consume.code()).as(consume.text()).isZero();
    assertThat(consume.text().lines().filter(line -> line.contains(" ann "))).hasSize(window + 1);
  }

  static void stop(Launcher.Running run) throws Exception {
    Launcher.Ended ended = run.stop();
    assertThat(ended.code()).as(ended.text()).isEqualTo(143);
    assertThat(ended.text()).contains("stopped: ");
  }

  /**
   * Wrong credentials end every command that connects, with words that say what to do.
   *
   * @param says what each says
   * @param secrets that none says
   */
  void assertRefused(Path wrong, String says, String... secrets) throws Exception {
    assertRefused(wrong, List.of(says, "in the --config file"), secrets);
  }

  /**
   * The same, where other settings than those of the file are wrong.
   *
   * @param says what each says
   * @param secrets that none says
   */
  void assertRefused(Path wrong, List<String> says, String... secrets) throws Exception {
    for (Launcher.Ended ended :
        new Launcher.Ended[] {doctor(wrong), start(wrong).awaitEnd(), consume(wrong)}) {
      assertThat(ended.code()).as(ended.text()).isEqualTo(4);
      assertThat(ended.text())
          .contains(says)
          .doesNotContain(secrets)
          .doesNotContain(TestCluster.KEY, "\tat ");
    }
  }

  private Launcher.Ended consume(Path config) throws Exception {
    return launcher.run(
        "consume", name + "-mix", "--bootstrap-servers", servers(), "--config", config.toString());
  }

  @Override
  public void close() {
    launcher.close();
  }
}
