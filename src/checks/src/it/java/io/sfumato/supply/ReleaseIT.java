// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.supply;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
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
import org.junit.jupiter.api.io.TempDir;

/**
 * One command makes all that a release consists of. What it makes is installed on systems without
 * anything else, and runs there. Needs root, buildah and mmdebstrap; {@code -Dsfumato.image=none}
 * leaves it out. {@code -Dsfumato.release=made} tries the release that is in {@code
 * target/release}, before it is published.
 */
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
  void shouldRunFromTheArchive() throws Exception {
    system.run("apt-get", "install", "-y", "--no-install-recommends", "default-jre-headless");
    system.run("tar", "--extract", "--file", "/release/" + ARCHIVE, "--directory", "/opt");
    String home = "/opt/sfumato-" + VERSION;
    assertThat(system.run(home + "/bin/sfumato", "demo", "--seconds", "14"))
        .containsPattern("summary: .* [1-9]\\d* releases");
  }

  @Test
  void shouldListWhatIsInTheImages() throws Exception {
    for (String image : List.of("sfumato", "sfumato-demo")) {
      assertThat(release.resolve(image + "-" + VERSION + "-oci.cdx.json"))
          .content()
          .contains("pkg:deb/debian/openjdk-17-jre-headless@", "pkg:maven/org.apache.kafka/");
    }
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

  /** First, while there is no Java. Installs with dependencies and runs the demo. */
  @Test
  @Order(1)
  void shouldLiveAsADebianPackage() throws Exception {
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
  }

  private static void assertNone(String file) {
    assertThat(system.file(file)).doesNotExist();
  }

  private static String[] apt(String verb, String... packages) {
    List<String> command = new ArrayList<>(List.of("apt-get", verb, "-y", "-q"));
    command.add("--no-install-recommends");
    command.addAll(List.of("-o", "Dpkg::Options::=--force-confdef"));
    command.addAll(List.of("-o", "Dpkg::Options::=--force-confold"));
    command.addAll(List.of(packages));
    return command.toArray(String[]::new);
  }
}
