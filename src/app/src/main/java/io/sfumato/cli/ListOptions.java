// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.gate.NoiseSecret;
import io.sfumato.runtime.RefusedException;
import io.sfumato.runtime.Secrets;
import io.sfumato.scaffold.Bounds;
import io.sfumato.scaffold.Choices;
import io.sfumato.scaffold.Counted;
import io.sfumato.scaffold.DraftCheck;
import io.sfumato.scaffold.FieldRoles;
import io.sfumato.scaffold.ListPrice;
import io.sfumato.scaffold.NameSource;
import io.sfumato.scaffold.PrivateListSelection;
import io.sfumato.scaffold.PrivateListSelection.Wish;
import io.sfumato.scaffold.SaidLists;
import io.sfumato.scaffold.SampleRecords;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which categories and subjects a new file lists: said, or paid for; never just read off. */
final class ListOptions {
  private static final String CATEGORIES = "categories";
  private static final String SUBJECTS = "subjects";

  /** As many as a file may list; the most frequent are found first. */
  private static final int MOST_CATEGORIES = 10_000;

  private static final int MOST_SUBJECTS = 100_000;

  @Option(
      names = "--categories",
      paramLabel = "[FIELD=]NAME,...",
      description =
          "Allowed categories. They become public, so take them from a code book, not from "
              + "the records. Without them a pipeline with --user discovers them; any other file "
              + "has a place for them. For several fields that count together, repeat it with the "
              + "field in front.")
  private List<String> categories = List.of();

  @Option(
      names = "--categories-file",
      paramLabel = "[FIELD=]FILE",
      description = "File of allowed categories, one a line: for names with commas.")
  private List<String> categoriesFiles = List.of();

  @Option(
      names = "--subjects",
      paramLabel = "NAME,...",
      description =
          "With --user: the subjects: they become public. Without them the pipeline finds them.")
  private List<String> subjects = List.of();

  @Option(
      names = "--subjects-file",
      paramLabel = "FILE",
      description = "File of subjects, one a line.")
  private List<String> subjectsFiles = List.of();

  @Option(
      names = "--list-epsilon",
      paramLabel = "EPSILON",
      description =
          "Spends this epsilon once to discover unlisted names in all of the sample's "
              + "records, by noisy numbers of people. A receipt beside the file says what it "
              + "cost. Later runs read the receipt.")
  private Optional<BigDecimal> epsilon = Optional.empty();

  @Option(
      names = "--list-delta",
      paramLabel = "DELTA",
      description = "Delta with --list-epsilon; by default 1e-6.")
  private Optional<BigDecimal> delta = Optional.empty();

  @Mixin private SecretOptions secret;

  /** Of subjects, said or found. */
  private List<String> found = List.of();

  /** Of each field that is counted, said or found. */
  private final Map<String, List<String>> lists = new LinkedHashMap<>();

  private Optional<PrivateListSelection.Answer> paid = Optional.empty();

  /** Refuses what is wrong whatever the records are. */
  void require(boolean user, boolean looks) throws RefusedException {
    found = new SaidLists("--subjects", subjects, subjectsFiles).list();
    if (!user && !found.isEmpty()) {
      throw DraftCheck.wrong("--subjects: only with --user");
    }
    if (epsilon.isEmpty() && (delta.isPresent() || secret.file.isPresent())) {
      throw DraftCheck.wrong("--list-delta, --secret-file: only with --list-epsilon");
    }
    if (epsilon.isPresent() && !looks) {
      throw DraftCheck.wrong(
          "--list-epsilon: only with records to find names in: --csv FILE or --from-topic TOPIC");
    }
  }

  private SaidLists said() {
    return new SaidLists("--categories", categories, categoriesFiles);
  }

  /** Fields that count together, where there is a list for each of several. */
  List<String> fields(SampleRecords sample) {
    return said().fields(sample.fields());
  }

  /** Whether no list is said or paid for. */
  boolean isOpen() {
    return said().isEmpty() && epsilon.isEmpty();
  }

  /** Reads the lists of what is counted. */
  void read(FieldRoles fields) throws RefusedException {
    lists.putAll(said().of(fields.category()));
    boolean all = lists.size() == fields.category().size();
    if (epsilon.isPresent() && all && (fields.user().isEmpty() || !found.isEmpty())) {
      throw DraftCheck.wrong(
          "--list-epsilon: all lists are given already; leave out one of "
              + "them, or --list-epsilon");
    }
  }

