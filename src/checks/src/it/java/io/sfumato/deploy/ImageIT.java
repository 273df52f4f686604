// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.runtime.Processes;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The image of the Dockerfile, built and run as its user, on a base of Debian's packages in place
 * of those that a registry has, with the JDK and the Maven of this build mounted into it. Needs
 * root, buildah and mmdebstrap; who has none says {@code -Dsfumato.image=none}.
 */
@ExtendWith(SharedBroker.class)
@Tag("release")
@DisabledIfSystemProperty(named = "sfumato.image", matches = "none")
class ImageIT {
  private static final int USER = 10_001;
  private static final int AUTHOR = 1_000;
  private static final String HOME = "/var/lib/sfumato";
  private static final List<String> ENTRY = List.of("/usr/bin/tini", "--", "sfumato");
  private static final Path JDK = Path.of(System.getProperty("java.home"));
  private static final String TOKEN = "a-token-of-this-test";

  @TempDir static Path shared;

  @TempDir Path folder;

  private static Buildah buildah;
  private static String demo;
  private static String pod;
  private static String author;

  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeAll
  static void build() throws Exception {
    buildah = new Buildah(shared);
    Path maven = Path.of(System.getProperty("sfumato.maven"));
    buildah.base(
        "base",
        release(),
        "base-files,base-passwd,bash,coreutils,dash,findutils,grep,libc-bin,libstdc++6,login,passwd,sed,tini,zlib1g",
        Map.of(
            "JAVA_HOME", JDK.toString(),
            "PATH",
                "%s/bin:%s/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
                    .formatted(JDK, maven)));
    Path repository = Path.of(System.getProperty("sfumato.repository"));
    Path settings =
        Files.writeString(
            shared.resolve("settings.xml"), "<settings><offline>true</offline></settings>\n");
    Map<Path, String> volumes = new HashMap<>(Toolchain.mounted(JDK));
    volumes.putAll(Toolchain.mounted(maven));
    volumes.put(repository, "/root/.m2/repository");
    volumes.put(settings, "/root/.m2/settings.xml");
    // The image's build is the second build of these sources: it runs elsewhere, in another time
    // zone and language, so that its jars show whether builds can be repeated.
    buildah.derive(
        "build-base",
        "localhost/base",
        Map.of(
            "TZ",
            "Pacific/Apia",
            "MAVEN_OPTS",
            "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Duser.timezone=Pacific/Apia"
                + " -Duser.language=tr -Duser.country=TR"));
    for (String target : List.of("build", "production", "demo")) {
      buildah.build(
          target,
          DeployedFiles.DOCKER.resolve("Dockerfile"),
          Map.of("BUILD_BASE", "localhost/build-base", "RUNTIME_BASE", "localhost/base"),
          volumes);
    }
    demo = container("demo");
    pod = container("production");
    author = container("demo");
    // Buildah mounts the image's own volume over theirs else.
    for (String container : List.of(pod, author)) {
      buildah.forgetVolume(container, HOME);
    }
  }

  private static String container(String image) throws Exception {
    String container = buildah.container("localhost/" + image);
    // What is run is short: better code would cost more than it saves.
    buildah.environment(
        container, "SFUMATO_JAVA_OPTIONS", "$SFUMATO_JAVA_OPTIONS -XX:TieredStopAtLevel=1");
    return container;
  }

  @AfterAll
  static void clear() throws Exception {
    if (buildah != null) {
      buildah.clear();
    }
  }

