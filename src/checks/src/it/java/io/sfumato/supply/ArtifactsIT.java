// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.supply;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the build lays out beside the program: libraries, bills of materials, licences. */
@Tag("release")
class ArtifactsIT {
  private static final Path TARGET = Path.of("target");

  private static String digest(Path file) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
  }

  private static boolean isOurs(Path file) {
    return file.getFileName().toString().startsWith("sfumato-");
  }

  /** Checksums of libraries of others by file, with the folder before its name. */
  private static Map<String, String> laidOut(String... folders) throws Exception {
    Map<String, String> found = new TreeMap<>();
    for (String folder : folders) {
      try (Stream<Path> files = Files.list(TARGET.resolve(folder))) {
        for (Path file : files.filter(file -> !isOurs(file)).toList()) {
          found.put(folder + "/" + file.getFileName(), digest(file));
        }
      }
    }
    return found;
  }

  /**
   * Whoever adds or upgrades a library has looked up its advisories, and writes the list anew: (cd
   * target; sha256sum lib/*.jar lib-broker/*.jar lib-parquet/*.jar | grep -v sfumato-) &gt;
   * src/checks/src/test/resources/supply/libraries.sha256
   */
  @Test
  void shouldTakeTheVeryLibrariesThatWereReviewed() throws Exception {
    Map<String, String> reviewed =
        Files.readAllLines(Path.of("src/checks/src/test/resources/supply/libraries.sha256"))
            .stream()
            .map(line -> line.split("  ", 2))
            .collect(Collectors.toMap(fields -> fields[1], fields -> fields[0]));
    assertThat(laidOut("lib", "lib-broker", "lib-parquet"))
        .hasSizeGreaterThan(70)
        .isEqualTo(reviewed);
  }

  @ParameterizedTest
  @CsvSource({"bom.json, lib", "bom-broker.json, lib lib-broker"})
  void shouldListEveryLibraryWithItsChecksum(String file, String folders) throws Exception {
    JsonNode bom = new ObjectMapper().readTree(TARGET.resolve(file).toFile());
    assertThat(bom.path("bomFormat").asText()).isEqualTo("CycloneDX");
    Map<String, String> listed = new TreeMap<>();
    for (JsonNode component : bom.path("components")) {
      assertThat(component.path("purl").asText())
          .isEqualTo(
              "pkg:maven/%s/%s@%s?type=jar"
                  .formatted(
                      component.path("group").asText(),
                      component.path("name").asText(),
                      component.path("version").asText()));
      assertThat(component.path("licenses")).as(component.toString()).isNotEmpty();
      listed.put(
          component.path("name").asText() + "-" + component.path("version").asText() + ".jar",
          component.path("hashes").path(0).path("content").asText());
    }
    Map<String, String> there = new TreeMap<>();
    laidOut(folders.split(" "))
        .forEach((name, hash) -> there.put(name.substring(name.indexOf('/') + 1), hash));
    assertThat(listed).isEqualTo(there);
  }

  /** Licences that demand that their text goes with the library, by its name. */
  private static final Map<String, String> TEXTS =
      Map.of(
          "protobuf-java", "protobuf.txt",
          "logback-classic", "EPL-2.0.md",
          "logback-core", "EPL-2.0.md",
          "zstd-jni", "zstd-jni.txt",
          "re2j", "re2j.txt",
          "pcollections", "pcollections.txt",
          "argparse4j", "argparse4j.txt",
          "jopt-simple", "jopt-simple.txt");

  @ParameterizedTest
  @CsvSource({"THIRD-PARTY.txt, bom.json", "THIRD-PARTY-broker.txt, bom-broker.json"})
  void shouldBringEveryTextThatALibraryLacks(String list, String bom) throws Exception {
    List<String> lines = Files.readAllLines(TARGET.resolve(list));
    for (JsonNode component :
        new ObjectMapper().readTree(TARGET.resolve(bom).toFile()).path("components")) {
      String name = component.path("name").asText();
      String file = name + "-" + component.path("version").asText() + ".jar";
      assertThat(lines).anyMatch(line -> line.contains(":" + name + ":"));
      // The text of Apache's licence is our own, too.
      if (!component.path("licenses").toString().contains("Apache-2.0") && !hasText(file)) {
        assertThat(TEXTS).containsKey(name);
        assertThat(Path.of("LICENSES", TEXTS.get(name))).isNotEmptyFile();
      }
    }
  }

  private static boolean hasText(String file) throws Exception {
    Path folder = TARGET.resolve("lib");
    Path there = folder.resolve(file);
    try (JarFile jar =
        new JarFile(
            (Files.exists(there) ? there : TARGET.resolve("lib-broker").resolve(file)).toFile())) {
      return jar.stream().anyMatch(e -> e.getName().matches("(?i)(.*/)?(licen[sc]e|copying)[^/]*"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sfumato.jar",
        "lib/sfumato-core-0.1.0-SNAPSHOT.jar",
        "lib/sfumato-estimate-0.1.0-SNAPSHOT.jar",
        "lib/sfumato-engine-0.1.0-SNAPSHOT.jar"
      })
  void shouldCarryItsLicence(String name) throws Exception {
    assertThat(Files.readString(Path.of("LICENSE"))).contains("Apache License", "Version 2.0");
    try (JarFile jar = new JarFile(TARGET.resolve(name).toFile())) {
      for (String file : List.of("LICENSE", "NOTICE")) {
        assertThat(jar.getInputStream(jar.getEntry("META-INF/" + file)).readAllBytes())
            .isEqualTo(Files.readAllBytes(Path.of(file)));
      }
    }
  }
}
