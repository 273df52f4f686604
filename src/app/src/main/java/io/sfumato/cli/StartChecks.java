// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.gate.NoiseKey;
import io.sfumato.ledger.AddedLoss;
import io.sfumato.ledger.Beginning;
import io.sfumato.ledger.Continuity;
import io.sfumato.ledger.OffsetsOfState;
import io.sfumato.ledger.OrdersLog;
import io.sfumato.ledger.PatternTopics;
import io.sfumato.ledger.RegistryHandover;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.Plan;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.StampedBy;
import io.sfumato.runtime.StoreFiles;
import io.sfumato.runtime.TopicCommand;
import io.sfumato.ticker.OwnTicker;
import io.sfumato.topology.context.OperatorOrders;
import io.sfumato.topology.context.SourceTopics;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Checks what must hold before an instance starts, and creates the topics that are missing. Nothing
 * is read or charged before all checks have passed.
 *
 * @param isLocal whether the broker is embedded, so that nobody else depends on it
 * @param clocks what the instance does about time
 * @param accepted what the operator takes upon themselves
 * @param files of all pipelines of the process
 * @param out takes remarks
 */
record StartChecks(
    Plan plan,
    KafkaSettings settings,
    NoiseKey noiseKey,
    boolean isLocal,
    Clocks clocks,
    Accepted accepted,
    StoreFiles files,
    Consumer<String> out) {

  /**
   * What an operator takes upon themselves.
   *
   * @param risk that a cluster may lose charges
   * @param addedLoss that the budget begins about a topic that others have released about
   * @param jump that clocks may jump over any number of windows
   */
  record Accepted(boolean risk, boolean addedLoss, boolean jump) {}

  /**
   * What an instance does about time.
   *
   * @param ticks whether it will write ticks
   * @param catchUp whether the topic's past is to be read
   */
  record Clocks(boolean ticks, boolean catchUp) {}

  /**
   * What an instance needs to know of the cluster.
   *
   * @param sources the records' topics, as the state knows them
   * @param ready the plan as it goes on with the budget's state
   * @param replication of topics that are created
   * @param orders where operators say what holds for the records' topics
   * @param said what they have said
   */
  record Passed(
      SourceTopics sources,
      Continuity.Ready ready,
      int replication,
      OrdersLog orders,
      OperatorOrders said) {}

  Passed run(Cluster admin) throws RefusedException {
    Pipeline pipeline = plan.pipeline();
    if (isLocal) {
      for (String topic : pipeline.input().topics().names()) {
        admin.topics().createForRecords(topic, 2);
      }
    }
    new RegistryHandover(pipeline, settings, admin, noiseKey).open();
    SourceTopics present = admin.pipelineTopics().prepare(plan, safety());
    files.require(pipeline, present.journalPartitions());
    if (clocks.ticks()) {
      for (String topic : pipeline.input().topics().names()) {
        admin.pipelineTopics().requireTicks(topic);
      }
      OwnTicker.requireClock(admin, pipeline);
    }
    AddedLoss added =
        new AddedLoss(pipeline, settings, admin, present, noiseKey, accepted.addedLoss());
    AddedLoss.Outlook outlook = added.require();
    Continuity.Ready ready = Continuity.require(plan, settings, admin, present, noiseKey);
    outlook.remarks().forEach(out);
    SourceTopics sources = ready.sources();
    sayWhoIsWaitedFor(ready, admin);
    Beginning.require(pipeline, ready.state(), settings, admin, System.currentTimeMillis())
        .ifPresent(out);
    if (!clocks.catchUp() && !clocks.ticks()) {
      Beginning.distantPast(pipeline, ready.state(), System.currentTimeMillis()).ifPresent(out);
    }
    if (clocks.ticks() && !clocks.catchUp() && !accepted.jump()) {
      Beginning.requireRecent(pipeline, ready.state(), System.currentTimeMillis());
    }
    OrdersLog orders = new OrdersLog(pipeline, settings, noiseKey);
    if (!clocks.catchUp()) {
      new UnreadPast(pipeline, sources, settings, noiseKey)
          .require(ready.state(), () -> orders.read(admin, sources), System.currentTimeMillis());
    }
    new PatternTopics(pipeline, settings, admin, Optional.of(noiseKey)).enter(pipeline);
    admin.offsets(pipeline).establish(ready.joining());
    new OffsetsOfState(pipeline, settings).requireInOrder(admin);
    Continuity.enter(ready, settings, admin, noiseKey);
    added.remember(outlook);
    Continuity.remember(ready, settings, admin, noiseKey);
    requireTimestamps(admin);
    if (clocks.catchUp()) {
      new CatchUp(pipeline, orders, admin, sources).order(Instant.now());
    }
    OperatorOrders said = orders.read(admin, sources);
    saySkipped(said, sources);
    return new Passed(sources, ready, admin.topics().replication(), orders, said);
  }

  private Cluster.Safety safety() {
    return isLocal || accepted.risk() ? Cluster.Safety.WAIVED : Cluster.Safety.REQUIRED;
  }

  private void sayWhoIsWaitedFor(Continuity.Ready ready, Cluster admin) throws RefusedException {
    Continuity.runningPredecessor(ready, admin)
        .ifPresent(
            version ->
                out.accept(
                    "waiting for version %d to stop: its instances still hold partitions; stop them, and this instance takes their partitions over"
                        .formatted(version)));
  }

  private void saySkipped(OperatorOrders said, SourceTopics sources) {
    said.spans()
        .forEach(
            span ->
                out.accept(
                    "note: %s does not count: skipped by an operator (sfumato skip-record)"
                        .formatted(sources.text(span))));
  }

  /** Who stamps records, and whether topics take what they stamp. */
  private void requireTimestamps(Cluster admin) throws RefusedException {
    if (!isLocal) {
      TopicCommand command = new TopicCommand(settings.bootstrapServers());
      for (StampedBy stamped : admin.pipelineTopics().stampedBy(plan.pipeline())) {
        stamped.require(safety(), command).ifPresent(out);
      }
    }
    admin.safety().requireTimestamps(plan.pipeline(), safety()).ifPresent(out);
  }
}
