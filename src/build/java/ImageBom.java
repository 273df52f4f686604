// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Prints the bill of materials (CycloneDX 1.6) of an image: that of its Java libraries, with the
 * Debian packages that are installed in it added.
 *
 * <p>Run by src/build/images, from its source. Arguments: the bill of the libraries, dpkg's status
 * file of the image, its os-release.
 */
final class ImageBom {
  private static final Pattern SERIAL = Pattern.compile("urn:uuid:[0-9a-f-]+");
  private static final String COMPONENTS = "\"components\": [\n    ";
  private static final String ASSEMBLIES = "\"assemblies\": [\n      ";

  private ImageBom() {}

  public static void main(String[] arguments) throws IOException {
    String libraries = Files.readString(Path.of(arguments[0]));
    Map<String, String> packages = packages(Path.of(arguments[1]), system(Path.of(arguments[2])));
    if (packages.isEmpty() || !libraries.contains(COMPONENTS) || !libraries.contains(ASSEMBLIES)) {
      throw new IOException("no packages in " + arguments[1] + ", or no bill in " + arguments[0]);
    }
    StringBuilder components = new StringBuilder();
    StringBuilder references = new StringBuilder();
    packages.forEach(
        (reference, component) -> {
          components.append(component).append(",\n    ");
          references.append('"').append(reference).append("\",\n      ");
        });
    String all =
        libraries
            .replace(COMPONENTS, COMPONENTS + components)
            .replace(ASSEMBLIES, ASSEMBLIES + references);
    String serial = "urn:uuid:" + UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8));
    System.out.print(SERIAL.matcher(all).replaceFirst(Matcher.quoteReplacement(serial)));
  }

  private static Properties system(Path release) throws IOException {
    Properties system = new Properties();
    try (var in = Files.newBufferedReader(release)) {
      system.load(in);
    }
    return system;
  }

  /** Components of installed packages, by their reference. */
  private static Map<String, String> packages(Path status, Properties system) throws IOException {
    String distribution = unquoted(system.getProperty("ID"));
    String release = distribution + "-" + unquoted(system.getProperty("VERSION_ID"));
    Map<String, String> packages = new TreeMap<>();
    for (String paragraph : Files.readString(status).split("\n\n")) {
      if (field(paragraph, "Status").endsWith(" installed")) {
        String name = field(paragraph, "Package");
        String version = field(paragraph, "Version");
        String reference =
            "pkg:deb/%s/%s@%s?arch=%s&distro=%s"
                .formatted(
                    distribution,
                    escaped(name),
                    escaped(version),
                    field(paragraph, "Architecture"),
                    release);
        packages.put(
            reference,
            "{\"type\": \"library\", \"bom-ref\": \"%1$s\", \"name\": \"%2$s\", \"version\": \"%3$s\", \"purl\": \"%1$s\"}"
                .formatted(reference, name, version));
      }
    }
    return packages;
  }

  private static String field(String paragraph, String name) {
    return paragraph
        .lines()
        .filter(line -> line.startsWith(name + ": "))
        .map(line -> line.substring(name.length() + 2))
        .findFirst()
        .orElse("");
  }

  private static String unquoted(String value) {
    return value.replace("\"", "");
  }

  /** In a package URL these stand for something else. */
  private static String escaped(String text) {
    return text.replace("+", "%2B").replace(":", "%3A");
  }
}
