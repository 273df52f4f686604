// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.ops.http.AccessToken;
import io.sfumato.ops.http.HttpSettings;
import io.sfumato.readers.ReadersPage;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where readers of releases may look, beside the operators. */
final class ReaderOptions {
  static final String TOKEN = "SFUMATO_READER_TOKEN";

  /** What chooses another address, for messages. */
  static final String ADDRESS = "--reader-port and --reader-host";

  @Option(
      names = "--reader-port",
      paramLabel = "PORT",
      description =
          "Serve the page for readers of releases too, at this port; 0 for any. By default it is"
              + " not served.")
  private Optional<Integer> port = Optional.empty();

  @Option(
      names = "--reader-host",
      paramLabel = "ADDRESS",
      description = "Address of the readers' page; by default 127.0.0.1.")
  private Optional<String> host = Optional.empty();

  @Option(
      names = "--reader-token-file",
      paramLabel = "FILE",
      description =
          "File with an access token for readers, which must not be the operators'. Or in the"
              + " environment: "
              + TOKEN
              + ".")
  private Optional<Path> tokenFile = Optional.empty();

  /**
   * Nothing if no page is wanted.
   *
   * @param operators settings of the operators' page, if it has one
   * @throws RefusedException if readers could use what is for operators
   */
  Optional<HttpSettings> settings(Optional<HttpSettings> operators) throws RefusedException {
    if (port.isEmpty()) {
      if (host.isPresent() || tokenFile.isPresent()) {
        throw new RefusedException(
            ExitCode.USAGE,
            "--reader-host and --reader-token-file need a port: add --reader-port "
                + ReadersPage.DEFAULT_PORT);
      }
      return Optional.empty();
    }
    Optional<AccessToken> token = TokenFile.read(tokenFile, TOKEN, "--reader-token-file");
    if (token.isPresent() && token.equals(operators.flatMap(HttpSettings::token))) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          "the readers' token is the operators': who reads releases could read exact record counts. Make another one with: openssl rand -hex 16");
    }
    return Optional.of(
        new HttpSettings(
            host.orElse(HttpSettings.LOOPBACK),
            HttpOptions.port("--reader-port", port, ReadersPage.DEFAULT_PORT),
            new HttpSettings.Port(0, true),
            token,
            HttpSettings.KafkaMetrics.OF_CLIENTS));
  }

  /** Refuses the page where several pipelines run. */
  void requireNone() throws RefusedException {
    if (port.isPresent()) {
      throw new RefusedException(
          ExitCode.USAGE,
          "--reader-port is for one pipeline: start 'sfumato serve FILE' for each of several");
    }
  }

  /**
   * Says where to look.
   *
   * @param tokenOption which option sets a token
   */
  static void tell(ReadersPage page, HttpSettings where, String tokenOption) {
    System.out.println("readers' page: http://%s:%d/".formatted(where.host(), page.port()));
    if (where.isOpenToOthers()) {
      System.out.println(
          "note: everyone who can reach this port can read what is published; require a token with %s FILE"
              .formatted(tokenOption));
    }
  }
}
