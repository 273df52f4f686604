// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.examples.maximum;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Charge;
import io.sfumato.accounting.Divergences;
import io.sfumato.accounting.Share;
import io.sfumato.console.Visible;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.ShareRequest;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.mechanism.count.CountPlan;
import io.sfumato.mechanism.count.CountPlanner;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReleaseId;
import io.sfumato.noise.ReplayableRandom;
import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.Claim;
import io.sfumato.pipeline.Draw;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.Footprint.Part;
import io.sfumato.pipeline.OutputBytes;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.Pair;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseFields;
import io.sfumato.pipeline.ReleaseKind;
import io.sfumato.pipeline.ReleaseReport;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.ReportText;
import io.sfumato.pipeline.Shifts;
import io.sfumato.pipeline.UnplannableException;
import io.sfumato.pipeline.ViewText;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** A kind of release of somebody else's: which category is the most frequent. */
public final class MaximumKind implements ReleaseKind {
  @Override
  public String word() {
    return "maximum";
  }

  @Override
  public ReleaseSpec read(ReleaseFields release) {
    return new Spec(
        release.name(),
        release.topic(),
        release.share(),
        release.horizon(),
        release
            .population()
            .map(users -> Sensitivity.addOrRemove(users.records()))
            .orElseGet(Sensitivity::replaceOne));
  }

  @Override
  public List<OutputView> outputs() {
    return List.of(new View());
  }

  private record Spec(
      String name, String topic, ShareSpec share, long horizon, Sensitivity sensitivity)
      implements ReleaseSpec {
    @Override
    public Schema schema() {
      return MaximumRelease.SCHEMA$;
    }

    @Override
    public PlannedRelease plan() throws UnplannableException {
      ShareRequest request =
          new ShareRequest(share.ledger(), share.epsilon(), share.delta(), horizon);
      CountPlan noise =
          CountPlanner.laplace(request, sensitivity).orElseThrow(() -> share.cannotAfford(horizon));
      return new Planned(this, noise.share(), new NoisyMaximum(noise.mechanism()));
    }
  }

  private record Planned(Spec spec, Share share, NoisyMaximum mechanism) implements PlannedRelease {
    @Override
    public Charge charge() {
      return mechanism.charge();
    }

    @Override
    public void digest(Framing digest) {
      digest.text("maximum");
    }

    @Override
    public ReleaseReport report(Pipeline pipeline) {
      return new ReleaseReport() {
        @Override
        public void text(StringBuilder text) {
          ReportText.head(text, "maximum", Planned.this);
          ReportText.line(
              text,
              "  error      a category leads by %d or more: it is named in 95 of 100 releases",
              2 * mechanism.counts().noise().halfWidth(1));
        }

        @Override
        public void json(ObjectNode node) {
          node.put("name", spec.name()).put("topic", spec.topic());
          ReportText.share(node, Planned.this);
        }
      };
    }

    @Override
    public List<Part> size(OutputBytes out, Pipeline pipeline) {
      long longest =
          pipeline.input().allCategories().stream().mapToLong(out::ofText).max().orElse(0);
      out.anyText("category", 0, 0);
      return List.of(Part.of("input.categories", 1, longest));
    }

    @Override
    public Optional<Drawer> drawer(Pipeline pipeline) {
      return Optional.of((data, memory) -> new OneDraw(mechanism, data.histogram().orElseThrow()));
    }

    @Override
    public List<DrawJudge<?>> judges() {
      return List.of(new Judge());
    }
  }

  private record OneDraw(NoisyMaximum mechanism, Histogram exact) implements Drawer.Draws {
    @Override
    public Draw exact(ReleaseId id) {
      return new MaximumDraw(id, mechanism, exact);
    }

    @Override
    public void frame(ReleaseId id, Framing input) {
      mechanism.frame(exact, input);
    }

    @Override
    public Drawer.Drawn draw(OutputLabel label, ReplayableRandom random) {
      int largest = mechanism.release(exact, random);
      MaximumRelease release = new MaximumRelease();
      release.put(0, label.id().text());
      release.put(1, label.pipeline().name());
      release.put(2, label.output());
      release.put(3, label.id().subject());
      release.put(4, label.from());
      release.put(5, label.to());
      release.put(6, label.pipeline().input().allCategories().get(largest));
      release.put(7, label.guarantee());
      return new Drawer.Drawn(release);
    }
  }

  private record MaximumDraw(ReleaseId id, NoisyMaximum mechanism, Histogram exact)
      implements Draw {
    @Override
    public String toString() {
      return Draw.masked(this);
    }
  }

  private static final class Judge implements DrawJudge<MaximumDraw> {
    @Override
    public Class<MaximumDraw> draws() {
      return MaximumDraw.class;
    }

    @Override
    public boolean same(Pair<MaximumDraw> pair) {
      return moved(pair).l1() == 0;
    }

    private static Shifts moved(Pair<MaximumDraw> pair) {
      return Shifts.of(pair.first().exact().counts(), pair.second().exact().counts());
    }

    @Override
    public List<String> tooFar(List<Pair<MaximumDraw>> pairs, Claim claim) {
      return Shifts.tooFar(pairs, claim, Judge::moved);
    }

    /** Of all noisy counts, of which the largest is post-processing. */
    @Override
    public OptionalDouble divergence(double order, Pair<MaximumDraw> pair, Claim claim) {
      LaplaceNoise noise = (LaplaceNoise) pair.first().mechanism().counts().noise();
      return OptionalDouble.of(
          Divergences.laplace(
              order, pair.first().exact().counts(), pair.second().exact().counts(), noise.scale()));
    }

    @Override
    public Optional<String> chargeOf(MaximumDraw draw, Claim claim) {
      return Optional.of(DrawJudge.ofWindow(draw, claim));
    }
  }

  private static final class View implements OutputView {
    @Override
    public Schema schema() {
      return MaximumRelease.SCHEMA$;
    }

    @Override
    public Set<String> drawn() {
      return Set.of("category");
    }

    @Override
    public String row(IndexedRecord output) {
      MaximumRelease release = (MaximumRelease) output;
      return "%s  %-12s mostly %s"
          .formatted(
              ViewText.day(release.from()),
              Visible.of(release.subject()),
              Visible.of(release.category()));
    }

    @Override
    public Card card(IndexedRecord output, PlannedRelease planned) {
      MaximumRelease release = (MaximumRelease) output;
      return new Card(
          release.from(), release.to(), List.of(new Card.Row(release.category(), 1, "mostly")));
    }
  }
}
