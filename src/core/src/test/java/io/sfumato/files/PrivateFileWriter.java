// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process that writes one private file, 64 times the same digit, when its input ends. */
final class PrivateFileWriter {
  /** Exit codes of a writer. */
  static final int WROTE = 0;

  static final int THERE_ALREADY = 1;
  static final int CRASHED = 137;

  private PrivateFileWriter() {}

  /** Arguments: file, digit, and "crash" for a process that ends with half of it written. */
  public static void main(String[] args) throws IOException {
    System.in.readAllBytes();
    String text = args[1].repeat(64);
    try {
      if (args.length > 2) {
        PrivateFile.write(
            Path.of(args[0]),
            channel -> {
              put(channel, text.substring(0, 32));
              Runtime.getRuntime().halt(CRASHED);
            });
      }
      PrivateFile.write(Path.of(args[0]), text);
    } catch (FileAlreadyExistsException e) {
      System.exit(THERE_ALREADY);
    }
  }

  static void put(WritableByteChannel channel, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /** Such a process, which waits for the end of its input. */
  static Process start(Path file, String... more) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                PrivateFileWriter.class.getName(),
                file.toString()));
    command.addAll(List.of(more));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }
}
