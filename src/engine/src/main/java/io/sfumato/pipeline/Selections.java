// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which records of users a file's questions are about. Records of one selection are kept together
 * until a user's window closes, whichever questions ask for them.
 */
public final class Selections {
  private final Pipeline file;
  private final List<Selection> all;

  private Selections(Pipeline file) {
    this.file = file;
    this.all =
        Stream.concat(
                Stream.of(new Selection(file.input(), 1)),
                file.questions().stream().map(OutputQuestion::selection))
            .distinct()
            .toList();
  }

  /** Those of a file. */
  public static Selections of(Pipeline file) {
    return new Selections(file);
  }

  /** Each once, that of the file first. */
  public List<Selection> all() {
    return all;
  }

  /** Which records they are, and by which category: each once, the file's first. */
  public List<InputSpec> inputs() {
    return all.stream().map(Selection::input).distinct().toList();
  }

  /** What states call them, in their order. */
  public List<Integer> ids() {
    List<Integer> ids = new ArrayList<>();
    for (int number = 0; number < all.size(); number++) {
      Selection mine = all.get(number);
      long alike = all.subList(0, number).stream().filter(mine::isAbout).count();
      ids.add(number == 0 ? Selection.OF_FILE : mine.id((int) alike));
    }
    return ids;
  }

  /**
   * What states call the cells of users of the last windows that a question counts: 0 for those of
   * the file's question.
   *
   * @param question its number
   */
  public int cellsId(int question) {
    if (question == 0) {
      return 0;
    }
    return file.releasesOf(question).stream()
        .filter(release -> release.cells().filter(cells -> cells.last() > 1).isPresent())
        .map(release -> Selection.id("users of " + release.share().ledger()))
        .findFirst()
        .orElse(0);
  }

  /**
   * The number of a question's selection.
   *
   * @param question its number, 0 for that of the file
   */
  public int of(int question) {
    return question == 0 ? 0 : all.indexOf(file.questions().get(question - 1).selection());
  }

  /** The number of the selection that a release is about. */
  public int of(ReleaseSpec release) {
    return of(file.questionOf(release));
  }

  /** The numbers of those that an output is about, in their order. */
  public List<Integer> asked() {
    return file.releases().stream().map(this::of).distinct().sorted().toList();
  }

  /**
   * Bounds of what is kept of a user's open window: wide enough for every question of a selection.
   *
   * @param selection its number
   */
  public Optional<Population> widest(int selection) {
    Selection about = all.get(selection);
    return file.population()
        .map(
            users ->
                file.questions().stream()
                    .filter(question -> question.selection().equals(about))
                    .map(OutputQuestion::population)
                    .reduce(selection == 0 ? users : users.ofNothing(), Population::including));
  }

  /** Bounds that are wide enough for every question. */
  public Optional<Population> widest() {
    return file.population()
        .map(
            users ->
                file.questions().stream()
                    .map(OutputQuestion::population)
                    .reduce(users, Population::including));
  }

  /** Whether a question of this selection counts users who have more records than count. */
  public boolean countsBeyond(int selection) {
    return file.releases().stream()
        .filter(release -> release.cells().filter(CellPlaces::beyond).isPresent())
        .anyMatch(release -> of(release) == selection);
  }
}
