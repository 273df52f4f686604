// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.files.PrivateFile;
import io.sfumato.ops.http.AccessToken;
import io.sfumato.ops.http.HttpSettings;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class ReaderOptionsTest {
  private static final String TOKEN = "0123456789abcdef";

  @Command
  private static final class Any {
    @Mixin private ReaderOptions readers;
  }

  private static ReaderOptions parsed(String... arguments) {
    Any any = new Any();
    new CommandLine(any).parseArgs(arguments);
    return any.readers;
  }

  private static Optional<HttpSettings> operators() {
    return Optional.of(
        new HttpSettings(HttpSettings.LOOPBACK, 0, false, Optional.of(new AccessToken(TOKEN))));
  }

  @Test
  void shouldServeNoPageUnlessAPortIsGiven() throws Exception {
    assertThat(parsed().settings(operators())).isEmpty();
    HttpSettings settings = parsed("--reader-port", "9001").settings(operators()).orElseThrow();
    assertThat(settings.page().number()).isEqualTo(9001);
    assertThat(settings.host()).isEqualTo(HttpSettings.LOOPBACK);
    assertThat(settings.token()).as("never the operators'").isEmpty();
  }

  @Test
  void shouldRefuseTheOperatorsToken(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("token");
    PrivateFile.write(file, TOKEN + "\n");
    assertThatThrownBy(
            () ->
                parsed("--reader-port", "0", "--reader-token-file", file.toString())
                    .settings(operators()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("openssl rand -hex 16");
    assertThat(
            parsed("--reader-port", "0", "--reader-token-file", file.toString())
                .settings(Optional.empty())
                .orElseThrow()
                .token())
        .contains(new AccessToken(TOKEN));
  }

  @Test
  void shouldRefuseOptionsOfAPageThatIsNotServed() {
    assertThatThrownBy(() -> parsed("--reader-host", "0.0.0.0").settings(Optional.empty()))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("--reader-port 8087");
    assertThatThrownBy(() -> parsed("--reader-port", "0").requireNone())
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("sfumato serve FILE");
  }
}
