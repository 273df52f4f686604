// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.supply;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Images of others are taken by what they are, not by what they are called. */
class BasesTest {
  private static final String DIGEST = ".*@sha256:[0-9a-f]{64}";

  private static List<String> matches(String file, String pattern) throws Exception {
    return Pattern.compile(pattern, Pattern.MULTILINE)
        .matcher(Files.readString(Path.of("docker", file)))
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  @Test
  void shouldBuildOnBasesOfAKnownDigest() throws Exception {
    assertThat(matches("Dockerfile", "^ARG \\w+_BASE=(.+)$"))
        .hasSize(2)
        .allMatch(base -> base.matches(DIGEST));
    // Either one of those, or a stage before.
    assertThat(matches("Dockerfile", "^FROM (\\S+)"))
        .isNotEmpty()
        .allMatch(from -> from.matches("\\$\\{\\w+_BASE}|runtime"));
  }

  /** The last target is what is built when none is named. */
  @Test
  void shouldLeaveTheBrokerOutUnlessAsked() throws Exception {
    String file = Files.readString(Path.of("docker/Dockerfile"));
    assertThat(matches("Dockerfile", "^FROM \\S+ AS (\\w+)"))
        .containsExactly("build", "runtime", "demo", "production");
    assertThat(file.substring(0, file.indexOf(" AS demo"))).doesNotContain("/target/lib-broker");
    assertThat(file.substring(file.indexOf(" AS production"))).doesNotContain("COPY");
  }

  @Test
  void shouldRefuseWhatIsDownloadedWithAWrongChecksum() throws Exception {
    assertThat(Files.readAllLines(Path.of(".mvn/maven.config"))).contains("--strict-checksums");
  }
}
