// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.readers;

import io.sfumato.ops.http.Content;
import io.sfumato.ops.http.Content.Answer;
import io.sfumato.ops.http.Query;
import io.sfumato.ops.http.ServerSentEvents;
import io.sfumato.ops.http.Site;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

/** The paths of the readers' page: its files, and the documents that it draws. */
final class ReadersSite implements Site {
  /** Where the charts' library lies on the class path: npm's package as it was published. */
  static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/dist/";

  private static final String HTML = "text/html; charset=utf-8";
  private static final String CSS = "text/css; charset=utf-8";
  private static final String SCRIPT = "text/javascript; charset=utf-8";
  private static final String JSON = "application/json";
  private static final String CSV = "text/csv; charset=utf-8";

  private final Map<String, Content> files = new TreeMap<>();
  private final Map<String, Function<Query, Content>> documents = new TreeMap<>();

  /**
   * @param progress how far the topics are read
   */
  ReadersSite(ReadersDocuments made, Supplier<ReleaseFollower.Progress> progress) {
    files.put("/", file("page/index.html", HTML));
    files.put("/style.css", file("page/style.css", CSS));
    files.put("/page.js", file("page/page.js", SCRIPT));
    files.put("/charts.js", file("page/charts.js", SCRIPT));
    files.put("/picker.js", file("page/picker.js", SCRIPT));
    files.put("/icon.svg", file("/io/sfumato/ops/page/icon.svg", "image/svg+xml"));
    files.put("/uplot.js", file(UPLOT + "uPlot.iife.min.js", SCRIPT));
    files.put("/uplot.css", file(UPLOT + "uPlot.min.css", CSS));
    files.put(
        "/overview.json",
        new Content(JSON, false, () -> new Answer(200, made.overview(progress.get()))));
    documents.put("/lines.json", query -> chosen(JSON, query, made::lines));
    documents.put("/points.json", query -> chosen(JSON, query, made::points));
    documents.put("/rows.csv", query -> chosen(CSV, query, made::csv));
  }

  private static Content file(String name, String type) {
    try (InputStream in = ReadersSite.class.getResourceAsStream(name)) {
      byte[] body = in.readAllBytes();
      return new Content(type, false, () -> new Answer(200, body));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Content chosen(
      String type, Query query, Function<Choice, Optional<byte[]>> document) {
    return new Content(
        type,
        false,
        () -> {
          try {
            return document
                .apply(Choice.of(query))
                .map(body -> new Answer(200, body))
                .orElseGet(() -> refused(404, "no such output or measure"));
          } catch (IllegalArgumentException e) {
            return refused(400, e.getMessage());
          }
        });
  }

  private static Answer refused(int status, String why) {
    return new Answer(status, (why + "\n").getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public Optional<Content> content(String path) {
    return content(path, Query.NONE);
  }

  @Override
  public Optional<Content> content(String path, Query query) {
    return Optional.ofNullable(documents.get(path))
        .map(document -> document.apply(query))
        .or(() -> Optional.ofNullable(files.get(path)));
  }

  @Override
  public Optional<ServerSentEvents> events(String path) {
    return Optional.empty();
  }

  @Override
  public SortedSet<String> paths() {
    SortedSet<String> paths = new TreeSet<>(files.keySet());
    paths.addAll(documents.keySet());
    return paths;
  }
}
