// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Passes the broker of this JVM to tests that have a parameter of type {@link TestCluster}. The
 * broker starts when the first test asks for it and stops after the JVM's last test, so each class
 * chooses names for topics, pipelines and budgets that no other class uses. A test that kills,
 * stops or reconfigures a broker starts its own.
 */
public final class SharedBroker implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(SharedBroker.class);

  /** A started broker and the folder of its log. */
  private record Running(Path folder, TestCluster cluster) implements AutoCloseable {
    static Running start() {
      try {
        Path folder = Files.createTempDirectory("sfumato-shared-broker-");
        return new Running(folder, TestCluster.shared(folder));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      cluster.close();
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestCluster.class;
  }

  @Override
  public TestCluster resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getStore(StoreScope.LAUNCHER_SESSION, NAMESPACE)
        .getOrComputeIfAbsent(Running.class, key -> Running.start(), Running.class)
        .cluster();
  }
}
