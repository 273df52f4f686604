// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.supply;

import static io.sfumato.runtime.Patiently.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.deploy.ReleasedImages;
import io.sfumato.runtime.Processes;
import io.sfumato.runtime.SharedBroker;
import io.sfumato.runtime.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * One command makes all that a release consists of. What it makes is installed on systems without
 * anything else, and runs there. Needs root, buildah and mmdebstrap; {@code -Dsfumato.image=none}
 * leaves it out. {@code -Dsfumato.release=made} tries the release that is in {@code
 * target/release}, before it is published.
 */
@ExtendWith(SharedBroker.class)
@Tag("release")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@DisabledIfSystemProperty(named = "sfumato.image", matches = "none")
class ReleaseIT {
  private static final String VERSION = "0.1.0-SNAPSHOT";
  private static final String PACKAGE = "sfumato_0.1.0~snapshot_all.deb";
  private static final String DEMO = "sfumato-demo_0.1.0~snapshot_all.deb";
  private static final String ARCHIVE = "sfumato-" + VERSION + ".tar.gz";
  private static final String BUNDLE = "sfumato-" + VERSION + "-bundle.zip";
  private static final List<String> LIBRARIES =
      List.of("sfumato", "sfumato-core", "sfumato-engine", "sfumato-estimate");

  @TempDir static Path folder;

  private static Path copy;
  private static Path release;
  private static CleanSystem system;

  @BeforeAll
  static void buildAndPrepareASystem() throws Exception {
    if ("made".equals(System.getProperty("sfumato.release"))) {
      copy = Path.of("").toAbsolutePath();
    } else {
      copy = folder.resolve("copy");
      SecondBuild.copySources(copy);
      SecondBuild.run(copy, "mvn", "-B", "-ntp", "-q", "-Prelease", "-DskipTests", "package");
    }
    release = copy.resolve("target/release");
    system = new CleanSystem(folder.resolve("system"));
    Path here = Files.createDirectory(system.file("/release"));
    for (String file : List.of(PACKAGE, DEMO, ARCHIVE)) {
      Files.copy(release.resolve(file), here.resolve(file));
    }
  }

