// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/** A page of docs/operate about a login, and the properties file that it shows word for word. */
final class Guide {
  private static final String THERE = "/etc/sfumato/";

  private final String page;
  private final String properties;

  private Guide(String page, String properties) {
    this.page = page;
    this.properties = properties;
  }

  /**
   * Reads both.
   *
   * @param login as in {@code connect-with-LOGIN.md} and {@code LOGIN.properties}
   */
  static Guide of(String login) throws IOException {
    String page = Files.readString(Path.of("docs/operate/connect-with-%s.md".formatted(login)));
    String file = "docker/clients/%s.properties".formatted(login);
    String properties = Files.readString(Path.of(file));
    assertThat(page).as("the page shows the file").contains("```properties\n" + properties + "```");
    assertThat(page).as("and says where it is").contains("`" + file + "`");
    return new Guide(page, properties);
  }

  /** That the page shows a word that a test has found to be so. */
  void assertShows(String word) {
    assertThat(page).contains(word);
  }

  /**
   * The file with the paths of a test in place of the page's, and with its own values.
   *
   * @param files the folder that stands for /etc/sfumato
   * @param own what is replaced, by what; each of them stands there
   */
  Path fill(Path to, Path files, Map<String, String> own) throws IOException {
    assertThat(properties).contains(THERE);
    String text = properties.replace(THERE, files + "/");
    for (Map.Entry<String, String> one : own.entrySet()) {
      assertThat(text).contains(one.getKey());
      text = text.replace(one.getKey(), one.getValue());
    }
    Files.writeString(to, text);
    Files.setPosixFilePermissions(to, PosixFilePermissions.fromString("rw-------"));
    return to;
  }
}
