// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Compares the mutants that a run of PIT left alive with the table of those that may live, and why:
 * one that the table does not have fails the build, and so does one of the table that is gone.
 *
 * <p>Run by the build's profile 'mutation', from its source. Arguments: PIT's mutations.xml, the
 * table. Mutants are known by class, method and change, not by line: how many of a kind live is
 * compared.
 */
final class Survivors {
  /** class.method, change, how many, why. */
  private static final Pattern ROW =
      Pattern.compile("\\| `([^`]+)` \\| (.+?) \\| (\\d+) \\| (.+) \\|");

  private static final Pattern PACKAGES = Pattern.compile("(?:[a-z][a-z0-9]*[/.])+(?=[A-Z])");

  private Survivors() {}

  private record Run(int mutants, Map<String, Integer> alive, TreeSet<String> classes) {}

  public static void main(String[] arguments)
      throws IOException, ParserConfigurationException, SAXException {
    Run run = read(Path.of(arguments[0]));
    Map<String, Integer> allowed = new TreeMap<>();
    for (String line : Files.readAllLines(Path.of(arguments[1]))) {
      Matcher row = ROW.matcher(line);
      // Others' classes are others' runs.
      if (row.matches() && run.classes().contains(classOf(row.group(1)))) {
        allowed.put(row.group(1) + " | " + row.group(2), Integer.parseInt(row.group(3)));
      }
    }
    List<String> wrong = new ArrayList<>();
    TreeSet<String> all = new TreeSet<>(run.alive().keySet());
    all.addAll(allowed.keySet());
    for (String mutant : all) {
      int lives = run.alive().getOrDefault(mutant, 0);
      int may = allowed.getOrDefault(mutant, 0);
      if (lives != may) {
        String place = mutant.replaceFirst("(.+?) \\| ", "| `$1` | ");
        wrong.add("%s | %d | the table says %d |".formatted(place, lives, may));
      }
    }
    int alive = run.alive().values().stream().mapToInt(Integer::intValue).sum();
    System.out.printf(
        "%d of %d mutants noticed (%.1f%%), %d alive%n",
        run.mutants() - alive,
        run.mutants(),
        100.0 * (run.mutants() - alive) / run.mutants(),
        alive);
    if (!wrong.isEmpty()) {
      wrong.forEach(System.out::println);
      System.exit(1);
    }
  }

  private static Run read(Path file)
      throws IOException, ParserConfigurationException, SAXException {
    NodeList mutations =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(file.toFile())
            .getElementsByTagName("mutation");
    Map<String, Integer> alive = new TreeMap<>();
    TreeSet<String> classes = new TreeSet<>();
    for (int i = 0; i < mutations.getLength(); i++) {
      Element mutation = (Element) mutations.item(i);
      String name = text(mutation, "mutatedClass");
      String type = name.substring(name.lastIndexOf('.') + 1);
      String room = name.substring(0, name.lastIndexOf('.')).replace("io.sfumato.", "");
      String place = room + "." + type;
      classes.add(place);
      if (!Boolean.parseBoolean(mutation.getAttribute("detected"))) {
        String method = text(mutation, "mutatedMethod").replaceAll("lambda\\$(.*)\\$\\d+", "$1");
        String change = PACKAGES.matcher(text(mutation, "description")).replaceAll("");
        // What replaces a value names the method again.
        change = change.replaceAll(" for \\S+::\\S+$", "").replace("|", "or").strip();
        alive.merge(place + "#" + method + " | " + change, 1, Integer::sum);
      }
    }
    return new Run(mutations.getLength(), alive, classes);
  }

  private static String classOf(String place) {
    return place.substring(0, place.indexOf('#'));
  }

  private static String text(Element mutation, String tag) {
    return mutation.getElementsByTagName(tag).item(0).getTextContent();
  }
}
