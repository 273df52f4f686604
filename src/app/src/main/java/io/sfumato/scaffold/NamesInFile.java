// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** How drafts write lists of names, and how names are found. */
final class NamesInFile {
  private static final String CODE_BOOK = "the code book of whoever writes the records";

  private NamesInFile() {}

  /** Of categories that are listed, or that somebody has yet to list. */
  static String categories(Counted counted, Optional<String> spent) {
    return counted.isSeveral() ? several(counted, spent) : one(counted.names().get(0), spent);
  }

  private static String several(Counted counted, Optional<String> spent) {
    StringBuilder text =
        new StringBuilder(
            """
              # PUBLIC from here on: %s.
              # What is not listed is counted as 'other' in its field.
            """
                .formatted(spent.orElse(CODE_BOOK)));
    if (counted.names().contains(new NameSource.Unsaid())) {
      text.append(
          """
            # TO DO: list two or more in each [], such as [walk, run, 'dance: slow']: what only one person has
            # would tell of them, so take none from the records.
          """);
    }
    text.append("  categories:\n");
    for (int i = 0; i < counted.fields().size(); i++) {
      text.append("    ")
          .append(DraftWords.quoted(counted.fields().get(i)))
          .append(": ")
          .append(
              counted.names().get(i) instanceof NameSource.Listed listed
                  ? "[" + quoted(listed) + "]"
                  : NameSource.Unsaid.TEXT)
          .append('\n');
    }
    return text.append("  other: other\n").toString();
  }

  private static String one(NameSource source, Optional<String> spent) {
    if (source instanceof NameSource.Listed listed) {
      return """
            # PUBLIC from here on: %s.
            # What is not listed is counted as 'other'.
            categories: [%s]
            other: other
          """
          .formatted(spent.orElse(CODE_BOOK), quoted(listed));
    }
    return """
          # TO DO: list two or more, such as [walk, run, 'dance: slow']. They become PUBLIC, so take them from
          # the code book of whoever writes the records, not from the records: what only one person has
          # would tell of them. What is not listed is counted as 'other'.
        %s
          other: other
        """
        .formatted(NameSource.Unsaid.LINE);
  }

  /** Of categories that the pipeline finds. */
  static String discovered(String name, String epsilon, String delta) {
    return """
          # Nobody lists them. A name is published once its noisy number of users passes a threshold
          # ('sfumato plan' shows it); a name that only one user has almost never does.
          # A list from a code book misses no name and costs nothing: categories: [a, b].
          categories:
            discover:
              name: %s-names\1\1also the topic of the lists, with the number of each name's users
              share: { epsilon: %s, delta: %s }
              most: 100000\1\1public names of a subject at most
        """
        .formatted(name, epsilon, delta);
  }

  /** Of listed subjects. */
  static String subjects(NameSource.Listed listed, Optional<String> spent) {
    return """
        subjects: [%s]\1\1PUBLIC%s: each is released every window, records or none
        """
        .formatted(quoted(listed), spent.map(words -> ", " + words).orElse(""));
  }

  /** Of subjects that the pipeline finds. */
  static String discoveredSubjects(String name, String epsilon, String delta) {
    return """
        # Nobody lists them: found as names are, and released from the next window on, records or none.
        # Where you know them: subjects: [a, b].
        subjects:
          discover:
            name: %s-subjects\1\1also the topic that says which there are
            share: { epsilon: %s, delta: %s }
            most: 1000\1\1public subjects at most
        """
        .formatted(name, epsilon, delta);
  }

  private static String quoted(NameSource.Listed listed) {
    List<String> names = listed.names();
    return names.stream().map(DraftWords::quoted).collect(Collectors.joining(", "));
  }
}
