// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/** The build runs every test class of a module, in one of its tiers; a subclass in each module. */
public abstract class ModuleTiers {
  /** Tags of tests that only the full tier runs, as CONTRIBUTING.md explains them. */
  protected static final List<String> FULL_ONLY = List.of("deep", "cluster", "release", "browser");

  private static final Path CLASSES =
      Path.of(System.getProperty("sfumato.module", "."), "target", "test-classes");

  /** Concrete classes with tests, inherited ones included. */
  private static List<Class<?>> testClasses() throws Exception {
    List<Class<?>> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(CLASSES)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".class")).toList()) {
        String name = CLASSES.relativize(file).toString().replaceFirst("\\.class$", "");
        Class<?> type =
            Class.forName(name.replace('/', '.'), false, ModuleTiers.class.getClassLoader());
        if (!Modifier.isAbstract(type.getModifiers()) && !tests(type).isEmpty()) {
          found.add(type);
        }
      }
    }
    return found;
  }

  private static List<AnnotatedElement> tests(Class<?> type) {
    return Stream.<AnnotatedElement>concat(
            ReflectionSupport.findMethods(type, any -> true, HierarchyTraversalMode.TOP_DOWN)
                .stream(),
            ReflectionSupport.findFields(type, any -> true, HierarchyTraversalMode.TOP_DOWN)
                .stream())
        .filter(element -> AnnotationSupport.isAnnotated(element, Testable.class))
        .toList();
  }

  private static List<String> tags(AnnotatedElement element) {
    return AnnotationSupport.findRepeatableAnnotations(element, Tag.class).stream()
        .map(Tag::value)
        .toList();
  }

  /** Surefire runs classes named *Test, and Failsafe those named *IT. */
  @Test
  void shouldNameEveryTestClassSoThatABuildRunsIt() throws Exception {
    List<String> names =
        testClasses().stream().map(type -> type.getName().replaceFirst("\\$.*", "")).toList();
    assertThat(names).contains(getClass().getName());
    assertThat(names.stream().filter(name -> !name.matches(".*(Test|IT)")))
        .as("no build runs these classes: their names must end in Test or IT")
        .isEmpty();
  }

  @Test
  void shouldKnowEveryTag() throws Exception {
    for (Class<?> type : testClasses()) {
      List<String> onClass = new ArrayList<>(tags(type));
      onClass.remove(Numerical.TAG); // says how a deep class runs, not when
      assertThat(onClass).as("tags of " + type.getName()).hasSizeLessThan(2);
      Set<String> unknown = new TreeSet<>(onClass);
      tests(type).forEach(test -> unknown.addAll(tags(test)));
      unknown.removeAll(FULL_ONLY);
      assertThat(unknown)
          .as("CONTRIBUTING.md lists the tags; unknown in " + type.getName())
          .isEmpty();
    }
  }
}
