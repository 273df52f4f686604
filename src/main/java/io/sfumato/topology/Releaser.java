// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.noise.ReleaseId;
import io.sfumato.schema.RefusalCode;
import io.sfumato.topology.DatasetStore.Dataset;

/**
 * Decides, charges and draws one output of one closed dataset, in this order. Charge, output and
 * state changes are part of one Kafka transaction.
 */
final class Releaser implements WindowOutput {
  private final String name;
  private final Charging charging;
  private final Drawer drawer;
  private final Publisher publisher;
  private final Refusals refusals;
  private final Skips skips;
  private final PipelineMeters meters;

  Releaser(
      String name,
      Charging charging,
      Drawer drawer,
      Publisher publisher,
      Refusals refusals,
      Skips skips,
      PipelineMeters meters) {
    this.name = name;
    this.charging = charging;
    this.drawer = drawer;
    this.publisher = publisher;
    this.refusals = refusals;
    this.skips = skips;
    this.meters = meters;
  }

  @Override
  public void release(Dataset dataset, long timestamp) {
    Drawer.Draws draws = null;
    for (int index = 0; index < drawer.draws(); index++) {
      ReleaseId id = id(dataset.key(), index);
      // The charge stands before the draw, both in this transaction.
      switch (charging.charge(id.subject(), id.windowStart())) {
        case CHARGED -> {
          if (skips.contains(id)) {
            refusals.refuse(name, dataset.key(), RefusalCode.OPERATOR_SKIPPED, timestamp);
            continue;
          }
          byte[] value;
          try {
            draws = draws == null ? drawer.of(dataset) : draws;
            value = draws.draw(id);
          } catch (RuntimeException e) {
            throw skips.failed(id, e);
          }
          publisher.publish(name, id, value, timestamp);
        }
        case EXHAUSTED -> {
          meters.silent(name);
          return;
        }
        case SPENT -> {
          refusals.spent(charging, name, dataset.key(), timestamp);
          return;
        }
      }
    }
  }

  @Override
  public boolean isHeld(DatasetStore.Key dataset) {
    for (int index = 0; index < drawer.draws(); index++) {
      if (skips.isHeld(id(dataset, index))) {
        return true;
      }
    }
    return false;
  }

  private ReleaseId id(DatasetStore.Key dataset, int index) {
    return publisher.id(name, dataset.subject(), dataset.windowStart(), index);
  }
}
