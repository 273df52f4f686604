// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * An archive of the classes of brokers, clients and instances: processes that tests fork start
 * sooner from it, and cost less. One is made for each build, of a short demo, by whichever test
 * comes first. Without any everything works as well.
 */
public final class ForkArchive {
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final Path JAR = TARGET.resolve("sfumato.jar");
  private static final Path FILE = TARGET.resolve("fork.jsa");

  /** The program and its broker, as the launcher names them: the JVM compares class paths. */
  private static final String CLASS_PATH =
      JAR + File.pathSeparator + TARGET.resolve("lib-broker") + "/*";

  private static final List<String> ARCHIVE = isWanted() ? made() : List.of();

  private ForkArchive() {}

  /** Whether so many processes are started that archives pay: in the full tier. */
  public static boolean isWanted() {
    return Boolean.getBoolean("sfumato.test.archives");
  }

  /** For the JVM of a process whose class path begins with the program and its broker. */
  public static List<String> options() {
    return ARCHIVE;
  }

  /** For the JVM of a process that has what this one has: its class path too. */
  public static List<String> here() {
    List<String> options = new ArrayList<>(ARCHIVE);
    String here = System.getProperty("java.class.path");
    options.add("-cp");
    // Classes that were not packaged are those under test.
    options.add(ARCHIVE.isEmpty() ? here : CLASS_PATH + File.pathSeparator + here);
    return List.copyOf(options);
  }

  private static List<String> made() {
    try (FileChannel lock =
            FileChannel.open(
                TARGET.resolve("fork.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock one = lock.lock()) { // several JVMs run tests
      if (!isPackaged()) {
        return List.of();
      }
      if (!isFresh()) {
        make();
      }
      return Files.size(FILE) == 0
          ? List.of()
          : List.of(
              "-XX:SharedArchiveFile=" + FILE,
              "-Xshare:auto",
              "-Xlog:disable",
              "-Xlog:all=error:stderr");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether the jars have the classes that are compiled: else others than they have are tested. */
  private static boolean isPackaged() throws IOException {
    if (!isPackaged("app", JAR)) {
      return false;
    }
    for (Path library : libraries()) {
      String module = library.getFileName().toString().replaceAll("sfumato-([a-z]+)-.*", "$1");
      if (!isPackaged(module, library)) {
        return false;
      }
    }
    return true;
  }

  /** Those of this build. */
  private static List<Path> libraries() throws IOException {
    try (Stream<Path> files = Files.list(TARGET.resolve("lib"))) {
      return files.filter(file -> file.getFileName().toString().startsWith("sfumato-")).toList();
    }
  }

  private static boolean isPackaged(String module, Path packed) throws IOException {
    Path classes = Path.of("src", module, "target", "classes");
    if (Files.notExists(packed)) {
      return false;
    }
    try (ZipFile jar = new ZipFile(packed.toFile());
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        ZipEntry entry =
            jar.getEntry(classes.relativize(file).toString().replace(File.separatorChar, '/'));
        CRC32 sum = new CRC32();
        sum.update(Files.readAllBytes(file));
        if (entry == null || entry.getCrc() != sum.getValue()) {
          return false;
        }
      }
      return true;
    }
  }

  private static boolean isFresh() {
    return FILE.toFile().lastModified() >= JAR.toFile().lastModified();
  }

  /** In two steps: of a process as this one an archive cannot be made while it ends. */
  private static void make() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory(TARGET, "fork-");
    Path classes = folder.resolve("classes");
    Path draft = folder.resolve("jsa");
    java(
        "-XX:DumpLoadedClassList=" + classes,
        "-Dsfumato.home=" + Path.of("").toAbsolutePath(),
        "-Djava.io.tmpdir=" + folder,
        "-cp",
        CLASS_PATH,
        "io.sfumato.cli.Main",
        "demo",
        "--seconds",
        "2");
    dump(classes, draft);
    if (Files.notExists(draft)) {
      // JDK 17 crashes at some lists of lambdas, which differ by chance: the rest is most of it.
      Files.write(
          classes,
          Files.readAllLines(classes).stream()
              .filter(line -> !line.startsWith("@lambda-proxy"))
              .toList());
      dump(classes, draft);
    }
    if (Files.notExists(draft)) {
      Files.createFile(draft); // this JVM makes none: nobody tries again
    }
    Files.move(draft, FILE, StandardCopyOption.ATOMIC_MOVE);
    try (Stream<Path> left = Files.walk(folder)) {
      for (Path path : left.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private static void dump(Path classes, Path draft) throws IOException, InterruptedException {
    java(
        "-Xshare:dump",
        "-XX:ErrorFile=" + draft.resolveSibling("error.log"),
        "-XX:SharedClassListFile=" + classes,
        "-XX:SharedArchiveFile=" + draft,
        "-cp",
        CLASS_PATH);
  }

  private static void java(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-Xlog:disable", "-Xlog:all=off"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(TestCluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("a JVM does not end");
    }
  }
}
