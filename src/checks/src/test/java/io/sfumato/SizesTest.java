// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import io.sfumato.testkit.Places;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Functions fit on a screen, and constructors are not given half of the program. */
class SizesTest {
  private static final int MOST_LINES = 60;
  private static final int MOST_PARAMETERS = 7;

  /** Written out, so that a block stays in registers. */
  private static final Set<String> LONG = Set.of("ChaCha20.fill");

  private static final Map<String, Long> LINES = new TreeMap<>();
  private static final Map<String, Long> PARAMETERS = new TreeMap<>();

  @BeforeAll
  static void readMain() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  files,
                  null,
                  null,
                  null,
                  files.getJavaFileObjectsFromPaths(Places.java(Places.main())));
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        new Sizes(unit, positions).scan(unit, null);
      }
    }
  }

  /** Notes what a file declares. */
  private static final class Sizes extends TreeScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final String type;
    private boolean isRecord;

    Sizes(CompilationUnitTree unit, SourcePositions positions) {
      this.unit = unit;
      this.positions = positions;
      this.type =
          Path.of(unit.getSourceFile().toUri()).getFileName().toString().replace(".java", "");
    }

    @Override
    public Void visitClass(ClassTree declared, Void unused) {
      boolean outer = isRecord;
      isRecord = declared.getKind() == Tree.Kind.RECORD;
      super.visitClass(declared, unused);
      isRecord = outer;
      return null;
    }

    @Override
    public Void visitMethod(MethodTree method, Void unused) {
      if (method.getBody() != null && positions.getEndPosition(unit, method) > 0) {
        long first = line(positions.getStartPosition(unit, method));
        long last = line(positions.getEndPosition(unit, method));
        LINES.merge(type + "." + method.getName(), last - first + 1, Math::max);
      }
      if (method.getName().contentEquals("<init>") && !isRecord) {
        PARAMETERS.merge(type, (long) method.getParameters().size(), Math::max);
      }
      return super.visitMethod(method, unused);
    }

    private long line(long position) {
      return unit.getLineMap().getLineNumber(position);
    }
  }

  private static Set<String> above(Map<String, Long> sizes, int most) {
    Set<String> found = new TreeSet<>();
    sizes.forEach(
        (name, size) -> {
          if (size > most) {
            found.add(name);
          }
        });
    return found;
  }

  @Test
  void shouldHaveNoFunctionThatNeedsScrolling() {
    assertThat(LINES).hasSizeGreaterThan(5_000);
    assertThat(above(LINES, MOST_LINES)).isEqualTo(LONG);
  }

  /** Records list their fields instead. */
  @Test
  void shouldGiveNoConstructorMoreThanItCanName() {
    assertThat(PARAMETERS).hasSizeGreaterThan(500);
    assertThat(above(PARAMETERS, MOST_PARAMETERS)).isEmpty();
  }
}
