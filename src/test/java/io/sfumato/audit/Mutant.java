package io.sfumato.audit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
 * This program with one of its source files changed: compiled in memory, and loaded beside the
 * program itself. What the referee finds of it shows what the referee would find if the file were
 * so.
 */
final class Mutant {
  private static final Path SOURCES = Path.of("src/main/java");

  private final ClassLoader loader;

  private Mutant(ClassLoader loader) {
    this.loader = loader;
  }

  /**
   * Changes one snippet of one file.
   *
   * @param file under {@code src/main/java/io/sfumato}
   * @param snippet that stands in the file exactly once
   * @throws IllegalArgumentException if it does not, or if what comes out is no Java: the mutation
   *     must follow the file
   */
  static Mutant of(String file, String snippet, String replacement) {
    Path path = SOURCES.resolve("io/sfumato").resolve(file);
    try {
      String source = Files.readString(path);
      int at = source.indexOf(snippet);
      if (at < 0 || source.indexOf(snippet, at + 1) >= 0) {
        throw new IllegalArgumentException(
            file + " does not have the snippet exactly once: " + snippet);
      }
      String changed =
          source.substring(0, at) + replacement + source.substring(at + snippet.length());
      return new Mutant(new ChildFirst(compiled(path, changed)));
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read " + path, e);
    }
  }

  /** Kinds of violations that the changed program's own referee finds, each with an example. */
  @SuppressWarnings("unchecked")
  Map<String, String> violations(String yaml, ReplayAudit audit) {
    try {
      return (Map<String, String>)
          loader
              .loadClass(Audited.class.getName())
              .getMethod("violations", String.class, int.class, int.class, int.class, long.class)
              .invoke(
                  null,
                  yaml,
                  audit.neighbours(),
                  audit.windows(),
                  audit.randomScenes(),
                  audit.seed());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the changed program cannot be run", e);
    }
  }

  private static Map<String, byte[]> compiled(Path path, String source) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter errors = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        InMemory memory = new InMemory(files)) {
      JavaFileObject unit =
          new SimpleJavaFileObject(URI.create("string:///" + path), Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
              return source;
            }
          };
      List<String> options =
          List.of("-proc:none", "-nowarn", "-cp", System.getProperty("java.class.path"));
      if (!compiler.getTask(errors, memory, null, options, null, List.of(unit)).call()) {
        throw new IllegalArgumentException(path + " as changed: " + errors);
      }
      Map<String, byte[]> classes = new HashMap<>();
      memory.classes.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
      return classes;
    }
  }

  private static final class InMemory extends ForwardingJavaFileManager<StandardJavaFileManager> {
    private final Map<String, ByteArrayOutputStream> classes = new HashMap<>();

    InMemory(StandardJavaFileManager files) {
      super(files);
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

  /** Loads this program's classes anew, some of them changed; all else is shared. */
  private static final class ChildFirst extends ClassLoader {
    private final Map<String, byte[]> changed;

    ChildFirst(Map<String, byte[]> changed) {
      super(Mutant.class.getClassLoader());
      this.changed = changed;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      // Avro finds the classes of its schemas by its own loader.
      boolean ours = name.startsWith("io.sfumato.") && !name.startsWith("io.sfumato.schema.");
      if (!ours) {
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