  private static String release() throws IOException {
    Properties system = new Properties();
    try (var in = Files.newBufferedReader(Path.of("/etc/os-release"))) {
      system.load(in);
    }
    return system.getProperty("VERSION_CODENAME");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sfumato.jar",
        "lib/sfumato-core-0.1.0-SNAPSHOT.jar",
        "lib/sfumato-estimate-0.1.0-SNAPSHOT.jar",
        "lib/sfumato-engine-0.1.0-SNAPSHOT.jar"
      })
  void shouldHaveTheSameJarsAsThisBuild(String jar) throws Exception {
    Path again = buildah.files("localhost/build").resolve("src/target").resolve(jar);
    assertThat(Files.mismatch(Path.of("target", jar), again)).isEqualTo(-1);
  }

  @Test
  void shouldShowTheDemo() throws Exception {
    Result demo = run(Map.of(), "demo", "--seconds", "14");
    Matcher summary =
        Pattern.compile("summary: \\d+ events, \\d+ windows, (\\d+) releases").matcher(demo.out());
    assertThat(summary.find()).as(demo.out()).isTrue();
    assertThat(Integer.parseInt(summary.group(1))).as(demo.out()).isPositive();
    assertThat(demo.code()).isZero();
  }

  @Test
  void shouldRunAsAPodDoes(TestCluster cluster) throws Exception {
    JsonNode container = DeployedFiles.containers().get(0);
    // A pod has its ports for itself, and this machine's belong to other tests, too.
    String port = Integer.toString(EmbeddedBroker.freePort());
    String probes = Integer.toString(EmbeddedBroker.freePort());
    List<String> arguments =
        new ArrayList<>(
            DeployedFiles.texts(container.path("args")).stream()
                .map(argument -> argument.replace("8085", port).replace("8086", probes))
                .toList());
    // One broker is enough to see it start.
    arguments.add("--accept-risk");
    cluster.createTopic("demo-events", 2);
    Map<Path, String> pod = pod(cluster.servers());
    Path log = folder.resolve("run.log");
    Process run = process(Map.of(), pod, arguments).redirectOutput(log.toFile()).start();
    try {
      await()
          .atMost(TestCluster.PATIENCE)
          .ignoreException(ConnectException.class)
          .until(
              () -> {
                assertThat(run.isAlive()).as(() -> text(log)).isTrue();
                return get(port, "/readyz").statusCode() == 200;
              });
      assertThat(get(port, "/metrics").body()).contains("sfumato_pipeline_info");
      assertStateIsTheProcesses();
      Result doctor = run(Map.of(), pod, examination(arguments));
      assertThat(doctor.out())
          .contains("noise secret: 32 bytes, for this user alone")
          .contains("/var/lib/sfumato/data: can be written");
      assertThat(doctor.code()).as("one broker alone loses charges").isEqualTo(4);
    } finally {
      // Buildah would hand no signal on; an engine sends it to the first process of the
      // container.
      List<ProcessHandle> all = Processes.family(run).toList();
      all.stream()
          .filter(process -> process.info().command().orElse("").endsWith("/tini"))
          .forEach(ProcessHandle::destroy);
      Processes.awaitEnd(all);
    }
    assertThat(text(log)).contains("pipeline demo is running").contains("stopped: ");
  }

  /**
   * The dev container: editors give its user the id of the author, with the home folder and the
   * author's files, and run its first command.
   */
  @Test
  void shouldServeAnAuthorOfPipelineFiles() throws Exception {
    JsonNode devContainer = DeployedFiles.devContainer();
    Path home = author("home", "rwx------");
    Path files = author("files", "rwxr-xr-x");
    Map<Path, String> volumes = new HashMap<>(Toolchain.mounted(JDK));
    volumes.put(home, HOME);
    volumes.put(files, "/workspaces/mine");
    Map<String, String> environment = new HashMap<>(Map.of("HOME", HOME));
    devContainer
        .path("containerEnv")
        .properties()
        .forEach(variable -> environment.put(variable.getKey(), variable.getValue().asText()));
    List<String> options =
        List.of("--user", AUTHOR + ":" + AUTHOR, "--workingdir", "/workspaces/mine");
    Path log = folder.resolve("author.log");
    String probes = Integer.toString(EmbeddedBroker.freePort());
    String script =
        "%s && cp /opt/sfumato/topology/demo.yaml pipeline.yaml && sfumato plan pipeline.yaml"
                .formatted(devContainer.path("postCreateCommand").asText())
            + " && exec sfumato run pipeline.yaml --embedded --broker-port %d --port 0 --probe-port %s"
                .formatted(EmbeddedBroker.freePort(), probes);
    Process run =
        buildah
            .process(options, author, environment, volumes, List.of("/bin/sh", "-c", script))
            .redirectOutput(log.toFile())
            .start();
    try {
      await()
          .atMost(TestCluster.PATIENCE)
          .ignoreException(ConnectException.class)
          .until(
              () -> {
                assertThat(run.isAlive()).as(() -> text(log)).isTrue();
                return get(probes, "/readyz").statusCode() == 200;
              });
    } finally {
      List<ProcessHandle> all = Processes.family(run).toList();
      all.stream()
          .filter(process -> process.info().command().orElse("").endsWith("/java"))
          .forEach(ProcessHandle::destroy);
      Processes.awaitEnd(all);
    }
    assertThat(home.resolve("pipeline.schema.json"))
        .as("what the editor checks files with")
        .hasSameTextualContentAs(Path.of("schemas/pipeline.schema.json"));
    assertThat(Files.getAttribute(files.resolve(".sfumato"), "unix:uid")).isEqualTo(AUTHOR);
    assertThat(text(log)).contains("pipeline demo is running").contains("stopped: ");
  }

  private Path author(String name, String rights) throws IOException {
    Path made = Files.createDirectory(folder.resolve(name));
    Files.setPosixFilePermissions(made, PosixFilePermissions.fromString(rights));
    Files.setAttribute(made, "unix:uid", AUTHOR, LinkOption.NOFOLLOW_LINKS);
    Files.setAttribute(made, "unix:gid", AUTHOR, LinkOption.NOFOLLOW_LINKS);
    return made;
  }

  /** A login that the image does not have comes in a jar that is mounted into it. */
  @Test
  void shouldLogInByTheClassOfAMountedJar() throws Exception {
    String there = "/etc/sfumato/login";
    Path login = Files.createDirectory(folder.resolve("login"));
    LoginLibrary.jar(login.resolve("login.jar"));
    own(LoginLibrary.properties(login, there), USER, "r--r-----");
    own(login, USER, "rwxr-xr-x");
    Path volume = Files.createDirectory(folder.resolve("volume"));
    own(volume, USER, "rwxrwxr-x");
    Map<Path, String> volumes = Map.of(login, there + ":ro", volume, "/var/lib/sfumato");
    try (EmbeddedBroker broker = LoginLibrary.broker(folder.resolve("broker"))) {
      List<String> doctor =
          List.of(
              "doctor",
              "/opt/sfumato/topology/demo.yaml",
              "--bootstrap-servers",
              broker.bootstrapServers(),
              "--config",
              there + "/kafka.properties");
      Map<String, String> classPath = Map.of("SFUMATO_CLASS_PATH", there + "/login.jar");
      assertThat(run(classPath, volumes, doctor).out()).contains(" in order");
      assertThat(run(Map.of(), volumes, doctor).out())
          .contains("'sasl.client.callback.handler.class': the class was not found");
    }
  }

  /** What a pod's process finds: kubelet's secrets through links, and a volume, for its group. */
  private Map<Path, String> pod(String servers) throws IOException {
    Path noise = mounted("noise", "noise.key", TestCluster.KEY);
    Path http = mounted("http", "http.token", TOKEN);
    Path kafka = mounted("kafka", "kafka.properties", "bootstrap.servers=" + servers);
    Path pipeline = Files.createDirectory(folder.resolve("pipeline"));
    Files.copy(Path.of("topology", "demo.yaml"), pipeline.resolve("pipeline.yaml"));
    Path volume = Files.createDirectory(folder.resolve("volume"));
    own(volume, USER, "rwxrwxr-x");
    return Map.of(
        noise, "/etc/sfumato/noise:ro",
        http, "/etc/sfumato/http:ro",
        kafka, "/etc/sfumato/kafka:ro",
        pipeline, "/etc/sfumato/pipeline:ro",
        volume, "/var/lib/sfumato");
  }

  private Path mounted(String secret, String name, String value) throws IOException {
    Path mount = Files.createDirectory(folder.resolve(secret));
    Path version = Files.createDirectory(mount.resolve("..2026_01_05"));
    Path file = Files.writeString(version.resolve(name), value + "\n");
    own(file, USER, "r--r-----");
    own(version, USER, "rwxr-xr-x");
    Files.createSymbolicLink(mount.resolve("..data"), version.getFileName());
    Files.createSymbolicLink(mount.resolve(name), Path.of("..data", name));
    own(mount, USER, "rwxr-xr-x");
    return mount;
  }

  private static void own(Path path, int group, String rights) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
    Files.setAttribute(path, "unix:gid", group, LinkOption.NOFOLLOW_LINKS);
  }

  private void assertStateIsTheProcesses() throws IOException {
    Path data = folder.resolve("volume").resolve("data");
    assertThat(Files.getPosixFilePermissions(data))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    assertThat(Files.getAttribute(data, "unix:uid")).isEqualTo(USER);
    try (var files = Files.walk(data)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .as(file.toString())
            .endsWith("------");
      }
    }
  }

  private static List<String> examination(List<String> run) {
    List<String> doctor = new ArrayList<>(List.of("doctor", "--all", run.get(1)));
    for (String option : List.of("--config", "--secret-file", "--data")) {
      doctor.addAll(List.of(option, run.get(run.indexOf(option) + 1)));
    }
    return doctor;
  }

  private record Result(int code, String out) {}

  private Result run(Map<String, String> environment, String... arguments) throws Exception {
    return run(environment, Map.of(), List.of(arguments));
  }

  private Result run(
      Map<String, String> environment, Map<Path, String> volumes, List<String> arguments)
      throws Exception {
    Path log = Files.createTempFile(folder, "command", ".log");
    Process process = process(environment, volumes, arguments).redirectOutput(log.toFile()).start();
    boolean ended = process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS);
    Processes.kill(List.of(process));
    assertThat(ended).as(() -> text(log)).isTrue();
    return new Result(process.exitValue(), text(log));
  }

  private static ProcessBuilder process(
      Map<String, String> environment, Map<Path, String> volumes, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>(ENTRY);
    command.addAll(arguments);
    String where = volumes.isEmpty() ? demo : pod;
    Map<Path, String> all = new HashMap<>(volumes);
    all.putAll(Toolchain.mounted(JDK));
    return buildah.process(where, environment, all, command);
  }

  private static String text(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private HttpResponse<String> get(String port, String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Authorization", "Bearer " + TOKEN)
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }
}
