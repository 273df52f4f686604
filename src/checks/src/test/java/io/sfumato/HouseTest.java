// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import io.sfumato.testkit.Places;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.lang.model.element.Modifier;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What others may call says what it gives, and inner loops compile. */
class HouseTest {
  /** Nothing else compiles them, until somebody measures. */
  @Test
  void innerLoopsCompile(@TempDir Path classes) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled =
          compiler
              .getTask(
                  null,
                  manager,
                  problems,
                  List.of("-proc:none", "-d", classes.toString()),
                  null,
                  manager.getJavaFileObjectsFromPaths(
                      Places.java(List.of(Path.of("src/lab/src/bench/java")))))
              .call();
      assertThat(compiled).as(problems.getDiagnostics().toString()).isTrue();
    }
  }

  /** Whoever reads a name in one package has not to ask which of two is meant. */
  @Test
  void noSimpleNameMeansTwoThings() throws IOException {
    Map<String, List<Path>> named =
        Places.java(Places.main()).stream()
            .filter(file -> !file.endsWith("package-info.java"))
            .collect(Collectors.groupingBy(file -> file.getFileName().toString()));
    assertThat(named).hasSizeGreaterThan(500);
    named.values().removeIf(files -> files.size() == 1);
    assertThat(named).as("give all but one another name").isEmpty();
  }

  @Test
  void whatIsPublicSaysWhatItGives() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  manager,
                  null,
                  List.of("-proc:none"),
                  null,
                  manager.getJavaFileObjectsFromPaths(Places.java(Places.main())));
      Undocumented undocumented = new Undocumented(DocTrees.instance(task));
      for (CompilationUnitTree unit : task.parse()) {
        undocumented.scan(unit, true);
      }
      assertThat(undocumented.seen).as("public methods and types").isGreaterThan(1000);
      assertThat(undocumented.found).as("document them, or make them not public").isEmpty();
    }
  }

  /** Scans with the word whether all types around are public. */
  private static final class Undocumented extends TreePathScanner<Void, Boolean> {
    private final DocTrees docs;
    private final List<String> found = new ArrayList<>();
    private int seen;

    Undocumented(DocTrees docs) {
      this.docs = docs;
    }

    @Override
    public Void visitClass(ClassTree type, Boolean outside) {
      boolean open = outside && isPublic(type.getModifiers().getFlags());
      if (open && !type.getSimpleName().isEmpty()) {
        look(type.getSimpleName().toString());
      }
      return super.visitClass(type, open);
    }

    @Override
    public Void visitMethod(MethodTree method, Boolean open) {
      boolean isConstructor = method.getReturnType() == null;
      boolean overrides =
          method.getModifiers().getAnnotations().stream()
              .anyMatch(a -> a.getAnnotationType().toString().equals("Override"));
      if (open
          && !isConstructor
          && !overrides
          && isPublic(method.getModifiers().getFlags())
          && !method.getName().contentEquals("main")) {
        look(method.getName().toString());
      }
      return null;
    }

    /** Members of interfaces are public unless they say that they are private. */
    private boolean isPublic(Set<Modifier> flags) {
      Tree around = getCurrentPath().getParentPath().getLeaf();
      boolean member = around.getKind() == Tree.Kind.INTERFACE;
      return flags.contains(Modifier.PUBLIC) || member && !flags.contains(Modifier.PRIVATE);
    }

    private void look(String name) {
      seen++;
      if (docs.getDocComment(getCurrentPath()) == null) {
        String file = getCurrentPath().getCompilationUnit().getSourceFile().getName();
        found.add(file + ": " + name);
      }
    }
  }
}
