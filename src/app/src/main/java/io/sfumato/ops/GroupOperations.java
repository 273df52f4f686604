// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.sfumato.console.LogScope;
import io.sfumato.ops.http.Content;
import io.sfumato.ops.http.Content.Answer;
import io.sfumato.ops.http.HttpSettings;
import io.sfumato.ops.http.HttpSettings.KafkaMetrics;
import io.sfumato.ops.http.OpsServer;
import io.sfumato.ops.http.ServerSentEvents;
import io.sfumato.ops.http.Site;
import io.sfumato.release.Plan;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;

/**
 * Everything that operators look at in a process with several pipelines. Each has its page and its
 * probes in a folder of its own, {@code /NAME/}; metrics of all are at {@code /metrics}, with the
 * pipeline's name as a label.
 */
public final class GroupOperations implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final KafkaMetrics wanted;
  private final JvmMetrics jvm;
  private final Optional<OpsServer> server;
  private final OpsTimer timer;

  /** By the name of the file. */
  private final Map<String, Member> members = new ConcurrentSkipListMap<>();

  private final Map<String, Content> common;

  /**
   * One pipeline file.
   *
   * @param pipeline nothing before the file was read
   * @param tick looks at the pipeline, and logs in its name
   * @param ended how it ended by itself
   */
  private record Member(Optional<WatchedPipeline> pipeline, Runnable tick, Optional<End> ended) {
    static final Member UNREAD = new Member(Optional.empty(), () -> {}, Optional.empty());

    boolean isReady() {
      return ended.isEmpty() && pipeline.map(p -> p.status().ready()).orElse(false);
    }

    boolean isLive() {
      return ended
          .map(end -> end.next() == Next.STARTED_AGAIN)
          .orElseGet(() -> pipeline.map(p -> p.status().live()).orElse(true));
    }

    boolean hasStarted() {
      return ended.isPresent() || pipeline.map(p -> p.status().started()).orElse(false);
    }
  }

  /** What happens to a pipeline that has ended by itself. */
  public enum Next {
    /** After a while, in this process. */
    STARTED_AGAIN,
    /** A person has to look at it. */
    NOTHING
  }

  /**
   * How a pipeline ended by itself.
   *
   * @param code exit code of a process that ran it alone
   */
  private record End(int code, Next next) {
    String text() {
      return "ended with exit code "
          + code
          + (next == Next.STARTED_AGAIN ? ", waits for another start" : "");
    }
  }

  /**
   * Opens the port; pipelines may start later, or never.
   *
   * @param files names of all pipeline files
   * @throws RefusedException if the port cannot be had
   */
  public GroupOperations(Collection<String> files, HttpSettings http) throws RefusedException {
    this(files, http.metrics(), Optional.of(http));
  }

  private GroupOperations(
      Collection<String> files, KafkaMetrics wanted, Optional<HttpSettings> http)
      throws RefusedException {
    this.wanted = wanted;
    this.jvm = new JvmMetrics(wanted);
    files.forEach(file -> members.put(file, Member.UNREAD));
    this.common = common();
    try {
      this.server =
          http.isEmpty() ? Optional.empty() : Optional.of(OpsServer.start(http.get(), new Pages()));
    } catch (RefusedException e) {
      jvm.close();
      throw e;
    }
    this.timer = new OpsTimer(() -> members.values().forEach(member -> member.tick().run()));
  }

  /**
   * Opens no port: only the export by OTLP looks at the pipelines.
   *
   * @param files names of all pipeline files
   * @param wanted which of Kafka's metrics are exported
   */
  public static GroupOperations withoutPort(Collection<String> files, KafkaMetrics wanted)
      throws RefusedException {
    return new GroupOperations(files, wanted, Optional.empty());
  }

  /** What {@code /metrics} shows, for the export by OTLP. */
  public List<MetricSnapshots> snapshots() {
    List<MetricSnapshots> snapshots = new ArrayList<>();
    pipelines().forEach(pipeline -> snapshots.add(pipeline.snapshots()));
    snapshots.add(jvm.snapshots());
    return snapshots;
  }

  /**
   * Takes in a pipeline, in place of what its file ran before. Called by a thread that works for
   * it.
   *
   * @param file its name
   * @param noiseKeyTag fingerprint of the noise key
   */
  public WatchedPipeline add(
      String file, Plan plan, RunningCounts counts, String noiseKeyTag, KafkaSettings settings)
      throws RefusedException {
    WatchedPipeline added = new WatchedPipeline(plan, counts, noiseKeyTag, settings, wanted);
    Member next = new Member(Optional.of(added), LogScope.bound(added::tick), Optional.empty());
    Member before = members.put(file, next);
    before.pipeline().ifPresent(WatchedPipeline::close);
    return added;
  }

  /** A pipeline ended by itself, with this exit code. Its page stays. */
  public void ended(String file, int code, Next next) {
    members.computeIfPresent(
        file,
        (name, member) -> {
          member.pipeline().ifPresent(pipeline -> pipeline.ended(code));
          return new Member(member.pipeline(), member.tick(), Optional.of(new End(code, next)));
        });
  }

  /** The port that was bound. */
  public int port() {
    return server.orElseThrow().port();
  }

  /** The port that was bound for probes alone. */
  public int probePort() {
    return server.orElseThrow().probePort();
  }

  private List<WatchedPipeline> pipelines() {
    return members.values().stream().flatMap(member -> member.pipeline().stream()).toList();
  }

  private boolean all(Predicate<Member> question) {
    return members.values().stream().allMatch(question);
  }

  private Map<String, Content> common() {
    Map<String, Content> contents = new TreeMap<>();
    WatchedPipeline.pageFiles().forEach((name, content) -> contents.put("/" + name, content));
    Remembered metrics = new Remembered(this::scrape);
    contents.put("/", new Content("text/html; charset=utf-8", false, () -> answer(index())));
    contents.put("/pipelines.json", new Content("application/json", false, () -> answer(json())));
    contents.put(
        "/metrics", new Content(Operations.METRICS, false, () -> new Answer(200, metrics.get())));
    // Alive as long as one pipeline is, or is started again here: a restart of the process would
    // stop that one, and make nothing come sooner.
    contents.put(
        "/livez", WatchedPipeline.probe(() -> members.values().stream().anyMatch(Member::isLive)));
    contents.put("/readyz", WatchedPipeline.probe(() -> all(Member::isReady)));
    contents.put("/startupz", WatchedPipeline.probe(() -> all(Member::hasStarted)));
    return contents;
  }

  private static Answer answer(String text) {
    return new Answer(200, text.getBytes(StandardCharsets.UTF_8));
  }

  private String scrape() {
    List<String> scrapes = new ArrayList<>();
    pipelines().forEach(pipeline -> scrapes.add(pipeline.scrape()));
    scrapes.add(jvm.scrape());
    return MergedMetrics.of(scrapes);
  }

  private String json() {
    ArrayNode all = JSON.createArrayNode();
    members.forEach(
        (file, member) -> {
          ObjectNode one = all.addObject().put("file", file).put("ready", member.isReady());
          member.ended().ifPresent(end -> one.put("ended", end.code()));
          member.pipeline().ifPresent(pipeline -> describe(pipeline, one));
        });
    return all.toPrettyString();
  }

  private static void describe(WatchedPipeline pipeline, ObjectNode one) {
    one.put("pipeline", pipeline.name());
    ArrayNode reasons = one.putArray("reasons");
    pipeline.status().reasons().forEach(reasons::add);
  }

  /** Names of pipelines consist of letters, digits, dots and dashes; those of files may not. */
  private String index() {
    StringBuilder rows = new StringBuilder();
    members.forEach(
        (file, member) ->
            rows.append(
                "<tr><td>%s</td><td>%s</td></tr>%n"
                    .formatted(
                        member
                            .pipeline()
                            .map(p -> "<a href=\"%1$s/\">%1$s</a>".formatted(escaped(p.name())))
                            .orElse(escaped(file)),
                        escaped(state(member)))));
    return """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <title>Sfumato</title>
    <link rel="icon" href="icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="style.css">
    </head>
    <body>
    <header><h1>Sfumato</h1></header>
    <main id="main">
    <table>
    <thead><tr><th>pipeline</th><th>state</th></tr></thead>
    <tbody>
    %s</tbody>
    </table>
    </main>
    <footer><p class="quiet">Metrics of all pipelines: <a href="metrics">/metrics</a>. \
    This page as JSON: <a href="pipelines.json">/pipelines.json</a>.</p></footer>
    </body>
    </html>
    """
        .formatted(rows);
  }

  private static String state(Member member) {
    if (member.ended().isPresent()) {
      return member.ended().get().text();
    }
    if (member.isReady()) {
      return "ready";
    }
    return member
        .pipeline()
        .map(pipeline -> "not ready: " + String.join("; ", pipeline.status().reasons()))
        .orElse("not read yet");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** What is common, and a folder for each pipeline. */
  private final class Pages implements Site {
    @Override
    public Optional<Content> content(String path) {
      Content found = common.get(path);
      return found != null
          ? Optional.of(found)
          : pipeline(path).map(pipeline -> pipeline.contents().get(rest(path)));
    }

    @Override
    public Optional<ServerSentEvents> events(String path) {
      return rest(path).equals(EVENTS)
          ? pipeline(path).map(WatchedPipeline::events)
          : Optional.empty();
    }

    @Override
    public SortedSet<String> paths() {
      // Who has no token learns no names.
      SortedSet<String> paths = new TreeSet<>(common.keySet());
      paths.add("/NAME/");
      return paths;
    }

    private Optional<WatchedPipeline> pipeline(String path) {
      return pipelines().stream().filter(p -> path.startsWith(folder(p))).findFirst();
    }

    private static String folder(WatchedPipeline pipeline) {
      return "/" + pipeline.name() + "/";
    }

    private static String rest(String path) {
      return path.substring(path.indexOf('/', 1) + 1);
    }
  }

  @Override
  public void close() {
    timer.close();
    pipelines().forEach(pipeline -> pipeline.events().close());
    server.ifPresent(OpsServer::close);
    pipelines().forEach(WatchedPipeline::close);
    jvm.close();
  }
}
