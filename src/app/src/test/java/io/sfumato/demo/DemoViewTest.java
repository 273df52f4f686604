// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plan;
import io.sfumato.release.Plans;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.schema.Guarantees;
import io.sfumato.serde.Outputs;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the demo shows, and when it ends. */
class DemoViewTest {
  private static final Path FILE = Path.of("topology/demo.yaml");
  private static final Duration OVER_AT_ONCE = Duration.ofNanos(1);

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
  private Pipeline pipeline;
  private DemoView view;

  @BeforeEach
  void openDemo() throws Exception {
    open("demo.yaml");
  }

  private void open(String example) throws Exception {
    Plan plan = Plans.example(example);
    pipeline = plan.pipeline();
    Listeners listeners = new Listeners(2, pipeline, new SplittableRandom(3)::nextLong);
    view =
        new DemoView(
            plan, listeners, () -> 100, new PrintStream(shown, true, StandardCharsets.UTF_8));
  }

  private byte[] release() {
    int categories = pipeline.input().allCategories().size();
    return Outputs.encode(
        DirichletRelease.newBuilder()
            .setReleaseId("some release")
            .setPipeline(pipeline.name())
            .setOutput("listening")
            .setSubject("listener-1")
            .setWindowStart(Instant.EPOCH)
            .setWindowEnd(Instant.EPOCH.plusSeconds(5))
            .setRecords(60L)
            .setCategories(pipeline.input().allCategories())
            .setProbabilities(Collections.nCopies(categories, 1.0 / categories))
            .setError95(Collections.nCopies(categories, 0.05))
            .setGuarantee(Guarantees.any().setUnit("record").build())
            .build());
  }

  /** On a slow machine the time is over before the first window is. */
  @Test
  void shouldShowAReleasedWindowBeforeItEndsWhenTheTimeIsOver() throws Exception {
    AtomicInteger frames = new AtomicInteger();
    BooleanSupplier releasesLate =
        () -> {
          if (frames.incrementAndGet() == 3) {
            view.accept(release());
          }
          return false;
        };
    view.showFor(OVER_AT_ONCE, false, releasesLate);
    assertThat(frames).as("frames until the release was drawn").hasValue(3);
    assertThat(shown.toString(StandardCharsets.UTF_8))
        .contains("waiting for the first window to close", "listener-1, 00:00:00 to 00:00:05 UTC");
    assertThat(view.summary().releases()).isEqualTo(1);
  }

  @Test
  void shouldEndWithoutAReleaseWhenThePipelineFails() throws Exception {
    view.showFor(OVER_AT_ONCE, false, () -> true);
    assertThat(shown.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  /** A window of a week is not waited for. */
  @Test
  void shouldEndWhenTheTimeIsOverAndTheFirstWindowIsFarAway() throws Exception {
    open("diary.yaml");
    view.showFor(OVER_AT_ONCE, false, () -> false);
    assertThat(shown.toString(StandardCharsets.UTF_8)).contains("waiting for the first window");
  }
}
