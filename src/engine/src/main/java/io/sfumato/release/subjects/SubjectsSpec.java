// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.subjects;

import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.partitionselection.SelectionCalibrator;
import io.sfumato.mechanism.partitionselection.NameBounds;
import io.sfumato.pipeline.DiscoveryLimits;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.UnplannableException;
import io.sfumato.schema.SubjectRelease;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.Schema;

/**
 * Subjects that nobody listed.
 *
 * @param head name, topic and share
 * @param finding how many stay public, and for how long
 * @param noise on the number of a subject's users
 * @param population what one user may add
 */
public record SubjectsSpec(Head head, DiscoveryLimits finding, Noise noise, Population population)
    implements ReleaseSpec {
  /** Noise that a file may ask for. */
  public enum Noise {
    LAPLACE,
    GAUSSIAN,
    /** The one with the lower threshold. */
    BEST
  }

  /** Users are counted: each adds 1 to the number of each of at most S subjects. */
  NameBounds bounds() {
    return new NameBounds(population.subjects(), population.subjects(), 1);
  }

  private CalibrationTarget request() {
    return head.request();
  }

  @Override
  public Schema schema() {
    return SubjectRelease.getClassSchema();
  }

  @Override
  public PlannedSubjects plan() throws UnplannableException {
    return SelectionCalibrator.best(
            Stream.of(
                    noise == Noise.GAUSSIAN
                        ? Optional.<SelectionCalibrator.Found>empty()
                        : SelectionCalibrator.laplace(request(), bounds()),
                    noise == Noise.LAPLACE
                        ? Optional.<SelectionCalibrator.Found>empty()
                        : SelectionCalibrator.gaussian(request(), bounds()))
                .flatMap(Optional::stream))
        .map(found -> new PlannedSubjects(this, found.planned(request()), found.thresholdDelta()))
        .orElseThrow(() -> head.cannotAfford());
  }

  @Override
  public Optional<DiscoveryLimits> findsSubjects() {
    return Optional.of(finding);
  }

  @Override
  public boolean remembers() {
    return true;
  }

  /** Whether a subject is public follows from what was published of it before. */
  @Override
  public boolean usesHistory() {
    return true;
  }

  /** Subjects are a file's: an output that is renamed goes on with them. */
  @Override
  public String memory() {
    return "last passes";
  }
}
