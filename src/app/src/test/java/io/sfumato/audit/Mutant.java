// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.testkit.Places;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.JavaFileObject.Kind;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * This program with some of its source files changed: compiled in memory, and loaded beside the
 * program itself, with all packages that use a changed one. What the referee finds of it shows what
 * the referee would find if the file were so.
 */
final class Mutant {
  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** Open for all mutants: to look through the class path takes longer than to compile a file. */
  private static final StandardJavaFileManager FILES =
      COMPILER.getStandardFileManager(null, null, null);

  private static final PackageUses USES = PackageUses.from(Audited.class);

  private final ClassLoader loader;

  private Mutant(ClassLoader loader) {
    this.loader = loader;
  }

  /**
   * A change of one snippet.
   *
   * @param file below {@code io/sfumato}
   * @param snippet that stands in the file exactly once
   */
  record Edit(String file, String snippet, String replacement) {}

  /**
   * Changes some snippets.
   *
   * @throws IllegalArgumentException if one does not stand in its file exactly once, or if what
   *     comes out is no Java: a mutation must follow its files
   */
  static Mutant of(List<Edit> edits) {
    Map<Path, String> sources = new TreeMap<>();
    for (Edit edit : edits) {
      Path path = Places.source(edit.file());
      sources.put(path, edited(sources.computeIfAbsent(path, Mutant::read), edit));
    }
    return new Mutant(new ChildFirst(compiled(sources)));
  }

  private static String read(Path path) {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read " + path, e);
    }
  }

  private static String edited(String source, Edit edit) {
    int at = source.indexOf(edit.snippet());
    if (at < 0 || source.indexOf(edit.snippet(), at + 1) >= 0) {
      throw new IllegalArgumentException(
          edit.file() + " does not have the snippet exactly once: " + edit.snippet());
    }
    return source.substring(0, at)
        + edit.replacement()
        + source.substring(at + edit.snippet().length());
  }

  /**
   * Kinds of violations that the changed program's own referee finds until there is one of the kind
   * that is looked for, each with an example.
   */
  Map<String, String> violations(String yaml, ReplayAudit audit, String until) {
    return found("violations", String.class, yaml, audit, until);
  }

  /** The same of a version that takes over from another one. */
  Map<String, String> violations(List<String> files, ReplayAudit audit, String until) {
    return found("violationsAcross", List.class, files, audit, until);
  }

  @SuppressWarnings("unchecked")
  private Map<String, String> found(
      String method, Class<?> type, Object files, ReplayAudit audit, String until) {
    try {
      return (Map<String, String>)
          loader
              .loadClass(Audited.class.getName())
              .getMethod(method, type, int.class, int.class, int.class, long.class, String.class)
              .invoke(
                  null,
                  files,
                  audit.neighbours(),
                  audit.windows(),
                  audit.randomScenes(),
                  audit.seed(),
                  until);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the changed program cannot be run", e);
    }
  }

  private static Map<String, byte[]> compiled(Map<Path, String> sources) {
    StringWriter errors = new StringWriter();
    InMemory memory = new InMemory();
    List<JavaFileObject> units = new ArrayList<>();
    sources.forEach((path, source) -> units.add(unit(path, source)));
    List<String> options =
        List.of("-proc:none", "-nowarn", "-cp", System.getProperty("java.class.path"));
    if (!COMPILER.getTask(errors, memory, null, options, null, units).call()) {
      throw new IllegalArgumentException(sources.keySet() + " as changed: " + errors);
    }
    Map<String, byte[]> classes = new HashMap<>();
    memory.classes.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
    return classes;
  }

  private static JavaFileObject unit(Path path, String source) {
    return new SimpleJavaFileObject(URI.create("string:///" + path), Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return source;
      }
    };
  }

  private static final class InMemory extends ForwardingJavaFileManager<StandardJavaFileManager> {
    private final Map<String, ByteArrayOutputStream> classes = new HashMap<>();

    InMemory() {
      super(FILES);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        JavaFileManager.Location location, String name, Kind kind, FileObject sibling) {
      return new SimpleJavaFileObject(URI.create("bytes:///" + name), kind) {
        @Override
        public OutputStream openOutputStream() {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          classes.put(name, bytes);
          return bytes;
        }
      };
    }
  }

  /**
   * Loads this program's classes anew that are in a changed package or in one that uses it, some of
   * them changed; all else is shared, and so has been compiled already. Whole packages, because
   * classes of one that come from different loaders must not touch each other's private parts.
   */
  private static final class ChildFirst extends ClassLoader {
    private final Map<String, byte[]> changed;
    private final Set<String> anew;

    ChildFirst(Map<String, byte[]> changed) {
      super(Mutant.class.getClassLoader());
      this.changed = changed;
      this.anew =
          USES.thatUse(
              changed.keySet().stream().map(PackageUses::packageOf).collect(Collectors.toSet()));
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("io.sfumato.") || !anew.contains(PackageUses.packageOf(name))) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        if (known == null) {
          byte[] bytes = changed.containsKey(name) ? changed.get(name) : read(name);
          known = defineClass(name, bytes, 0, bytes.length);
        }
        return known;
      }
    }

    private byte[] read(String name) throws ClassNotFoundException {
      try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (in == null) {
          throw new ClassNotFoundException(name);
        }
        return in.readAllBytes();
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