  @Test
  void shouldMakeEverythingWithItsChecksum() throws Exception {
    try (Stream<Path> files = Files.list(release)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "SHA256SUMS",
              ARCHIVE,
              ARCHIVE + ".sha256",
              BUNDLE,
              PACKAGE,
              DEMO,
              "sfumato-" + VERSION + "-oci.tar",
              "sfumato-" + VERSION + "-oci.cdx.json",
              "sfumato-demo-" + VERSION + "-oci.tar",
              "sfumato-demo-" + VERSION + "-oci.cdx.json");
    }
    assertThat(Files.readAllLines(release.resolve("SHA256SUMS"))).hasSize(9);
    SecondBuild.run(release, "sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS");
  }

  /** Elsewhere, in another time zone and language, and without tests and images. */
  @Test
  void shouldGiveTheSameBytesAgain() throws Exception {
    Path again = folder.resolve("again");
    SecondBuild.copySources(again);
    SecondBuild.run(
        again,
        "env",
        "TZ=Pacific/Apia",
        "LC_ALL=C",
        "SFUMATO_IMAGES=none",
        "MAVEN_OPTS=-Dmaven.repo.local=%s -Duser.timezone=Pacific/Apia -Duser.language=tr"
            .formatted(System.getProperty("sfumato.repository")),
        "sh",
        "-c",
        "mvn -B -ntp -q -Prelease -Dmaven.test.skip -pl :sfumato-release -am package");
    for (String file : List.of(ARCHIVE, BUNDLE, PACKAGE, DEMO)) {
      assertThat(Files.mismatch(release.resolve(file), again.resolve("target/release/" + file)))
          .as(file)
          .isEqualTo(-1);
    }
  }

  /** As Maven Central's portal reads it, and in a project that knows nothing else of ours. */
  @Test
  void shouldBringLibrariesThatNeedNoParent() throws Exception {
    Path repository = folder.resolve("repository");
    SecondBuild.linkRepository(repository);
    SecondBuild.run(repository, "jar", "--extract", "--file", release.resolve(BUNDLE).toString());
    Path own = repository.resolve("io/sfumato");
    try (Stream<Path> artifacts = Files.list(own)) {
      assertThat(artifacts.map(artifact -> artifact.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(LIBRARIES);
    }
    for (String library : LIBRARIES) {
      Path there = own.resolve(library).resolve(VERSION);
      for (String kind : List.of(".pom", ".jar", "-sources.jar", "-javadoc.jar")) {
        String file = library + "-" + VERSION + kind;
        for (String sum : List.of("md5", "sha1")) {
          String digest = SecondBuild.run(there, sum + "sum", file).substring(0, 32);
          assertThat(there.resolve(file + "." + sum)).content().startsWith(digest);
        }
      }
      assertThat(there.resolve(library + "-" + VERSION + ".pom"))
          .content()
          .contains("<name>", "<description>", "<url>", "<license>", "<developer>", "<scm")
          .doesNotContain("<parent>", "<profile>", "<repository>", "sfumato-testkit");
    }
    Path project = folder.resolve("project");
    SecondBuild.run(
        folder, "cp", "-r", copy + "/src/checks/src/it/projects/core-only", project.toString());
    SecondBuild.run(
        project, "mvn", "-B", "-ntp", "-q", "-Dmaven.repo.local=" + repository, "compile");
    assertThat(project.resolve("target/classes/org/example")).isDirectory();
  }

  @Test
  void shouldSignTheLibrariesWhenAKeyIsGiven() throws Exception {
    Path home = Files.createDirectory(folder.resolve("gpg"));
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx------"));
    String gpg = "GNUPGHOME=" + home;
    SecondBuild.run(
        home, "env", gpg, "gpg", "--batch", "--passphrase", "", "--quick-gen-key", "release@test");
    SecondBuild.run(
        copy,
        "env",
        gpg,
        "SFUMATO_SIGNING_KEY=release@test",
        "src/build/bundle",
        VERSION,
        folder.resolve("signed").toString());
    Path signed = folder.resolve("signed");
    SecondBuild.run(signed, "jar", "--extract", "--file", BUNDLE);
    try (Stream<Path> files = Files.walk(signed.resolve("io"))) {
      List<Path> signatures = files.filter(file -> file.toString().endsWith(".asc")).toList();
      assertThat(signatures).hasSize(4 * LIBRARIES.size());
      for (Path signature : signatures) {
        SecondBuild.run(home, "env", gpg, "gpg", "--verify", signature.toString());
      }
    }
    SecondBuild.run(home, "env", gpg, "gpgconf", "--kill", "gpg-agent");
  }

  @Test
  void shouldRunFromTheArchive(TestCluster cluster) throws Exception {
    system.run("apt-get", "install", "-y", "--no-install-recommends", "default-jre-headless");
    system.run("tar", "--extract", "--file", "/release/" + ARCHIVE, "--directory", "/opt");
    String home = "/opt/sfumato-" + VERSION;
    assertThat(system.run(home + "/bin/sfumato", "demo", "--seconds", "14"))
        .containsPattern("summary: .* [1-9]\\d* releases");
    Path file = system.file("/opt/archived.yaml");
    Files.writeString(file, pipeline("archived"));
    Path key = system.file("/opt/archived.key");
    Files.writeString(key, TestCluster.KEY);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    List<String> run =
        List.of(
            home + "/bin/sfumato",
            "run",
            "/opt/archived.yaml",
            "--accept-risk",
            "--no-http",
            "--secret-file",
            "/opt/archived.key",
            "--bootstrap-servers",
            cluster.servers(),
            "--data",
            "/opt/data");
    assertReleases(system.process(run), home, "/opt/archived.yaml", cluster);
  }

  @Test
  void shouldRunFromTheImages(TestCluster cluster) throws Exception {
    for (String image : List.of("sfumato", "sfumato-demo")) {
      assertThat(release.resolve(image + "-" + VERSION + "-oci.cdx.json"))
          .content()
          .contains("pkg:deb/debian/openjdk-17-jre-headless@", "pkg:maven/org.apache.kafka/");
    }
    new ReleasedImages(folder, release, VERSION).run(pipeline("contained"), cluster);
  }

  @Test
  void shouldHaveAnExposureBelowTwo() throws Exception {
    Path unit = Path.of("src/release/debian/sfumato@.service").toAbsolutePath();
    Path here = Files.createTempDirectory(folder, "unit");
    assertThat(
            SecondBuild.run(
                here,
                "systemd-analyze",
                "security",
                "--no-pager",
                "--offline=true",
                "--threshold=20",
                unit.toString()))
        .contains("Overall exposure level");
  }

  /**
   * First, while there is no Java. Installs with dependencies, runs the demo and a pipeline,
   * upgrades, removes and purges.
   */
  @Test
  @Order(1)
  void shouldLiveAsADebianPackage(TestCluster cluster) throws Exception {
    assertNone("/usr/bin/java");
    String installed = system.run(apt("install", "/release/" + PACKAGE, "/release/" + DEMO));
    assertThat(installed).contains("sfumato: no pipeline runs yet. Next: /usr/share/doc/sfumato/");
    assertThat(system.file("/usr/share/doc/sfumato/docs/operate/install.md")).isNotEmptyFile();
    assertThat(system.run("dpkg", "--verify", "sfumato", "sfumato-demo")).isEmpty();
    assertThat(system.run("stat", "-c", "%U %G %a", "/etc/sfumato"))
        .isEqualTo("root sfumato 750\n");
    assertThat(system.run("sfumato", "plan", "/usr/share/sfumato/topology/diary.yaml"))
        .contains("pipeline   glucose-diary");
    assertThat(system.run("sfumato", "demo", "--seconds", "14"))
        .containsPattern("summary: .* [1-9]\\d* releases");
    system.run(apt("install", "systemd"));
    assertThat(system.run("systemd-analyze", "verify", "--man=no", "sfumato@packaged.service"))
        .doesNotContain("sfumato@");
    assertRunsAsAUnit(cluster);
    assertKeepsWhatIsNotItsOwn();
  }

  private static void assertRunsAsAUnit(TestCluster cluster) throws Exception {
    InstalledUnit unit = new InstalledUnit(system, "packaged");
    assertThat(unit.needed()).hasSize(3).allSatisfy(file -> assertNone(file));
    Files.writeString(system.file("/etc/sfumato/packaged.yaml"), pipeline("packaged"));
    system.run("sfumato", "secret", "/etc/sfumato/packaged.key");
    Files.writeString(
        system.file("/etc/sfumato/packaged.properties"),
        "bootstrap.servers=" + cluster.servers() + "\n");
    for (String secret : List.of("packaged.key", "packaged.properties")) {
      system.run("chgrp", "sfumato", "/etc/sfumato/" + secret);
      system.run("chmod", "440", "/etc/sfumato/" + secret);
    }
    Files.writeString(
        system.file("/etc/sfumato/packaged.env"),
        "SFUMATO_RUN_OPTIONS=\"--accept-risk --no-http\"\n");
    assertThat(unit.needed()).allSatisfy(file -> assertThat(system.file(file)).isNotEmptyFile());
    assertReleases(unit.start(), "/usr/share/sfumato", "/etc/sfumato/packaged.yaml", cluster);
    Path state = system.file("/var/lib/sfumato/packaged/data");
    assertThat(Files.getPosixFilePermissions(state))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    assertThat(Files.getAttribute(state, "unix:uid", LinkOption.NOFOLLOW_LINKS))
        .hasToString(system.run("id", "-u", "sfumato").strip());
  }

  private static void assertNone(String file) {
    assertThat(system.file(file)).doesNotExist();
  }

  private static void assertKeepsWhatIsNotItsOwn() throws Exception {
    Path environment = system.file("/etc/sfumato/environment");
    Files.writeString(environment, "SFUMATO_JAVA_OPTIONS=-Xmx1g\n");
    String secret = Files.readString(system.file("/etc/sfumato/packaged.key"));
    for (String name : List.of("sfumato", "sfumato-demo")) {
      nextVersion(name);
    }
    system.run(apt("install", "/release/sfumato.deb", "/release/sfumato-demo.deb"));
    assertThat(system.run("dpkg-query", "-W", "-f", "${Version} ${Status}", "sfumato"))
        .isEqualTo("0.2.0 install ok installed");
    assertThat(environment).hasContent("SFUMATO_JAVA_OPTIONS=-Xmx1g");
    assertThat(system.file("/var/lib/sfumato/packaged/data")).isDirectory();

    system.run(apt("remove", "sfumato"));
    assertNone("/usr/bin/sfumato");
    assertNone("/usr/share/sfumato");
    assertThat(environment).exists();
    assertThat(system.file("/var/lib/sfumato/packaged/data")).isDirectory();

    // The folder of an embedded broker is the only copy of its budget.
    Files.createDirectories(system.file("/var/lib/sfumato/trial/data/broker"));
    String purged = system.run(apt("purge", "sfumato", "sfumato-demo"));
    assertThat(environment).doesNotExist();
    assertNone("/var/lib/sfumato/packaged");
    assertThat(system.file("/var/lib/sfumato/trial/data/broker")).isDirectory();
    assertThat(system.file("/etc/sfumato/packaged.key")).hasContent(secret.strip());
    assertThat(purged)
        .contains(
            "sfumato: kept /etc/sfumato/packaged.key\n",
            "sfumato: kept /var/lib/sfumato/trial: it contains",
            "without its noise secret (NAME.key) a budget cannot continue")
        .doesNotContain(secret.strip());
  }

  /** The same package as version 0.2.0, with another default. */
  private static void nextVersion(String name) throws Exception {
    Path next = folder.resolve("next-" + name);
    Path now = release.resolve(name.equals("sfumato") ? PACKAGE : DEMO);
    SecondBuild.run(folder, "dpkg-deb", "--raw-extract", now.toString(), next.toString());
    Path control = next.resolve("DEBIAN/control");
    Files.writeString(control, Files.readString(control).replace("0.1.0~snapshot", "0.2.0"));
    Path environment = next.resolve("etc/sfumato/environment");
    if (Files.exists(environment)) {
      Files.writeString(environment, Files.readString(environment) + "# of the next version\n");
    }
    String deb = system.file("/release/" + name + ".deb").toString();
    SecondBuild.run(folder, "dpkg-deb", "--build", "-Znone", next.toString(), deb);
  }

  private static String[] apt(String verb, String... packages) {
    List<String> command = new ArrayList<>(List.of("apt-get", verb, "-y", "-q"));
    command.add("--no-install-recommends");
    command.addAll(List.of("-o", "Dpkg::Options::=--force-confdef"));
    command.addAll(List.of("-o", "Dpkg::Options::=--force-confold"));
    command.addAll(List.of(packages));
    return command.toArray(String[]::new);
  }

  /** A pipeline of the diary's sample with names of its own. */
  private static String pipeline(String name) throws IOException {
    return Files.readString(Path.of("topology/diary.yaml"))
        .replace("glucose-diary", name)
        .replace(": diary\n", ": " + name + "-diary\n")
        .replace("weekly-mix", name + "-mix");
  }

  /** Starts a pipeline, produces the sample, waits for releases, stops it and exports them. */
  private static void assertReleases(
      ProcessBuilder run, String home, String file, TestCluster cluster) throws Exception {
    String sfumato = home + "/bin/sfumato";
    String name = Path.of(file).getFileName().toString().replace(".yaml", "");
    cluster.createTopic(name + "-diary", 2);
    Path log = Files.createTempFile(folder, "run", ".log");
    Process process = run.redirectOutput(log.toFile()).start();
    try {
      awaitLine(process, log, " is running");
      system.run(
          sfumato,
          "produce",
          file,
          "--csv",
          home + "/topology/diary-sample.csv",
          "--bootstrap-servers",
          cluster.servers());
      awaitLine(process, log, "all windows up to");
    } finally {
      process.destroy();
      Processes.awaitEnd(List.of(process.toHandle()));
    }
    assertThat(process.waitFor()).as(Files.readString(log)).isEqualTo(143);
    String rows = "/tmp/%s.csv".formatted(name);
    system.run(
        sfumato, "export", name + "-mix", "--to", rows, "--bootstrap-servers", cluster.servers());
    assertThat(Files.readAllLines(system.file(rows))).hasSizeGreaterThan(10);
  }

  private static void awaitLine(Process process, Path log, String line) {
    await()
        .atMost(TestCluster.PATIENCE)
        .until(
            () -> {
              String text = Files.readString(log);
              assertThat(process.isAlive()).as(text).isTrue();
              return text.contains(line);
            });
  }
}
