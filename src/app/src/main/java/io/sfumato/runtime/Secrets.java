// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.files.PrivateFolder;
import io.sfumato.gate.NoiseSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Where the noise secret comes from: a file, or the environment. */
public final class Secrets {
  /** Environment variable with 64 hexadecimal digits. */
  public static final String VARIABLE = "SFUMATO_NOISE_SECRET";

  private Secrets() {}

  /**
   * The secret of a production run.
   *
   * @throws RefusedException if there is none, or it is unfit
   */
  public static NoiseSecret require(Optional<Path> file, Map<String, String> environment)
      throws RefusedException {
    return find(file, environment)
        .orElseThrow(
            () ->
                refused(
                    "no noise secret: make one with 'sfumato secret FILE' and give it with --secret-file"
                        + " FILE, or set "
                        + VARIABLE
                        + "; where the pipeline runs already, give the one that it runs with ('run --embedded'"
                        + " keeps it in its --data folder, as noise.key). It must stay the same as long as the"
                        + " budget lives"));
  }

  /** The secret of an embedded run: if none is given, one is made once and kept in the folder. */
  public static NoiseSecret forDevelopment(
      Optional<Path> file, Map<String, String> environment, Path folder) throws RefusedException {
    Optional<NoiseSecret> given = find(file, environment);
    if (given.isPresent()) {
      return given.get();
    }
    Path own = new EmbeddedFolder(folder).secret();
    try {
      PrivateFolder.make(folder);
      if (!Files.exists(own)) {
        NoiseSecret.random().write(own.toAbsolutePath());
        System.out.println(
            "noise key: made a new one in " + own + "; it stays the same for this folder");
      }
      return NoiseSecret.read(own);
    } catch (IOException | IllegalArgumentException e) {
      throw refused("cannot use " + own + ": " + e.getMessage());
    }
  }

  /**
   * The secret of a command: given, or that of an embedded cluster.
   *
   * @param folder of the embedded cluster, if the command is for one
   * @throws RefusedException if one is there, and unfit
   */
  public static Optional<NoiseSecret> find(
      Optional<Path> file, Map<String, String> environment, Optional<Path> folder)
      throws RefusedException {
    Optional<NoiseSecret> given = find(file, environment);
    Optional<Path> own =
        folder.map(data -> new EmbeddedFolder(data).secret()).filter(Files::exists);
    return given.isPresent() || own.isEmpty() ? given : find(own, Map.of());
  }

  /** What a secret in the environment tells, and whom; nothing where a file holds it. */
  public static Optional<String> exposure(Optional<Path> file, Map<String, String> environment) {
    return file.isPresent() || !environment.containsKey(VARIABLE)
        ? Optional.empty()
        : Optional.of(EnvironmentSecretWarning.note("the noise secret", "--secret-file FILE"));
  }

  private static Optional<NoiseSecret> find(Optional<Path> file, Map<String, String> environment)
      throws RefusedException {
    try {
      if (file.isPresent()) {
        return Optional.of(NoiseSecret.read(file.get()));
      }
      String text = environment.get(VARIABLE);
      return text == null ? Optional.empty() : Optional.of(NoiseSecret.parse(text));
    } catch (NoSuchFileException e) {
      throw refused(file.orElseThrow() + ": no such file; make one with 'sfumato secret FILE'");
    } catch (IOException e) {
      throw refused(file.orElseThrow() + " cannot be read (" + e.getClass().getSimpleName() + ")");
    } catch (IllegalArgumentException e) {
      throw refused(e.getMessage());
    }
  }

  private static RefusedException refused(String message) {
    return new RefusedException(ExitCode.REFUSED_FILE, message);
  }
}
