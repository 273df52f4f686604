// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.inference.Likelihood;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.Plan;
import io.sfumato.release.Releases;
import io.sfumato.release.abc.AbcSpec;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.schema.Guarantee;
import io.sfumato.serde.Outputs;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.generic.IndexedRecord;

/**
 * One release that a modeller asks, as a topic or a file of hers holds it. Others may have written
 * it: whatever does not fit the plan of the pipeline file is refused before it is believed.
 *
 * @param wanted which one
 * @param planned its output, as the file plans it
 * @param id of the release
 * @param likelihood of it
 */
public record PublishedRelease(
    Wanted wanted, PlannedRelease planned, String id, Likelihood likelihood) {
  private static final int MOST_NAMED = 6;

  /**
   * Which release.
   *
   * @param file of the pipeline
   * @param plan of the file
   * @param output name of a release in it
   * @param subject whose data it is about
   * @param windowStart of them
   */
  public record Wanted(Path file, Plan plan, String output, String subject, long windowStart) {
    /** Plans the file. */
    public static Wanted of(
        Path file,
        io.sfumato.pipeline.Pipeline pipeline,
        String output,
        String subject,
        Instant time)
        throws PipelineFileException {
      return new Wanted(
          file,
          Plan.of(file.toString(), pipeline),
          output,
          subject,
          pipeline.window().startOf(time.toEpochMilli()));
    }

    private PlannedRelease planned() throws RefusedException {
      PlannedRelease found =
          plan.releases().stream()
              .filter(release -> release.spec().name().equals(output))
              .findFirst()
              .orElseThrow(
                  () -> refused(file + ": no release is named '" + output + "'; " + askable()));
      if (found.spec() instanceof AbcSpec) {
        throw refused(
            "%s: '%s' answers queries and publishes no release for --from: leave out --from; %s"
                .formatted(file, output, askable()));
      }
      if (!found.hasLikelihood()) {
        throw withoutLikelihood();
      }
      return found;
    }

    private RefusedException withoutLikelihood() {
      return refused("%s: output '%s' has no likelihood; %s".formatted(file, output, askable()));
    }

    private String askable() {
      List<String> names =
          plan.releases().stream()
              .filter(PlannedRelease::hasLikelihood)
              .map(release -> release.spec().name())
              .toList();
      return names.isEmpty()
          ? "the file has no output that --from can use (histogram, count by category or "
              + "features)"
          : "outputs for --from: " + String.join(", ", names);
    }
  }

  /** Reads it from its output's topic. */
  public static PublishedRelease ofTopic(Wanted wanted, KafkaSettings settings)
      throws RefusedException {
    PlannedRelease planned = wanted.planned();
    List<IndexedRecord> all = new ArrayList<>();
    PublishedOutputs.read(
        settings,
        List.of(planned.spec().topic()),
        output -> {
          if (output.getSchema().equals(planned.spec().schema()) && isAbout(output, wanted)) {
            all.add(output);
          }
        });
    return chosen(wanted, planned, "topic " + planned.spec().topic(), all);
  }

  /** Reads it from a file with a release a line, as {@code consume -o json} prints them. */
  public static PublishedRelease ofFile(Wanted wanted, Path file) throws RefusedException {
    PlannedRelease planned = wanted.planned();
    List<IndexedRecord> all = new ArrayList<>();
    long number = 0;
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (!line.isBlank()) {
          all.add(Outputs.decodeLine(line, planned.spec().schema()));
        }
      }
    } catch (CorruptBytesException e) {
      throw refused(
          "%s line %d: not a %s; allowed is one release per line, as printed by 'sfumato consume %s -o json'"
              .formatted(file, number, planned.spec().schema().getName(), planned.spec().topic()));
    } catch (NoSuchFileException e) {
      throw refused(file + ": no such file");
    } catch (IOException e) {
      throw refused(file + ": cannot be read as UTF-8 text");
    }
    return chosen(wanted, planned, file.toString(), all);
  }

  private static PublishedRelease chosen(
      Wanted wanted, PlannedRelease planned, String where, List<IndexedRecord> all)
      throws RefusedException {
    String pipeline = wanted.plan().pipeline().name();
    List<IndexedRecord> ours =
        all.stream()
            .filter(r -> text(r, "pipeline").equals(pipeline))
            .filter(r -> text(r, "output").equals(wanted.output()))
            .toList();
    if (ours.isEmpty() && !all.isEmpty()) {
      throw refused(
          "%s holds no release of output '%s' of pipeline '%s', but of %s"
              .formatted(
                  where,
                  wanted.output(),
                  pipeline,
                  named(all, r -> "'" + text(r, "output") + "' of '" + text(r, "pipeline") + "'")));
    }
    Set<IndexedRecord> found =
        new LinkedHashSet<>(ours.stream().filter(r -> isAbout(r, wanted)).toList());
    if (found.isEmpty()) {
      throw new RefusedException(
          ExitCode.FAILED,
          "%s holds no release of %s about %s, window from %s%s"
              .formatted(
                  where,
                  wanted.output(),
                  wanted.subject(),
                  Instant.ofEpochMilli(wanted.windowStart()),
                  ours.isEmpty()
                      ? ""
                      : "; it has "
                          + named(ours, r -> text(r, "subject") + " " + field(r, "window_start"))));
    }
    if (found.size() > 1) {
      throw refused(
          "%s holds %d different releases of %s about %s, window from %s: write the right one into a file and give --release-file FILE"
              .formatted(
                  where,
                  found.size(),
                  wanted.output(),
                  wanted.subject(),
                  Instant.ofEpochMilli(wanted.windowStart())));
    }
    return checked(wanted, planned, where, found.iterator().next());
  }

  /** Names of others' choice, a few of them. */
  private static String named(
      List<IndexedRecord> records, java.util.function.Function<IndexedRecord, String> name) {
    List<String> names = records.stream().map(name).distinct().sorted().toList();
    return String.join(", ", names.subList(0, Math.min(MOST_NAMED, names.size())))
        + (names.size() > MOST_NAMED ? " and " + (names.size() - MOST_NAMED) + " more" : "");
  }

  private static PublishedRelease checked(
      Wanted wanted, PlannedRelease planned, String where, IndexedRecord output)
      throws RefusedException {
    Guarantee guarantee = (Guarantee) field(output, "guarantee");
    require(
        where,
        "version",
        guarantee.getPipelineVersion(),
        wanted.plan().pipeline().version(),
        wanted);
    require(where, "mechanism", guarantee.getMechanism(), planned.charge().mechanism(), wanted);
    require(where, "unit", guarantee.getUnit(), planned.charge().unit().word(), wanted);
    require(
        where,
        "epsilon",
        guarantee.getEpsilon(),
        planned.share().epsilon().value().doubleValue(),
        wanted);
    require(
        where,
        "delta",
        guarantee.getDelta(),
        planned.share().delta().value().doubleValue(),
        wanted);
    if (output.getSchema().getField("categories") != null) {
      require(
          where,
          "categories",
          field(output, "categories"),
          wanted.plan().pipeline().input().allCategories(),
          wanted);
    }
    OutputView view = Releases.viewOf(output).orElseThrow();
    Optional<Likelihood> likelihood;
    try {
      likelihood = view.likelihood(output, planned);
    } catch (IllegalArgumentException e) {
      throw refused(where + ": " + e.getMessage());
    }
    return new PublishedRelease(
        wanted,
        planned,
        text(output, "release_id"),
        likelihood.orElseThrow(wanted::withoutLikelihood));
  }

  private static void require(
      String where, String what, Object found, Object planned, Wanted wanted)
      throws RefusedException {
    if (!found.equals(planned)) {
      throw refused(
          "%s: the release has %s %s, %s plans %s: use the version of the file that published the release"
              .formatted(where, what, found, wanted.file(), planned));
    }
  }

  private static boolean isAbout(IndexedRecord output, Wanted wanted) {
    return text(output, "subject").equals(wanted.subject())
        && ((Instant) field(output, "window_start")).toEpochMilli() == wanted.windowStart();
  }

  private static String text(IndexedRecord output, String field) {
    return (String) field(output, field);
  }

  private static Object field(IndexedRecord output, String name) {
    return output.get(output.getSchema().getField(name).pos());
  }

  private static RefusedException refused(String message) {
    return new RefusedException(ExitCode.REFUSED_FILE, message);
  }
}
