// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.files.PrivateFile;
import io.sfumato.ops.otlp.OtlpSettings;
import io.sfumato.runtime.EnvironmentSecretWarning;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Where metrics and traces are exported to. OpenTelemetry's own variables say most of it. */
final class OtlpOptions {
  private static final String OPTION = "--otlp-headers-file";

  private static final String LOOK =
      "a file of headers has one line such as authorization=Bearer%20TOKEN,tenant=a";

  @Option(
      names = OPTION,
      paramLabel = "FILE",
      description =
          "File with headers for the OpenTelemetry collector, such as"
              + " authorization=Bearer%%20TOKEN. It replaces OTEL_EXPORTER_OTLP_HEADERS. The export"
              + " of metrics and traces starts when OTEL_EXPORTER_OTLP_ENDPOINT is set.")
  private Optional<Path> headersFile = Optional.empty();

  /**
   * Nothing if nothing is exported.
   *
   * @throws RefusedException if a variable or the file is wrong
   */
  Optional<OtlpSettings> settings(Map<String, String> environment) throws RefusedException {
    Optional<Map<String, String>> headers =
        headersFile.isEmpty() ? Optional.empty() : Optional.of(read(headersFile.get()));
    Optional<OtlpSettings> settings = OtlpSettings.of(environment, headers);
    List<String> exposed = OtlpSettings.headersIn(environment);
    if (settings.isPresent() && headers.isEmpty() && !exposed.isEmpty()) {
      System.err.println(
          EnvironmentSecretWarning.note(
              "the secret " + String.join(", ", exposed), OPTION + " FILE"));
    }
    return settings;
  }

  private static Map<String, String> read(Path file) throws RefusedException {
    try {
      return OtlpSettings.headers(file.toString(), PrivateFile.read(file, LOOK));
    } catch (IllegalArgumentException e) {
      throw new RefusedException(ExitCode.REFUSED_FILE, e.getMessage());
    } catch (IOException e) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE, file + ": cannot be read (" + e.getClass().getSimpleName() + ")");
    }
  }
}
