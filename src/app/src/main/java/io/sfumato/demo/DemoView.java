// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.demo;

import io.sfumato.pipeline.Plurals;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.Plan;
import io.sfumato.release.histogram.PlannedHistogram;
import io.sfumato.schema.DeadLetter;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.schema.Refusal;
import io.sfumato.serde.Outputs;
import io.sfumato.text.Bars;
import io.sfumato.text.ControlCharEscaper;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.avro.generic.IndexedRecord;

/** The live view: redraws itself on a terminal, prints now and then elsewhere. */
final class DemoView {
  private static final int SHOWN = 2;

  /** No line is wider than 79 characters: a wrapped line would spoil the redrawing. */
  private static final int BAR = 18;

  private static final int METER = 20;
  private static final Duration REDRAW = Duration.ofSeconds(1);
  private static final Duration PRINT = Duration.ofSeconds(5);

  /** How long the first window is waited for after the time is over. */
  private static final Duration FIRST_WINDOW = Duration.ofMinutes(10);

  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneOffset.UTC);

  private final Plan plan;
  private final Listeners listeners;
  private final LongSupplier published;
  private final PrintStream out;
  private final boolean live = System.console() != null;

  private final Deque<DirichletRelease> latest = new ArrayDeque<>();
  private final Map<String, Long> spent = new HashMap<>();
  private final Set<Instant> windows = new HashSet<>();
  private long releases;
  private long refusals;
  private long deadLetters;
  private int drawnLines;
  private boolean showsRelease;

  DemoView(Plan plan, Listeners listeners, LongSupplier published, PrintStream out) {
    this.plan = plan;
    this.listeners = listeners;
    this.published = published;
    this.out = out;
  }

  synchronized void accept(byte[] output) {
    IndexedRecord record = Outputs.decodeAny(output);
    if (record instanceof DirichletRelease release) {
      releases++;
      spent.merge(release.getSubject(), 1L, Long::sum);
      windows.add(release.getWindowStart());
      latest.addFirst(release);
      while (latest.size() > SHOWN) {
        latest.removeLast();
      }
    } else if (record instanceof Refusal refusal) {
      refusals++;
      windows.add(refusal.getWindowStart());
    } else if (record instanceof DeadLetter) {
      deadLetters++;
    }
  }

  synchronized DemoSummary summary() {
    return new DemoSummary(published.getAsLong(), windows.size(), releases, refusals, deadLetters);
  }

  /**
   * Draws until a window has been shown and the time is over, every budget is spent, or {@code
   * failed} returns true. On a slow machine the first window may come after the time is over: it is
   * waited for, unless it is longer than anybody would wait.
   */
  void showFor(Duration length, boolean stays, BooleanSupplier failed) throws InterruptedException {
    long end = System.nanoTime() + length.toNanos();
    long last = end + (closesSoon() ? FIRST_WINDOW.toNanos() : 0);
    CountDownLatch never = new CountDownLatch(1);
    long left = length.toNanos();
    while ((left > 0 || !showsRelease && System.nanoTime() < last) && !failed.getAsBoolean()) {
      never.await(pause(left), TimeUnit.NANOSECONDS);
      left = end - System.nanoTime();
      draw(length, Duration.ofNanos(Math.max(0, left)));
      if (isOver()) {
        out.println();
        out.println("every budget is spent: no further releases about these listeners, ever");
        if (stays) {
          waitFor(Duration.ofNanos(Math.max(0, left)), failed, never);
        }
        return;
      }
    }
  }

  private boolean closesSoon() {
    WindowSpec window = plan.pipeline().window();
    return window.grid().longest().plus(window.grace()).compareTo(FIRST_WINDOW) < 0;
  }

  /** Nanoseconds until the next frame. */
  private long pause(long left) {
    return Math.min(
        (live || left <= 0 ? REDRAW : PRINT).toNanos(), left > 0 ? left : Long.MAX_VALUE);
  }

  /** A frame that no longer changes is not drawn again; events and the page go on. */
  private void waitFor(Duration left, BooleanSupplier failed, CountDownLatch never)
      throws InterruptedException {
    out.printf(
        "events and the status page continue for %d s; stop them with Ctrl-C%n", left.toSeconds());
    long end = System.nanoTime() + left.toNanos();
    while (System.nanoTime() < end && !failed.getAsBoolean()) {
      never.await(Math.min(end - System.nanoTime(), REDRAW.toNanos()), TimeUnit.NANOSECONDS);
    }
  }

  /** Whether nobody who had a release has anything left, and all of them were told so. */
  synchronized boolean isOver() {
    return !spent.isEmpty()
        && spent.values().stream().allMatch(n -> n >= affordable())
        && refusals >= spent.size();
  }

  private long affordable() {
    return plan.all(PlannedHistogram.class).get(0).plan().releases();
  }

  private synchronized void draw(Duration length, Duration left) {
    List<String> lines = new ArrayList<>();
    double done = 1 - (double) left.toMillis() / length.toMillis();
    lines.add("");
    lines.add("time    [%s] %d s left".formatted(Bars.bar(done, METER), left.toSeconds()));
    lines.add(
        String.format(
            Locale.ROOT,
            "in      %,d events, %s; %s closed",
            published.getAsLong(),
            Plurals.of(deadLetters, "dead letter"),
            Plurals.of(windows.size(), "window")));
    lines.add(String.format(Locale.ROOT, "out     %d releases, %d refusals", releases, refusals));
    lines.add(budget());
    for (DirichletRelease release : latest) {
      lines.add("");
      lines.addAll(bars(release));
    }
    if (latest.isEmpty()) {
      lines.add("waiting for the first window to close ...");
    }
    if (live && drawnLines > 0) {
      out.print("\u001b[" + drawnLines + "A\u001b[J");
    }
    lines.forEach(out::println);
    out.flush();
    drawnLines = lines.size();
    showsRelease = !latest.isEmpty();
  }

  private String budget() {
    long affordable = affordable();
    long most = spent.values().stream().mapToLong(Long::longValue).max().orElse(0);
    long exhausted = spent.values().stream().filter(n -> n >= affordable).count();
    return String.format(
        Locale.ROOT,
        "budget  [%s] %d of %d releases spent; %d of %d listeners done",
        Bars.bar((double) most / affordable, METER),
        most,
        affordable,
        exhausted,
        spent.size());
  }

  private List<String> bars(DirichletRelease release) {
    List<String> lines = new ArrayList<>();
    Instant from = release.getWindowStart();
    Instant to = release.getWindowEnd();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s, %s to %s UTC, %d records",
            ControlCharEscaper.of(release.getSubject()),
            CLOCK.format(from),
            CLOCK.format(to),
            release.getRecords()));
    lines.add(
        String.format(
            "  %-8s %-" + (BAR + 14) + "s %s", "", "released", "true (shown in this demo only)"));
    double[] truth = listeners.truth(release.getSubject(), release.getWindowStart().toEpochMilli());
    for (int i = 0; i < release.getCategories().size(); i++) {
      double share = release.getProbabilities().get(i);
      lines.add(
          String.format(
              Locale.ROOT,
              "  %-8s %s %5.1f +- %-4.1f%% %s %5.1f%%",
              ControlCharEscaper.of(release.getCategories().get(i)),
              Bars.bar(share, BAR),
              share * 100,
              halfWidth(release, i) * 100,
              Bars.bar(truth[i], BAR),
              truth[i] * 100));
    }
    return lines;
  }

  /** Half of the interval that holds the true share in 95 of 100 releases. */
  private double halfWidth(DirichletRelease release, int category) {
    if (!release.getError95().isEmpty()) {
      return release.getError95().get(category);
    }
    return plan.all(PlannedHistogram.class)
        .get(0)
        .best()
        .accuracy()
        .halfWidth(
            release.getProbabilities().get(category),
            release.getRecords(),
            release.getCategories().size());
  }
}
