// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.ThrowsTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ThrowTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.TreeScanner;
import io.sfumato.testkit.Places;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Public types and methods of the packages that docs/library.md lists have Javadoc, which says when
 * they refuse an argument. Javadoc that is broken ends the compilation of core and estimate.
 */
class JavadocTest {
  private static final String REFUSED = IllegalArgumentException.class.getSimpleName();

  private static final List<Path> PACKAGES =
      Stream.of(
              "core/src/main/java/io/sfumato/gate",
              "core/src/main/java/io/sfumato/random",
              "core/src/main/java/io/sfumato/accounting",
              "core/src/main/java/io/sfumato/mechanism",
              "estimate/src/main/java/io/sfumato/estimate")
          .map(Path.of("src")::resolve)
          .toList();

  private static final Set<String> SEEN = new TreeSet<>();
  private static final Set<String> SILENT = new TreeSet<>();
  private static final Set<String> REFUSING = new TreeSet<>();
  private static final Set<String> REFUSING_SILENTLY = new TreeSet<>();

  @BeforeAll
  static void readLibraries() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      var sources = files.getJavaFileObjectsFromPaths(Places.java(PACKAGES));
      JavacTask task = (JavacTask) compiler.getTask(null, files, null, null, null, sources);
      DocTrees trees = DocTrees.instance(task);
      for (CompilationUnitTree unit : task.parse()) {
        new Comments(trees, unit).scan(unit, null);
      }
    }
  }

  /** Reads what a file declares for everybody. */
  private static final class Comments extends TreePathScanner<Void, Void> {
    private final DocTrees trees;
    private final CompilationUnitTree unit;
    private String outer = "";
    private Tree.Kind kind = Tree.Kind.CLASS;

    Comments(DocTrees trees, CompilationUnitTree unit) {
      this.trees = trees;
      this.unit = unit;
    }

    @Override
    public Void visitClass(ClassTree type, Void unused) {
      if (!isPublic(type.getModifiers())) {
        return null;
      }
      String outerName = outer;
      Tree.Kind outerKind = kind;
      outer = outer.isEmpty() ? type.getSimpleName() + "" : outer + "." + type.getSimpleName();
      kind = type.getKind();
      note(outer, trees.getDocCommentTree(getCurrentPath()) != null);
      super.visitClass(type, unused);
      outer = outerName;
      kind = outerKind;
      return null;
    }

    @Override
    public Void visitMethod(MethodTree method, Void unused) {
      if (!isPublic(method.getModifiers()) || isAdded(method)) {
        return null;
      }
      DocCommentTree comment = trees.getDocCommentTree(getCurrentPath());
      boolean isInherited =
          comment == null
              && method.getModifiers().getAnnotations().stream()
                  .anyMatch(each -> each.getAnnotationType().toString().equals("Override"));
      if (isInherited) {
        return null;
      }
      boolean isOfRecord =
          kind == Tree.Kind.RECORD && method.getName().contentEquals("<init>"); // as its type says
      String name = outer + "." + method.getName() + " in " + line(method);
      note(name, comment != null || isOfRecord);
      if (refuses(method)) {
        REFUSING.add(name);
        if (comment == null || !saysSo(comment)) {
          REFUSING_SILENTLY.add(name);
        }
      }
      return null;
    }

    private static void note(String name, boolean hasComment) {
      SEEN.add(name);
      if (!hasComment) {
        SILENT.add(name);
      }
    }

    /** What an interface declares is public unless it says otherwise. */
    private boolean isPublic(ModifiersTree modifiers) {
      Set<Modifier> flags = modifiers.getFlags();
      return flags.contains(Modifier.PUBLIC)
          || kind == Tree.Kind.INTERFACE && !flags.contains(Modifier.PRIVATE);
    }

    /** Constructors that the compiler adds have no end. */
    private boolean isAdded(MethodTree method) {
      return trees.getSourcePositions().getEndPosition(unit, method) < 0;
    }

    private String line(MethodTree method) {
      long start = trees.getSourcePositions().getStartPosition(unit, method);
      Path file = Path.of(unit.getSourceFile().toUri()).getFileName();
      return file + ":" + unit.getLineMap().getLineNumber(start);
    }

    private static boolean saysSo(DocCommentTree comment) {
      return comment.getBlockTags().stream()
          .anyMatch(
              tag ->
                  tag instanceof ThrowsTree thrown
                      && thrown.getExceptionName().getSignature().equals(REFUSED));
    }

    /** Whether it throws by itself: not by a method that it calls. */
    private static boolean refuses(MethodTree method) {
      boolean[] found = new boolean[1];
      new TreeScanner<Void, Void>() {
        @Override
        public Void visitThrow(ThrowTree thrown, Void unused) {
          found[0] |=
              thrown.getExpression() instanceof NewClassTree made
                  && made.getIdentifier().toString().equals(REFUSED);
          return null;
        }

        @Override
        public Void visitLambdaExpression(LambdaExpressionTree lambda, Void unused) {
          return null;
        }

        @Override
        public Void visitClass(ClassTree type, Void unused) {
          return null;
        }
      }.scan(method.getBody(), null);
      return found[0];
    }
  }

  @Test
  void shouldHaveJavadocWhenATypeOrMethodIsPublic() {
    assertThat(SEEN).hasSizeGreaterThan(1_000);
    assertThat(SILENT).isEmpty();
  }

  @Test
  void shouldSayWhenAMethodRefusesAnArgument() {
    assertThat(REFUSING).hasSizeGreaterThan(100);
    assertThat(REFUSING_SILENTLY).isEmpty();
  }
}
