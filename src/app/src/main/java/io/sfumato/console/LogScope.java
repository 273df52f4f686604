// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.console;

import com.fasterxml.jackson.core.io.JsonStringEncoder;

/**
 * Whose log lines a thread writes, where a process runs several pipelines. Threads that it starts
 * write them too: those of Kafka Streams and of everything else that a pipeline has.
 */
public final class LogScope {
  private static final InheritableThreadLocal<String> NAME = new InheritableThreadLocal<>();

  private LogScope() {}

  /** This thread, and those that it starts from now on, work for a pipeline. */
  public static void enter(String name) {
    NAME.set(name);
  }

  /** The same work, for the pipeline that this thread works for now, in a thread of several. */
  public static Runnable bound(Runnable work) {
    String name = NAME.get();
    return () -> {
      String before = NAME.get();
      NAME.set(name);
      try {
        work.run();
      } finally {
        NAME.set(before);
      }
    };
  }

  /** A line of text with its pipeline, if this thread works for one. */
  static String text(String message) {
    String name = NAME.get();
    return name == null ? message : "[" + name + "] " + message;
  }

  /** The same of an object in JSON. */
  static String json(String object) {
    String name = NAME.get();
    return name == null
        ? object
        : "{\"pipeline\":\""
            + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(name))
            + "\","
            + object.substring(1);
  }
}
