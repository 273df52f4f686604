// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is exact and what is released are types that the compiler keeps apart. */
class SidesTest {
  private static final String IMPORTS =
      """
      import io.sfumato.gate.*;
      import io.sfumato.mechanism.*;
      import io.sfumato.mechanism.additive.*;
      import io.sfumato.mechanism.continual.*;
      """;

  /** Errors of the compiler, in its own words. */
  private static List<String> errors(String code) {
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    JavaFileObject source =
        new SimpleJavaFileObject(URI.create("string:///Sides.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return IMPORTS + code;
          }
        };
    ToolProvider.getSystemJavaCompiler()
        .getTask(
            null,
            null,
            found,
            List.of(
                "-proc:none",
                "-implicit:none",
                "-d",
                System.getProperty("java.io.tmpdir"),
                "-cp",
                System.getProperty("java.class.path")),
            null,
            List.of(source))
        .call();
    return found.getDiagnostics().stream()
        .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
        .map(diagnostic -> diagnostic.getMessage(Locale.ROOT))
        .toList();
  }

  @Test
  void shouldCompileWhatIsHonest() {
    assertThat(errors("interface Sides { Mechanism<Rows, NoisyRunningRows> rows(); }")).isEmpty();
    assertThat(errors("interface Sides { Mechanism<ExactVector, NoisyVector> vectors(); }"))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "interface Sides { Mechanism<Rows, Rows> rows(); }",
        "interface Sides { Mechanism<ExactVector, ExactVector> vectors(); }",
        "interface Sides { Mechanism<NoisyVector, NoisyVector> vectors(); }",
        "interface Sides { OutputDistribution<Histogram> histograms(); }",
        "interface Sides { OutputDistribution<io.sfumato.mechanism.mollifier.Point> items(); }",
        "interface Sides { Measured<ExactVector, ExactVector> vectors(); }",
        "interface Sides { Measured<NoisyVector, NoisyVector> vectors(); }"
      })
  void shouldNotCompileAMechanismThatPublishesWhatItReads(String code) {
    assertThat(errors(code)).isNotEmpty().allMatch(error -> error.contains("not within bounds"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "record Sides(long value) implements ExactData, ReleasedData {}",
        "interface Sides extends ExactData, ReleasedData {}",
        "abstract class Sides implements ReleasedData, ExactData {}",
        "class Sides implements ExactData, ReleasedData { public void side() {} }",
        "class Sides implements ExactData, ReleasedData { public int side() { return 0; } }",
        "class Sides implements ExactData, ReleasedData { public Object side() { return 0; } }"
      })
  void shouldNotCompileATypeThatIsBoth(String code) {
    assertThat(errors(code)).isNotEmpty().allMatch(error -> error.contains("side()"));
  }

  /** Encoding, draw and loss of a measurement are those of core, whatever the query. */
  @Test
  void shouldNotCompileAnotherMeasurement() {
    assertThat(errors("abstract class Sides implements VectorMeasurement<VectorQuery> {}"))
        .isNotEmpty()
        .allMatch(error -> error.contains("sealed"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "new NoiseKey(null, null, null, null)",
        "((NoiseKey) null).forRelease(null, null)",
        "Permit.charged(null, null)",
        "((Measured<?, ?>) null).distribution()",
        "((Measured<?, ?>) null).seen(null)"
      })
  void shouldNotCompileAWayAroundTheGate(String code) {
    assertThat(errors("class Sides { Object around = %s; }".formatted(code)))
        .isNotEmpty()
        .allMatch(error -> error.contains("not public"));
  }
}
