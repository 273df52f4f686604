// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.jmh;

import io.sfumato.accounting.BudgetShare;
import io.sfumato.accounting.Ledger;
import io.sfumato.pipeline.PlannedRelease;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The filter's decision: does one more charge fit. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LedgerBenchmark {
  private BudgetShare share;
  private Ledger ledger;
  private Map<Integer, Long> costs;

  @Setup
  public void setUp() {
    PlannedRelease release = Plans.histogram(6).releases().get(0);
    share = release.share();
    costs = Map.of(0, share.cost(release.charge()));
    TreeMap<Integer, Long> counts = new TreeMap<>();
    counts.put(0, 7L);
    ledger = new Ledger(counts);
  }

  @Benchmark
  public boolean filterDecision() {
    return share.admits(ledger, costs, 0);
  }
}
