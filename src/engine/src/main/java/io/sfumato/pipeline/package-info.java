/**
 * The parts of a pipeline file (input, windows, budget, contributions), how they are read, and what
 * a release is to everybody else: {@link io.sfumato.pipeline.ReleaseKind}, {@link
 * io.sfumato.pipeline.ReleaseSpec}, {@link io.sfumato.pipeline.PlannedRelease}, {@link
 * io.sfumato.pipeline.ReleaseSampler}, {@link io.sfumato.pipeline.OutputView}. Nothing here knows a
 * kind of release by its name, nor Kafka.
 */
package io.sfumato.pipeline;
