// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/operate/connect-with-scram.md says, on a cluster that wants a password. */
@Tag("release")
class ScramIT {
  private static final String PRINCIPAL = "User:sfumato";
  private static final int ITERATIONS = 8192;

  @TempDir Path folder;

  @Test
  void shouldRunWithAPassword() throws Exception {
    Guide guide = Guide.of("scram");
    guide.assertShows("'" + PRINCIPAL + "'");
    Authority authority = new Authority(folder, "authority");
    authority.trustedAs("kafka-ca.pem");
    Map<String, String> config = new HashMap<>(authority.ofBroker());
    config.put("sasl.enabled.mechanisms", "SCRAM-SHA-512");
    config.put(
        "listener.name.clients.scram-sha-512.sasl.jaas.config",
        "org.apache.kafka.common.security.scram.ScramLoginModule required;");
    try (GuidedBroker broker = new GuidedBroker(folder.resolve("broker"), "SASL_SSL", config);
        GuidedPipeline pipeline = new GuidedPipeline(folder, "scram", broker, Map.of())) {
      password(broker, "hunter2-right");
      Path right = filled(guide, "hunter2-right");
      pipeline.grant(PRINCIPAL);
      pipeline.examine(right);
      Launcher.Running run = pipeline.run(right);

      // As the page says: connections stay, and a restart shows the new one.
      password(broker, "hunter4-next");
      pipeline.release(filled(guide, "hunter4-next"), 1);
      GuidedPipeline.stop(run);
      pipeline.assertRefused(
          filled(guide, "hunter3-wrong"),
          "does not accept this login: check what sasl.* says",
          "hunter3-wrong");
    }
  }

  private Path filled(Guide guide, String password) throws Exception {
    return guide.fill(
        folder.resolve(password + ".properties"), folder, Map.of("PASSWORD", password));
  }

  private static void password(GuidedBroker broker, String password) throws Exception {
    ScramCredentialInfo info = new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, ITERATIONS);
    try (Admin admin = Admin.create(broker.administrator().admin())) {
      admin
          .alterUserScramCredentials(
              List.of(new UserScramCredentialUpsertion("sfumato", info, password)))
          .all()
          .get();
    }
  }
}
