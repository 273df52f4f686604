// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.http;

import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** What a server serves; it may change while the server runs. */
public interface Site {
  /** Where the events of a page are, beside it. */
  String EVENTS = "events";

  /** What a path answers, if there is anything. */
  Optional<Content> content(String path);

  /** What a path answers to a query; most paths answer the same to all. */
  default Optional<Content> content(String path, Query query) {
    return content(path);
  }

  /** The stream of events at a path, if there is one. */
  Optional<ServerSentEvents> events(String path);

  /** All paths with content. */
  SortedSet<String> paths();

  /**
   * One that stays as it is.
   *
   * @param contents by path
   * @param events at {@code /events}
   */
  static Site of(Map<String, Content> contents, ServerSentEvents events) {
    return new Site() {
      @Override
      public Optional<Content> content(String path) {
        return Optional.ofNullable(contents.get(path));
      }

      @Override
      public Optional<ServerSentEvents> events(String path) {
        return path.equals("/" + EVENTS) ? Optional.of(events) : Optional.empty();
      }

      @Override
      public SortedSet<String> paths() {
        return new TreeSet<>(contents.keySet());
      }
    };
  }

  /** What of it needs no token. */
  default Site open() {
    Site all = this;
    return new Site() {
      @Override
      public Optional<Content> content(String path) {
        return all.content(path).filter(Content::isPublic);
      }

      @Override
      public Optional<ServerSentEvents> events(String path) {
        return Optional.empty();
      }

      @Override
      public SortedSet<String> paths() {
        SortedSet<String> open = new TreeSet<>(all.paths());
        open.removeIf(path -> content(path).isEmpty());
        return open;
      }
    };
  }
}
