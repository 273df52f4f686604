// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import io.sfumato.files.PrivateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The folder that state lies in. */
final class MachineCheck {
  private static final long LEAST_SPACE = 1L << 30;

  private MachineCheck() {}

  static List<Finding> of(Path data) {
    List<Finding> findings = new ArrayList<>();
    Path folder = data.toAbsolutePath().normalize();
    Path there = folder;
    while (!Files.exists(there)) {
      there = there.getParent();
    }
    if (folder.startsWith("/tmp") || folder.startsWith("/var/tmp")) {
      findings.add(
          Finding.problem(
              folder.toString(),
              "is a temporary folder: a reboot deletes its state, and restoring it takes time",
              "give another folder with --data"));
    }
    if (Files.isDirectory(folder)) {
      closed(folder).ifPresent(findings::add);
    }
    if (!Files.isWritable(there)) {
      findings.add(
          Finding.problem(
              folder.toString(),
              "cannot be written",
              "make it writable for the user that runs " + "the program"));
    }
    try {
      long space = Files.getFileStore(there).getUsableSpace();
      if (space < LEAST_SPACE) {
        findings.add(
            Finding.warning(
                folder.toString(),
                "%,d MiB are free".formatted(space >> 20),
                "make space, or give another folder with --data"));
      }
    } catch (IOException e) {
      findings.add(
          Finding.warning(folder.toString(), "its free space is unknown", "check the disk"));
    }
    if (findings.isEmpty()) {
      findings.add(Finding.ok(folder.toString(), "can be written"));
    }
    return findings;
  }

  /** A run refuses a folder that others may enter. */
  private static Optional<Finding> closed(Path folder) {
    try {
      return PrivateFolder.problem(folder)
          .map(
              problem ->
                  Finding.problem(
                      folder.toString(),
                      problem,
                      "state is raw data: accessible to its owner " + "only"));
    } catch (IOException e) {
      return Optional.of(
          Finding.warning(folder.toString(), "its permissions are unknown", "check the disk"));
    }
  }
}
