// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.stream.Stream;

/** Feeds bytes to what reads them: it must read or refuse, and take no more memory than it may. */
public final class HostileBytes {
  private static final long ALLOWED_BYTES = 32L << 20;
  private static final long ALLOWED_A_BYTE = 4_000;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private HostileBytes() {}

  /** What reads bytes. */
  public interface Reader {
    void read(byte[] bytes) throws Exception;
  }

  /** Reads, or refuses as it should; anything else fails the test. */
  public static void feed(byte[] bytes, Reader reader, Class<?>... refusals) throws Exception {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      reader.read(bytes);
    } catch (Exception e) {
      if (Stream.of(refusals).noneMatch(refusal -> refusal.isInstance(e))) {
        throw e;
      }
    }
    long used = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(used).as("bytes").isLessThan(ALLOWED_BYTES + ALLOWED_A_BYTE * bytes.length);
  }
}