  /**
   * Asks on a terminal for what only people can say: categories that no pipeline may find.
   *
   * @param finds whether this one may
   */
  void ask(Choices choices, FieldRoles fields, boolean finds) {
    if (epsilon.isPresent() || finds) {
      return;
    }
    for (String field : fields.category()) {
      if (!lists.containsKey(field)) {
        String which = fields.category().size() > 1 ? " of '" + field + "'" : "";
        choices
            .ask(
                "categories%s, separated by commas (they become public; none: fill in later)"
                    .formatted(which))
            .map(text -> Arrays.stream(text.split(",")).map(String::strip).toList())
            .map(names -> names.stream().filter(name -> !name.isEmpty()).toList())
            .filter(names -> !names.isEmpty())
            .ifPresent(names -> lists.put(field, names));
      }
    }
  }

  /**
   * Pays for what is not listed, if that is wanted.
   *
   * @param bounds what of a person counts
   */
  void pay(
      Path draft, FieldRoles fields, Bounds bounds, SampleOptions sample, ClusterOptions cluster)
      throws RefusedException {
    if (epsilon.isEmpty()) {
      return;
    }
    List<Wish> wishes = new ArrayList<>();
    for (String field : fields.category()) {
      if (!lists.containsKey(field)) {
        wishes.add(new Wish(CATEGORIES, field, bounds.records()));
      }
    }
    if (fields.user().isPresent() && found.isEmpty()) {
      wishes.add(new Wish(SUBJECTS, fields.subject(), bounds.subjects()));
    }
    ListPrice price = new ListPrice(epsilon.get(), delta.orElse(new BigDecimal("1e-6")));
    PrivateListSelection.Answer answer =
        PrivateListSelection.beside(
                draft, sample.name(), fields.person(), secretIfAny(), Clock.systemUTC())
            .of(wishes, price, sample.whole(cluster));
    paid = Optional.of(answer);
    for (int i = 0; i < wishes.size(); i++) {
      List<String> names = answer.names().get(i);
      if (wishes.get(i).list().equals(SUBJECTS)) {
        found = names.stream().limit(MOST_SUBJECTS).toList();
      } else {
        // A name of its own for what is not listed.
        List<String> named = names.stream().filter(name -> !name.equals("other")).toList();
        if (named.size() > 1) {
          lists.put(wishes.get(i).field(), named.stream().limit(MOST_CATEGORIES).toList());
        }
      }
    }
  }

  private Optional<NoiseSecret> secretIfAny() throws RefusedException {
    return Secrets.find(secret.file, System.getenv(), Optional.empty());
  }

  /**
   * Of the file.
   *
   * @param finds whether its pipeline may find them
   */
  Counted categories(FieldRoles fields, boolean finds) {
    NameSource none = finds ? new NameSource.Discovered() : new NameSource.Unsaid();
    return new Counted(
        fields.category(),
        fields.category().stream()
            .map(field -> lists.containsKey(field) ? new NameSource.Listed(lists.get(field)) : none)
            .toList());
  }

  NameSource subjects() {
    return found.isEmpty() ? new NameSource.Discovered() : new NameSource.Listed(found);
  }

  /** What was paid; nothing if nothing was. */
  Optional<PrivateListSelection.Answer> paid() {
    return paid;
  }

  /** The same in words. */
  List<String> told() {
    return paid.map(ListOptions::told).stream().toList();
  }

  private static String told(PrivateListSelection.Answer answer) {
    return "%s: %s people or more have (noisy count; %s). Keep the receipt beside the file: another look at the same people adds to that cost."
        .formatted(
            answer.again()
                ? "No budget spent: lists taken from the receipt of an earlier run on this"
                    + " sample"
                : "Spent on the lists",
            least(answer),
            answer.words());
  }

  /** From how many people on, of which list. */
  private static String least(PrivateListSelection.Answer answer) {
    return IntStream.range(0, answer.least().size())
        .mapToObj(i -> answer.lists().get(i) + " that %,d".formatted(answer.least().get(i)))
        .collect(Collectors.joining(" people or more have, and "));
  }
}
