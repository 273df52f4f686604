// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.console;

import io.sfumato.text.ControlCharEscaper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;

/** Bytes of text, of which {@link ControlCharEscaper#lines} is printed. */
final class VisibleStream extends OutputStream {
  private final CharsetDecoder decoder;
  private final VisibleWriter out;

  /** Bytes of a character whose other bytes are still to come. */
  private ByteBuffer rest = ByteBuffer.allocate(0);

  private VisibleStream(PrintStream out, Charset charset) {
    this.out = new VisibleWriter(out);
    this.decoder =
        charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
  }

  /** A stream in front of another one. */
  static PrintStream before(PrintStream out) {
    Charset charset = Charset.defaultCharset();
    return new PrintStream(new VisibleStream(out, charset), true, charset);
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public synchronized void write(byte[] bytes, int from, int length) throws IOException {
    ByteBuffer all =
        ByteBuffer.allocate(rest.remaining() + length).put(rest).put(bytes, from, length).flip();
    CharBuffer text = CharBuffer.allocate(all.remaining() + 2);
    decoder.decode(all, text, false);
    rest = all;
    text.flip();
    out.write(text.toString());
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }
}
