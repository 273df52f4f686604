// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.client.ListsOfWindows;
import io.sfumato.client.ListsReader;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Plurals;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.release.Plan;
import io.sfumato.release.names.NamesTogether;
import io.sfumato.release.names.PlannedLists;
import io.sfumato.release.names.SumIntervals;
import io.sfumato.release.names.TopSpec;
import io.sfumato.rows.Times;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.text.ControlCharEscaper;
import io.sfumato.text.TerminalColumns;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "top",
    mixinStandardHelpOptions = true,
    description = {
      "Adds up the published lists of names of all subjects, and prints the names with "
          + "the largest sums. Costs no budget.",
      "It does so window by window. A name's interval covers the subjects in whose lists "
          + "the name is; counts below the threshold of other subjects are not in it."
    },
    footer = {
      "",
      "Examples:",
      "  sfumato top topology/searches.yaml",
      "  sfumato top topology/searches.yaml -k 5 --follow",
      "      prints each window once the lists of all subjects are there",
      "  sfumato consume terms -o json >terms.jsonl; sfumato top searches.yaml --release-file"
          + " terms.jsonl"
    })
final class TopCommand extends PipelineCommand {
  private static final int USUAL = 20;

  /** Columns of a name in a table. */
  private static final int NAME = 30;

  @Mixin private ClusterOptions cluster;

  @Mixin private FolderOptions nearby;

  @Option(
      names = "--release",
      paramLabel = "NAME",
      description = "Name of the output; by default the only one of names.")
  private Optional<String> release = Optional.empty();

  @Option(
      names = "-k",
      paramLabel = "K",
      description =
          "Most names of a window; by default as many as the file's first 'top' of that output, or"
              + " 20.")
  private Optional<Integer> most = Optional.empty();

  @Option(
      names = "--release-file",
      paramLabel = "JSONL",
      description = "Reads what 'consume -o json' printed, instead of the topic.")
  private Optional<Path> releaseFile = Optional.empty();

  @Option(
      names = "--follow",
      description =
          "Wait for more; a window is printed once the lists of all subjects of the file are"
              + " there.")
  private boolean follow;

  @Option(
      names = "--max",
      paramLabel = "N",
      description = "Stop after so many windows; only with --follow.")
  private long max = Long.MAX_VALUE;

  private long printed;

  /** Whether the file says who all subjects are. */
  private boolean listed;

  @Override
  public Integer call() throws PipelineFileException, RefusedException {
    Plan plan = plan();
    Pipeline pipeline = plan.pipeline();
    ReleaseSpec source =
        Chosen.of(
            file,
            pipeline.releases().stream().filter(TopSpec::hasNames).toList(),
            ReleaseSpec::name,
            release,
            "has no output of names");
    int rows =
        most.map(k -> output.within("-k", k, 1, 1_000_000))
            .orElseGet(() -> usual(pipeline, source));
    SumIntervals intervals = ((PlannedLists) plan.release(source.name())).sums();
    listed = !pipeline.listed().isEmpty();
    ListsOfWindows lists = new ListsOfWindows(pipeline.listed());
    PrintWriter out = output.out();
    if (follow) {
      requireList(pipeline);
    }
    ListsReader reader = new ListsReader(pipeline, source);
    if (releaseFile.isPresent()) {
      reader.ofFile(releaseFile.get(), lists);
    } else {
      KafkaSettings settings = cluster.reach(pipeline.kafka(), nearby.folder);
      if (follow) {
        reader.follow(
            settings,
            lists,
            new Waited(lists)::say,
            window -> {
              print(window, intervals, rows, out);
              return ++printed < max;
            });
        return 0;
      }
      reader.ofTopic(settings, lists);
    }
    List<ListsOfWindows.Window> windows = lists.all();
    if (windows.isEmpty()) {
      throw new RefusedException(
          ExitCode.FAILED,
          "%s holds no list of '%s' yet: wait until a window is released"
              .formatted(releaseFile.map(Path::toString).orElse(source.topic()), source.name()));
    }
    windows.forEach(window -> print(window, intervals, rows, out));
    return 0;
  }

