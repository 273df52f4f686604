// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client.export;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Published records on disk until their window is complete: memory holds their places alone. */
final class Spool implements AutoCloseable {
  private static final int BUFFER = 1 << 20;

  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER);

  /** Bytes on disk. */
  private long written;

  Spool() throws IOException {
    Path file = Files.createTempFile("sfumato-export", ".spool");
    channel =
        FileChannel.open(
            file,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
  }

  /** Adds a record; returns its place. */
  long add(byte[] record) throws IOException {
    if (record.length > buffer.remaining()) {
      flush();
    }
    long place = written + buffer.position();
    if (record.length > buffer.capacity()) {
      write(ByteBuffer.wrap(record));
    } else {
      buffer.put(record);
    }
    return place;
  }

  private void flush() throws IOException {
    buffer.flip();
    write(buffer);
    buffer.clear();
  }

  private void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      written += channel.write(bytes, written);
    }
  }

  /** The record at a place. */
  byte[] read(long place, int length) throws IOException {
    if (place + length > written) {
      flush();
    }
    ByteBuffer record = ByteBuffer.allocate(length);
    while (record.hasRemaining()) {
      if (channel.read(record, place + record.position()) < 0) {
        throw new EOFException("a record is missing from a temporary file");
      }
    }
    return record.array();
  }

  /** Forgets all records. */
  void clear() throws IOException {
    buffer.clear();
    channel.truncate(0);
    written = 0;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
