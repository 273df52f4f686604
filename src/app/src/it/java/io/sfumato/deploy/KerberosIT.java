// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/operate/connect-with-kerberos.md says, on a cluster that wants a ticket. */
@Tag("release")
class KerberosIT {
  private static final String SYSTEM_PROPERTY = "java.security.krb5.conf";
  private static final String PRINCIPAL = "User:sfumato";
  private static final String SERVICE = "kafka/localhost@" + Realm.NAME;

  @TempDir Path folder;

  @AfterEach
  void forget() {
    System.clearProperty(SYSTEM_PROPERTY);
  }

  @Test
  void shouldRunWithAKeytab() throws Exception {
    Guide guide = Guide.of("kerberos");
    guide.assertShows("'" + PRINCIPAL + "'");
    guide.assertShows("SFUMATO_JAVA_OPTIONS=-D" + SYSTEM_PROPERTY + "=");
    Authority authority = new Authority(folder, "authority");
    authority.trustedAs("kafka-ca.pem");
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Files.copy(authority.certificate(), elsewhere.resolve("kafka-ca.pem"));
    try (Realm realm = new Realm(folder.resolve("realm"))) {
      System.setProperty(SYSTEM_PROPERTY, realm.configuration().toString()); // the broker's
      realm.add(SERVICE);
      realm.add("sfumato");
      realm.keytab("sfumato", elsewhere.resolve("sfumato.keytab"));
      // The key in the file above is an older one from here on.
      realm.keytab("sfumato", folder.resolve("sfumato.keytab"));
      Path service = realm.keytab(SERVICE, folder.resolve("service.keytab"));
      Map<String, String> environment =
          Map.of("SFUMATO_JAVA_OPTIONS", "-D" + SYSTEM_PROPERTY + "=" + realm.configuration());
      try (GuidedBroker broker =
              new GuidedBroker(folder.resolve("broker"), "SASL_SSL", config(authority, service));
          GuidedPipeline pipeline = new GuidedPipeline(folder, "tickets", broker, environment)) {
        Path right = guide.fill(folder.resolve("right.properties"), folder, Map.of());
        pipeline.grant(PRINCIPAL);
        pipeline.examine(right);
        GuidedPipeline.stop(pipeline.run(right));
        pipeline.assertRefused(
            guide.fill(folder.resolve("old.properties"), elsewhere, Map.of()),
            "The login failed: check what sasl.* says",
            elsewhere.toString());
      }
    }
  }

  private static Map<String, String> config(Authority authority, Path keytab) throws Exception {
    Map<String, String> config = new HashMap<>(authority.ofBroker());
    config.put("sasl.enabled.mechanisms", "GSSAPI");
    config.put("sasl.kerberos.service.name", "kafka");
    config.put(
        "listener.name.clients.gssapi.sasl.jaas.config",
        "com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true keyTab=\"%s\" principal=\"%s\";"
            .formatted(keytab, SERVICE));
    return config;
  }
}
