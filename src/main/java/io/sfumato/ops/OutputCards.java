// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.pipeline.Plan;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.PlannedHistogram;
import io.sfumato.schema.AbcDecision;
import io.sfumato.schema.AbcWeight;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.schema.MollifiedSample;
import io.sfumato.serde.ForeignBytes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.generic.IndexedRecord;

/** The latest outputs for the page: all but their subjects. */
final class OutputCards {
  private OutputCards() {}

  static void write(Plan plan, LatestOutputs outputs, ArrayNode json) {
    for (PlannedRelease release : plan.releases()) {
      for (IndexedRecord record : outputs.of(release.spec().topic())) {
        ObjectNode node = json.objectNode().put("output", release.spec().name());
        // Who writes to this topic may not be this program: what cannot be drawn is passed over.
        ForeignBytes.ifReadable(() -> card(node, release, record)).ifPresent(json::add);
      }
    }
  }

  /** Of each output what all subjects of its newest window have in common. */
  static void writeTogether(Plan plan, LatestOutputs outputs, ArrayNode json) {
    for (PlannedRelease release : plan.releases()) {
      outputs
          .mean(release.spec().topic())
          .ifPresent(mean -> mean.write(release.spec().name(), json));
    }
  }

  private static ObjectNode card(ObjectNode node, PlannedRelease release, IndexedRecord record) {
    if (record instanceof DirichletRelease drawn && release instanceof PlannedHistogram planned) {
      histogram(node, drawn, planned.plan().mechanism());
    } else if (record instanceof CountRelease drawn) {
      counts(node, drawn);
    } else if (record instanceof AbcDecision decision) {
      window(node, decision.getWindowStart(), decision.getWindowEnd());
      node.put("kind", "decision")
          .put("candidate", decision.getCandidate())
          .put("candidates", decision.getCandidates())
          .put("accepted", decision.getAccepted());
    } else if (record instanceof AbcWeight weight) {
      window(node, weight.getWindowStart(), weight.getWindowEnd());
      node.put("kind", "weight")
          .put("candidate", weight.getCandidate())
          .put("candidates", weight.getCandidates())
          .put("weight", weight.getWeight());
    } else if (record instanceof MollifiedSample sample) {
      window(node, sample.getWindowStart(), sample.getWindowEnd());
      node.put("kind", "item")
          .put("category", sample.getCategory() == null ? "" : sample.getCategory());
    }
    return node;
  }

  private static void window(ObjectNode node, Instant from, Instant to) {
    node.put("from", from.toString()).put("to", to.toString());
  }

  /** Of the public example: of the data nobody is told. */
  private static void leftOut(ObjectNode node, Double share) {
    if (share != null) {
      node.put("example_left_out", share);
    }
  }

  private static void histogram(
      ObjectNode node, DirichletRelease drawn, HistogramMechanism mechanism) {
    window(node, drawn.getWindowStart(), drawn.getWindowEnd());
    node.put("kind", "histogram");
    leftOut(node, drawn.getExampleLeftOut());
    if (drawn.getRecords() != null) {
      node.put("records", drawn.getRecords());
    }
    List<Double> shares = new ArrayList<>(drawn.getProbabilities());
    long items = drawn.getCounts().stream().mapToLong(Long::longValue).sum();
    if (shares.isEmpty()) {
      drawn.getCounts().forEach(count -> shares.add(Math.max(0, count) / Math.max(1.0, items)));
    }
    ArrayNode bars = node.putArray("shares");
    for (int i = 0; i < shares.size(); i++) {
      bars.addObject()
          .put("category", drawn.getCategories().get(i))
          .put("share", shares.get(i))
          .put("error", error(drawn, mechanism, i, shares));
    }
  }

  private static double error(
      DirichletRelease drawn, HistogramMechanism mechanism, int category, List<Double> shares) {
    if (!drawn.getError95().isEmpty()) {
      return drawn.getError95().get(category);
    }
    return mechanism.halfWidth(shares.get(category), drawn.getRecords(), shares.size());
  }

  private static void counts(ObjectNode node, CountRelease drawn) {
    window(node, drawn.getSince(), drawn.getWindowEnd());
    node.put("kind", "counts").put("error", drawn.getError95());
    leftOut(node, drawn.getExampleLeftOut());
    ArrayNode counts = node.putArray("counts");
    for (int i = 0; i < drawn.getCounts().size(); i++) {
      counts
          .addObject()
          .put("category", drawn.getCategories().isEmpty() ? "all" : drawn.getCategories().get(i))
          .put("count", drawn.getCounts().get(i));
    }
  }
}
