// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.fasterxml.jackson.core.exc.StreamReadException;
import io.sfumato.bytes.CorruptBytesException;
import java.util.Optional;

/**
 * The one rule for bytes that others wrote: whatever exception comes of reading them is a refusal
 * of these bytes, and says nothing of their content, which a parser's message may quote. A stack
 * that overflows counts as one: how deep bytes nest is their writer's choice. Only that nobody
 * could say what they mean ({@link SchemasUnavailableException}) goes on as it is.
 */
public final class ForeignBytes {
  private ForeignBytes() {}

  /** Reads; may throw anything. */
  public interface Reading<T> {
    /** Reads; whatever it throws means that the bytes are unfit. */
    T read() throws Exception;
  }

  /** Made of what cannot be read, for whoever calls. */
  private interface Refusal<X extends Exception> {
    X made(Throwable cause);
  }

  /**
   * A record, or the code that says why it is none.
   *
   * @param code unless the reading itself gives one
   */
  public static <T> T orReject(RejectionCode code, Reading<T> reading)
      throws RejectedRecordException {
    return read(
        reading,
        cause ->
            cause instanceof RejectedRecordException rejected
                ? rejected
                : namesTwice(cause)
                    ? RejectedRecordException.withHint(code, "two fields have the same name")
                    : new RejectedRecordException(code));
  }

  /** Jackson has no exception of its own for it, and quotes the name. */
  private static boolean namesTwice(Throwable cause) {
    return cause instanceof StreamReadException read
        && read.getOriginalMessage().startsWith("Duplicate field ");
  }

  /**
   * Something that this program once wrote, or that somebody says it did.
   *
   * @param why it is none, unless the reading itself says why
   * @throws CorruptBytesException if it is none
   */
  public static <T> T orCorrupt(String why, Reading<T> reading) {
    return read(
        reading,
        cause ->
            cause instanceof CorruptBytesException corrupt
                ? corrupt
                : new CorruptBytesException(why));
  }

  /** Nothing of what cannot be read, where it is passed over. */
  public static <T> Optional<T> ifReadable(Reading<T> reading) {
    try {
      return Optional.ofNullable(orCorrupt("foreign bytes", reading));
    } catch (CorruptBytesException e) {
      return Optional.empty();
    }
  }

  private static <T, X extends Exception> T read(Reading<T> reading, Refusal<X> refusal) throws X {
    try {
      return reading.read();
    } catch (SchemasUnavailableException e) {
      throw e;
    } catch (Exception | StackOverflowError e) {
      throw refusal.made(e);
    }
  }
}
