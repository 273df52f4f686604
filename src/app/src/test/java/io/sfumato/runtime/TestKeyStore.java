// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

/** Certificates of servers and clients in tests. */
public final class TestKeyStore {
  private TestKeyStore() {}

  /**
   * A self-signed certificate of localhost, made by the JDK's own tool.
   *
   * @param folder that the file is made in
   * @return a PKCS12 file with the certificate and its key
   */
  public static Path in(Path folder, String password) throws Exception {
    Path store = folder.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "localhost",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=dns:localhost",
                "-validity",
                "365",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                password)
            .redirectErrorStream(true)
            .start();
    keytool.getInputStream().readAllBytes();
    assertThat(keytool.waitFor()).isZero();
    return store;
  }
}
