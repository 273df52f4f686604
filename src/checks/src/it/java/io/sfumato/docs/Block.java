// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A fenced block of a document, with the notes that stand before it as comments of HTML, which
 * readers do not see:
 *
 * <ul>
 *   <li>{@code not run: REASON}: needs what the build has not;
 *   <li>{@code needs: TOOL}: runs where the program, or a module of Debian's Python such as {@code
 *       python3-pandas}, is installed;
 *   <li>{@code up when: PATTERN}: goes on beside the blocks after it, until the next of this kind
 *       or the end of the document; it is up when a line of what it writes matches;
 *   <li>{@code shows: PATTERN}: a line of what it writes matches;
 *   <li>{@code makes: FILE}: a file that is there afterwards, and not empty.
 * </ul>
 */
record Block(Path document, int line, String language, String text, List<Note> notes) {
  private static final Pattern NOTE =
      Pattern.compile("<!-- (not run|needs|up when|shows|makes): (.+) -->");
  private static final String FENCE = "```";
  private static final String PYTHON_MODULE = "python3-";
  private static final Path DEBIANS_PYTHON = Path.of("/usr/lib/python3/dist-packages");

  record Note(String kind, String text) {}

  boolean isCommands() {
    return language.equals("sh");
  }

  Optional<String> note(String kind) {
    return all(kind).stream().findFirst();
  }

  List<String> all(String kind) {
    return notes.stream().filter(n -> n.kind().equals(kind)).map(Note::text).toList();
  }

  boolean isRun() {
    return note("not run").isEmpty() && all("needs").stream().allMatch(Block::isInstalled);
  }

  private static boolean isInstalled(String tool) {
    if (tool.startsWith(PYTHON_MODULE)) {
      return Files.isDirectory(DEBIANS_PYTHON.resolve(tool.substring(PYTHON_MODULE.length())));
    }
    return Stream.of(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
  }

  @Override
  public String toString() {
    return document + ":" + line;
  }

  /** The blocks in their order. Code that is only indented is an error: nothing says what it is. */
  static List<Block> of(Path document) throws IOException {
    List<String> lines = Files.readAllLines(document);
    List<Block> blocks = new ArrayList<>();
    List<Note> notes = new ArrayList<>();
    for (int at = 0; at < lines.size(); at++) {
      String line = lines.get(at);
      if (line.startsWith(FENCE)) {
        int end = at + 1;
        while (!lines.get(end).equals(FENCE)) {
          end++;
        }
        blocks.add(
            new Block(
                document,
                at + 1,
                line.substring(FENCE.length()).strip(),
                String.join("\n", lines.subList(at + 1, end)) + "\n",
                List.copyOf(notes)));
        at = end;
        notes.clear();
        continue;
      }
      Matcher note = NOTE.matcher(line);
      if (note.matches()) {
        notes.add(new Note(note.group(1), note.group(2)));
      } else if (!notes.isEmpty()) {
        throw new IllegalStateException(document + ":" + (at + 1) + ": a note without a block");
      } else if (line.startsWith("<!--")
          || line.startsWith("    ") && at > 0 && lines.get(at - 1).isBlank()) {
        throw new IllegalStateException(
            document + ":" + (at + 1) + ": neither text, nor a note, nor a fenced block");
      }
    }
    return blocks;
  }
}
