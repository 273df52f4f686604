// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;

/** What came of a modeller's question, for people, for programs and as a picture. */
public interface QueryReport {
  /** Mean, spread and histogram of every parameter. */
  void print(PrintWriter out);

  /** The same for programs. */
  String json();

  /** Histograms of every parameter, the posterior's and the prior's. */
  void plot(Path png) throws IOException;
}