  private static int usual(Pipeline pipeline, ReleaseSpec source) {
    return pipeline.derivedOf(source.name()).stream()
        .filter(TopSpec.class::isInstance)
        .mapToInt(top -> ((TopSpec) top).k())
        .findFirst()
        .orElse(USUAL);
  }

  private void requireList(Pipeline pipeline) throws RefusedException {
    if (releaseFile.isPresent() || max < 1) {
      throw output.bad("--follow: not with --release-file, and --max is 1 or more");
    }
    if (pipeline.listed().isEmpty()) {
      throw new RefusedException(
          ExitCode.REFUSED_FILE,
          file
              + ": --follow needs a list under 'subjects': without one, it cannot know when a "
              + "window is complete");
    }
  }

  private void print(
      ListsOfWindows.Window window, SumIntervals intervals, int rows, PrintWriter out) {
    List<NamesTogether.Sum> sums =
        NamesTogether.largest(window.lists().values(), window.origins(), intervals, rows);
    if (output.isJson()) {
      out.println(json(window, sums));
    } else {
      text(window, sums, listed, out);
    }
    out.flush();
  }

  private static void text(
      ListsOfWindows.Window window, List<NamesTogether.Sum> sums, boolean listed, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%s  %s%s%s%n",
        Times.start(window.from()),
        window.missing().isEmpty()
            ? "all %s%s"
                .formatted(
                    Plurals.of(window.lists().size(), "subject"), listed ? "" : " with a list")
            : "%s; missing: %s"
                .formatted(
                    Plurals.of(window.lists().size(), "subject"), Waited.names(window.missing())),
        window
            .since()
            .filter(since -> !since.equals(window.from()))
            .map(since -> ", since " + Times.start(since))
            .orElse(""),
        sums.isEmpty() ? ": no name" : "");
    int rank = 0;
    for (NamesTogether.Sum sum : sums) {
      out.printf(
          Locale.ROOT,
          "%5d. %s %,d (%,d to %,d)  in %d of %,d lists%n",
          ++rank,
          TerminalColumns.padded(
              TerminalColumns.cut(TerminalColumns.shown(sum.name()), NAME), NAME),
          sum.count(),
          sum.low(),
          sum.high(),
          sum.lists(),
          window.lists().size());
    }
  }

  private static String json(ListsOfWindows.Window window, List<NamesTogether.Sum> sums) {
    ObjectNode node =
        JsonOrText.object()
            .put("window_start", window.from().toString())
            .put("window_end", window.to().toString());
    window.since().ifPresent(since -> node.put("since", since.toString()));
    ArrayNode subjects = node.putArray("subjects");
    window.lists().keySet().forEach(subjects::add);
    ArrayNode missing = node.putArray("missing");
    window.missing().forEach(missing::add);
    ArrayNode rows = node.putArray("rows");
    int rank = 0;
    for (NamesTogether.Sum sum : sums) {
      rows.addObject()
          .put("rank", ++rank)
          .put("name", sum.name())
          .put("count", sum.count())
          .put("low", sum.low())
          .put("high", sum.high())
          .put("lists", sum.lists());
    }
    return node.toString();
  }

  /** Says once of each window whom it waits for. */
  private static final class Waited {
    private static final int MOST_NAMED = 10;

    private final ListsOfWindows lists;
    private String said = "";

    Waited(ListsOfWindows lists) {
      this.lists = lists;
    }

    void say() {
      lists
          .incomplete()
          .map(
              window ->
                  "the window that starts %s waits for %s"
                      .formatted(Times.start(window.from()), names(window.missing())))
          .filter(words -> !words.equals(said))
          .ifPresent(
              words -> {
                said = words;
                System.err.println(words);
              });
    }

    static String names(SortedSet<String> subjects) {
      String first =
          String.join(
              ", ", subjects.stream().limit(MOST_NAMED).map(ControlCharEscaper::of).toList());
      return subjects.size() > MOST_NAMED
          ? first + " and %,d more".formatted(subjects.size() - MOST_NAMED)
          : first;
    }
  }
}
