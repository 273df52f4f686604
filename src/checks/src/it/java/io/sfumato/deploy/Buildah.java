// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Builds images and runs commands in them without an engine: Debian's buildah, which changes the
 * root folder and user of a process and needs no more than root's rights.
 */
final class Buildah {
  private static final long PATIENCE_MINUTES = 15;

  private final Path folder;

  /**
   * @param folder for images and containers
   */
  Buildah(Path folder) throws IOException {
    this.folder = folder;
    Files.writeString(
        folder.resolve("policy.json"), "{\"default\": [{\"type\": \"insecureAcceptAnything\"}]}");
  }

  /**
   * An image with the files of Debian packages, and what these need. They are not configured, which
   * would be most of the work: who is known is all that a Dockerfile asks of them.
   *
   * @param environment of all that runs in it
   */
  void base(String image, String release, String packages, Map<String, String> environment)
      throws Exception {
    String container = buildah("from", "scratch").strip();
    String root = buildah("mount", container).strip();
    String masters = "for who in passwd group; do cp \"$1/usr/share/base-passwd/$who.master\"";
    call(
        List.of(
            "mmdebstrap",
            "--quiet",
            "--variant=extract",
            "--format=directory",
            "--include=" + packages,
            "--customize-hook=" + masters + " \"$1/etc/$who\"; done",
            release,
            root));
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      environment(container, variable.getKey(), variable.getValue());
    }
    buildah("commit", "--quiet", "--rm", container, image);
  }

  /**
   * An image like another one, with more variables set.
   *
   * @param environment added to that of the other image
   */
  void derive(String image, String from, Map<String, String> environment) throws Exception {
    String container = container(from);
    for (Map.Entry<String, String> variable : environment.entrySet()) {
      environment(container, variable.getKey(), variable.getValue());
    }
    buildah("commit", "--quiet", "--rm", container, image);
  }

  /** The root folder of a container of an image, as this machine sees it. */
  Path files(String image) throws Exception {
    return Path.of(buildah("mount", container(image)).strip());
  }

  /**
   * Sets a variable for all that runs in a container.
   *
   * @param value others of the container may stand in it
   */
  void environment(String container, String name, String value) throws Exception {
    buildah("config", "--env", name + "=" + value, container);
  }

  /**
   * Builds a target of a Dockerfile with the repository's root as context; what another target
   * built is not built again.
   */
  void build(
      String target, Path dockerfile, Map<String, String> arguments, Map<Path, String> volumes)
      throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of("build", "--layers", "--isolation", "chroot", "--format", "docker"));
    command.addAll(List.of("--target", target, "--tag", target, "--file", dockerfile.toString()));
    arguments.forEach((name, value) -> command.addAll(List.of("--build-arg", name + "=" + value)));
    volumes.forEach((from, to) -> command.addAll(List.of("--volume", from + ":" + to)));
    command.add(".");
    buildah(command.toArray(String[]::new));
  }

  /** A container of an image, by its name. */
  String container(String image) throws Exception {
    return buildah("from", image).strip();
  }

  /** Leaves a volume that the image declares to whoever mounts one there. */
  void forgetVolume(String container, String path) throws Exception {
    buildah("config", "--volume", path + "-", container);
  }

  /** A process in a container, as the image's user, with the machine's network. */
  ProcessBuilder process(
      String container,
      Map<String, String> environment,
      Map<Path, String> volumes,
      List<String> command) {
    return process(List.of(), container, environment, volumes, command);
  }

  /**
   * The same as another user, in another folder.
   *
   * @param options such as {@code --user}
   */
  ProcessBuilder process(
      List<String> options,
      String container,
      Map<String, String> environment,
      Map<Path, String> volumes,
      List<String> command) {
    List<String> all = new ArrayList<>(command("run", "--isolation", "chroot"));
    all.addAll(options);
    environment.forEach((name, value) -> all.addAll(List.of("--env", name + "=" + value)));
    volumes.forEach((from, to) -> all.addAll(List.of("--volume", from + ":" + to)));
    all.addAll(List.of(container, "--"));
    all.addAll(command);
    return new ProcessBuilder(all).redirectErrorStream(true);
  }

  /** Removes containers and images. */
  void clear() throws Exception {
    buildah("rm", "--all");
    buildah("rmi", "--all", "--force");
    // Its own folder is mounted on itself, where it is.
    Path layers = folder.resolve("storage").resolve("overlay");
    new ProcessBuilder("umount", "-l", layers.toString()).start().waitFor();
  }

  private String buildah(String... arguments) throws Exception {
    return call(command(arguments));
  }

  private List<String> command(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add("buildah");
    command.addAll(List.of("--root", folder.resolve("storage").toString()));
    command.addAll(List.of("--runroot", folder.resolve("run").toString()));
    command.addAll(List.of(arguments));
    return command;
  }

  /** What a command prints. */
  private String call(List<String> command) throws Exception {
    Path log = Files.createTempFile(folder, "command", ".log");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(log.toFile())
            .redirectError(folder.resolve("error.log").toFile())
            .start();
    boolean ended = process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES);
    Processes.kill(List.of(process));
    assertThat(ended && process.exitValue() == 0)
        .as(
            () ->
                "%s%n%s%n%s"
                    .formatted(
                        String.join(" ", command), text(log), text(folder.resolve("error.log"))))
        .isTrue();
    return Files.readString(log);
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
