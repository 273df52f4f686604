// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes bills of materials (CycloneDX 1.6) of what the build has laid out: bom.json of production,
 * bom-broker.json of production and the embedded broker; and lists of their licences,
 * THIRD-PARTY.txt and THIRD-PARTY-broker.txt. Names, versions and licences are those that the build
 * has found, checksums those of the files themselves. The same files give the same bytes.
 *
 * <p>Run by the build, from its source; the plugin that others use refuses to work offline.
 * Arguments: the build's folder, the program's version.
 */
final class Bom {
  /** Licences, the library's title, its group, artifact and version. */
  private static final Pattern LINE =
      Pattern.compile(" *((?:\\([^)]*\\) )+)(.*) \\(([^:() ]+):([^: ]+):([^: ]+) - \\S+\\)");

  /** What the build has found out about every library. */
  private static final String ALL = "third-party-all.txt";

  private static final Pattern LICENCE = Pattern.compile("\\(([^)]*)\\) ");

  /** Identifiers of SPDX; all else is a name. */
  private static final Pattern SPDX =
      Pattern.compile(
          "Apache-2\\.0|BSD-[23]-Clause|CC0-1\\.0|GPL-2\\.0-only|EPL-[12]\\.0|LGPL-2\\.1-only|MIT");

  private final Path target;
  private final String version;
  private final Map<String, Library> libraries = new TreeMap<>();

  private record Library(
      String group, String name, String version, List<String> licences, String line) {
    String file() {
      return name + "-" + version + ".jar";
    }

    String purl() {
      return "pkg:maven/" + group + "/" + name + "@" + version + "?type=jar";
    }
  }

  private Bom(Path target, String version) {
    this.target = target;
    this.version = version;
  }

  public static void main(String[] arguments) throws IOException, GeneralSecurityException {
    Bom bom = new Bom(Path.of(arguments[0]), arguments[1]);
    bom.read();
    bom.write("", List.of("lib"));
    bom.write("-broker", List.of("lib", "lib-broker"));
  }

  private void read() throws IOException {
    for (String line : Files.readAllLines(target.resolve(ALL))) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches()) {
        List<String> licences =
            LICENCE.matcher(matcher.group(1)).results().map(found -> found.group(1)).toList();
        Library library =
            new Library(
                matcher.group(3), matcher.group(4), matcher.group(5), licences, line.strip());
        libraries.put(library.file(), library);
      }
    }
  }

  private void write(String suffix, List<String> folders)
      throws IOException, GeneralSecurityException {
    Map<String, String> components = new TreeMap<>();
    List<String> lines = new ArrayList<>();
    for (String folder : folders) {
      try (var files = Files.list(target.resolve(folder))) {
        for (Path file : files.filter(file -> !isOurs(file)).toList()) {
          Library library =
              Optional.ofNullable(libraries.get(file.getFileName().toString()))
                  .orElseThrow(() -> new IOException(ALL + " does not name " + file));
          lines.add(library.line());
          components.put(library.purl(), component(library, file));
        }
      }
    }
    Collections.sort(lines);
    Files.writeString(
        target.resolve("THIRD-PARTY" + suffix + ".txt"),
        "Libraries of others, %d, with their licences; of several, separated by OR, one may choose.\n\n"
                .formatted(lines.size())
            + String.join("\n", lines).replace(") (", " OR ")
            + "\n");
    String own = "pkg:maven/io.sfumato/sfumato@" + version + "?type=jar";
    String root =
        "\"type\": \"application\", \"bom-ref\": %s, \"group\": \"io.sfumato\", \"name\": \"sfumato\", \"version\": %s, \"licenses\": [{\"license\": {\"id\": \"Apache-2.0\"}}], \"purl\": %s"
            .formatted(quoted(own), quoted(version), quoted(own));
    String listed = String.join(",\n    ", components.values());
    String serial =
        UUID.nameUUIDFromBytes((own + listed).getBytes(StandardCharsets.UTF_8)).toString();
    String refs =
        components.keySet().stream().map(Bom::quoted).collect(Collectors.joining(",\n      "));
    Files.writeString(
        target.resolve("bom" + suffix + ".json"),
        """
        {
          "bomFormat": "CycloneDX",
          "specVersion": "1.6",
          "serialNumber": "urn:uuid:%s",
          "version": 1,
          "metadata": {
            "lifecycles": [{"phase": "build"}],
            "component": {%s}
          },
          "components": [
            %s
          ],
          "compositions": [{
            "aggregate": "complete",
            "assemblies": [
              %s
            ]
          }]
        }
        """
            .formatted(serial, root, listed, refs));
  }

  private static boolean isOurs(Path file) {
    return file.getFileName().toString().startsWith("sfumato-");
  }

  private static String component(Library library, Path file)
      throws IOException, GeneralSecurityException {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
    return "{\"type\": \"library\", \"bom-ref\": %1$s, \"group\": %2$s, \"name\": %3$s, \"version\": %4$s, \"hashes\": [{\"alg\": \"SHA-256\", \"content\": \"%5$s\"}], \"licenses\": [%6$s], \"purl\": %1$s}"
        .formatted(
            quoted(library.purl()),
            quoted(library.group()),
            quoted(library.name()),
            quoted(library.version()),
            HexFormat.of().formatHex(digest),
            licences(library.licences()));
  }

  /** One licence, or an expression: of several one may choose. */
  private static String licences(List<String> licences) {
    if (licences.size() == 1 && SPDX.matcher(licences.get(0)).matches()) {
      return "{\"license\": {\"id\": %s}}".formatted(quoted(licences.get(0)));
    }
    return "{\"expression\": %s}".formatted(quoted(String.join(" OR ", licences)));
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
