// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What an output is and on what its privacy rests, for whoever must sign for it.
 *
 * @param publishes what readers get, of each subject and window, in words of everyday
 * @param sources proofs and papers; empty where its kind says nothing of itself
 * @param caveats what its guarantee does not cover, each a whole sentence; for most nothing
 */
public record PrivacyRationale(String publishes, List<Source> sources, List<String> caveats) {
  public PrivacyRationale {
    sources = List.copyOf(sources);
    caveats = List.copyOf(caveats);
  }

  public PrivacyRationale(String publishes, List<Source> sources) {
    this(publishes, sources, List.of());
  }

  /** The same with something that its guarantee does not cover. */
  public PrivacyRationale but(String caveat) {
    return new PrivacyRationale(
        publishes, sources, Stream.concat(caveats.stream(), Stream.of(caveat)).toList());
  }

  /**
   * Where something is proved.
   *
   * @param claim what it proves, such as {@code Theorem J}
   * @param work authors and year, or our own page
   * @param section page and heading below docs, as links name them; empty where no page proves it
   */
  public record Source(String claim, String work, String section) {}

  /** A library's own kind, of which this program knows what its plan says, and no more. */
  static final PrivacyRationale UNKNOWN =
      new PrivacyRationale(
              "the statement of its kind, which comes from a library, in the plan", List.of())
          .but(
              "Its kind comes from a library that names no proof: ask its authors for the proof "
                  + "of its privacy cost.");

  /** Discrete Gaussian or Laplace noise, drawn without any rounding. */
  public static final Source DISCRETE_NOISE =
      new Source(
          "exact discrete Gaussian and Laplace noise",
          "Canonne, Kamath, Steinke 2020, The Discrete Gaussian for Differential Privacy",
          "theory/additive-noise.md#discrete-noise");

  /** What of a user counts, and why that is all of a user that can be lost. */
  public static final Source BOUNDED_USERS =
      new Source(
          "bounded contributions, charged to the user",
          "Feldman, Zrnic 2021, Individual Privacy Accounting via a Rényi Filter",
          "theory/bounded-users.md#what-a-window-costs");

  /** What users contribute to a period, record by record. */
  public static final Source BOUNDED_PERIODS =
      new Source(
          "Theorem R: bounds across windows",
          "our own proof",
          "theory/bounded-users.md#theorem-r-bounds-across-windows");

  /** Rows of a factorised matrix of running sums. */
  public static final Source ROOT =
      new Source(
          "Theorem J: rows of a square root of running sums",
          "Fichtenberger, Henzinger, Upadhyay 2023, Constant Matters; Kalinin, Lampert 2024",
          "theory/running-sums.md#theorem-j-factorised-running-sums");

  /** A window's rows over many windows. */
  public static final Source WINDOW_SUMS =
      new Source(
          "Theorem K: sums over windows",
          "our own proof",
          "theory/running-sums.md#theorem-k-sums-over-windows");

  /** Names that nobody listed. */
  public static final Source NAMES =
      new Source(
          "Theorem M: a name that only one user has almost never passes the threshold",
          "Desfontaines, Voss, Gipson, Mandayam 2022, Differentially Private Partition Selection;"
              + " our own proof",
          "theory/partition-selection.md#theorem-m-names");

  /** What is made of published numbers alone. */
  public static final Source POST_PROCESSING =
      new Source(
          "post-processing: results computed only from private outputs are as private as these",
          "Dwork, Roth 2014, The Algorithmic Foundations of Differential Privacy, Proposition 2.1",
          "theory/additive-noise.md#post-processing");

  /** An output with its sources; that of users where a file has them. */
  public static PrivacyRationale of(
      String publishes, Optional<Population> users, Source... sources) {
    return new PrivacyRationale(
        publishes,
        Stream.concat(Stream.of(sources), users.stream().flatMap(PrivacyRationale::ofUsers))
            .toList());
  }

  private static Stream<Source> ofUsers(Population users) {
    return users.chargesRecords()
        ? Stream.of(BOUNDED_USERS, BOUNDED_PERIODS)
        : Stream.of(BOUNDED_USERS);
  }
}
