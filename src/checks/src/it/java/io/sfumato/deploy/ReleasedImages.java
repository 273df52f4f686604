// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.Processes;
import io.sfumato.runtime.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The archives of images that a release has, run with the Java that they bring. */
public final class ReleasedImages {
  private static final int USER = 10_001;

  private final Path folder;
  private final Path release;
  private final String version;

  /**
   * @param folder for containers and files
   * @param release where the archives are
   */
  public ReleasedImages(Path folder, Path release, String version) {
    this.folder = folder;
    this.release = release;
    this.version = version;
  }

  /** Shows the demo in one image, and releases of a pipeline in the other. */
  public void run(String pipeline, TestCluster cluster) throws Exception {
    Buildah buildah = new Buildah(Files.createTempDirectory(folder, "images"));
    try {
      String demo = buildah.container(archive("sfumato-demo"));
      Path log = Files.createTempFile(folder, "demo", ".log");
      Process process =
          buildah
              .process(demo, Map.of(), Map.of(), command("demo", "--seconds", "14"))
              .redirectOutput(log.toFile())
              .start();
      boolean ended = process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      Processes.kill(List.of(process));
      assertThat(ended && process.exitValue() == 0).as(text(log)).isTrue();
      assertThat(text(log)).containsPattern("summary: .* [1-9]\\d* releases");
      runPipeline(buildah, pipeline, cluster);
    } finally {
      buildah.clear();
    }
  }

  private void runPipeline(Buildah buildah, String pipeline, TestCluster cluster) throws Exception {
    String container = buildah.container(archive("sfumato"));
    buildah.forgetVolume(container, "/var/lib/sfumato");
    Path settings = Files.createTempDirectory(folder, "settings");
    own(settings, "rwxr-x---");
    Files.writeString(settings.resolve("pipeline.yaml"), pipeline);
    Files.writeString(settings.resolve("noise.key"), TestCluster.KEY);
    own(settings.resolve("noise.key"), "r--r-----");
    own(settings.resolve("pipeline.yaml"), "r--r-----");
    Path volume = Files.createTempDirectory(folder, "volume");
    own(volume, "rwxrwxr-x");
    Map<Path, String> volumes = Map.of(settings, "/etc/sfumato:ro", volume, "/var/lib/sfumato");
    String servers = cluster.servers();
    Path log = Files.createTempFile(folder, "image", ".log");
    Process run =
        buildah
            .process(
                container,
                Map.of(),
                volumes,
                command(
                    "run",
                    "/etc/sfumato/pipeline.yaml",
                    "--secret-file",
                    "/etc/sfumato/noise.key",
                    "--data",
                    "/var/lib/sfumato/data",
                    "--accept-risk",
                    "--no-http",
                    "--bootstrap-servers",
                    servers))
            .redirectOutput(log.toFile())
            .start();
    try {
      awaitLine(run, log, " is running");
      Process produce =
          buildah
              .process(
                  container,
                  Map.of(),
                  volumes,
                  command(
                      "produce",
                      "/etc/sfumato/pipeline.yaml",
                      "--csv",
                      "/opt/sfumato/topology/diary-sample.csv",
                      "--bootstrap-servers",
                      servers))
              .redirectOutput(folder.resolve("produce.log").toFile())
              .start();
      assertThat(produce.waitFor()).as(() -> text(folder.resolve("produce.log"))).isZero();
      awaitLine(run, log, "all windows up to");
    } finally {
      // An engine sends the signal to the first process of the container.
      List<ProcessHandle> all = Processes.family(run).toList();
      all.stream()
          .filter(process -> process.info().command().orElse("").endsWith("/tini"))
          .forEach(ProcessHandle::destroy);
      Processes.awaitEnd(all);
    }
    assertThat(text(log)).contains("stopped: ");
  }

  private String archive(String image) {
    return "oci-archive:" + release.resolve("%s-%s-oci.tar".formatted(image, version));
  }

  private static List<String> command(String... arguments) {
    List<String> command = new ArrayList<>(List.of("/usr/bin/tini", "--", "sfumato"));
    command.addAll(List.of(arguments));
    return command;
  }

  private static void own(Path path, String rights) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
    Files.setAttribute(path, "unix:gid", USER, LinkOption.NOFOLLOW_LINKS);
  }

  private static void awaitLine(Process process, Path log, String line) {
    await()
        .atMost(TestCluster.PATIENCE)
        .until(
            () -> {
              assertThat(process.isAlive()).as(() -> text(log)).isTrue();
              return text(log).contains(line);
            });
  }

  private static String text(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
