// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/operate/connect-with-mutual-tls.md says, on a cluster that wants certificates. */
@Tag("release")
class MutualTlsIT {
  private static final String PRINCIPAL = "User:CN=sfumato,O=Example";

  @TempDir Path folder;

  @Test
  void shouldRunWithACertificateThatTheClusterTrusts() throws Exception {
    Guide guide = Guide.of("mutual-tls");
    guide.assertShows("'" + PRINCIPAL + "'");
    Authority authority = new Authority(folder, "authority");
    authority.trustedAs("kafka-ca.pem");
    authority.client("client", "/O=Example/CN=sfumato");
    Map<String, String> config = new HashMap<>(authority.ofBroker());
    config.put("ssl.client.auth", "required");
    try (GuidedBroker broker = new GuidedBroker(folder.resolve("broker"), "SSL", config);
        GuidedPipeline pipeline = new GuidedPipeline(folder, "mutual", broker, Map.of())) {
      Path right = guide.fill(folder.resolve("right.properties"), folder, Map.of());
      pipeline.grant(PRINCIPAL);
      pipeline.examine(right);
      GuidedPipeline.stop(pipeline.run(right));

      Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
      Authority other = new Authority(elsewhere, "authority");
      other.client("client", "/O=Example/CN=sfumato");
      Files.copy(authority.certificate(), elsewhere.resolve("kafka-ca.pem"));
      pipeline.assertRefused(
          guide.fill(folder.resolve("stranger.properties"), elsewhere, Map.of()),
          "the TLS handshake failed: check ssl.truststore.* and ssl.keystore.*",
          "PRIVATE KEY");

      Path deceived = Files.createDirectory(folder.resolve("deceived"));
      Files.copy(folder.resolve("client.pem"), deceived.resolve("client.pem"));
      Files.copy(other.certificate(), deceived.resolve("kafka-ca.pem"));
      pipeline.assertRefused(
          guide.fill(folder.resolve("deceived.properties"), deceived, Map.of()),
          "SSL handshake failed (",
          "PRIVATE KEY");
    }
  }
}
