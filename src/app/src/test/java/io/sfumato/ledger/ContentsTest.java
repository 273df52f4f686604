// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the entries of a registry say to the holders of different keys. */
class ContentsTest {
  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static SignedLog.Entry entry(String name, ObjectNode value, boolean isMine) {
    return new SignedLog.Entry(name, value, 0, isMine);
  }

  private static SignedLog.Entry continued(String by, boolean isMine) {
    return entry("continued", object().put("by", by), isMine);
  }

  private static SignedLog.Entry started(int version, boolean isMine) {
    ObjectNode value =
        object().put("budget", "b").put("version", version).put("file", "f").put("key", "k");
    return entry("started", value, isMine);
  }

  private static SignedLog.Entry adopted(boolean isMine) {
    return entry("adopted", object().put("key", "tag"), isMine);
  }

  private static SignedLog.Entry sealed(boolean isMine) {
    return entry("sealed", object().put("at", "noon"), isMine);
  }

  /** Each of two who import into budgets with keys of their own asks with his own. */
  @Test
  void theFirstContinuationHoldsWhoeverAsks() {
    for (boolean mineIsFirst : new boolean[] {true, false}) {
      RegistryContents contents =
          RegistryContents.of(
              List.of(continued("first", mineIsFirst), continued("second", !mineIsFirst)));
      assertThat(contents.unverified().continued()).contains("first");
    }
  }

  /** A key that began, and that another replaced, must not find that it still holds. */
  @Test
  void theLastStartHoldsWhoeverAsks() {
    for (boolean mineIsFirst : new boolean[] {true, false}) {
      RegistryContents contents =
          RegistryContents.of(List.of(started(1, mineIsFirst), started(2, !mineIsFirst)));
      assertThat(contents.unverified().started().map(Started::version)).contains(2);
    }
  }

  @Test
  void aFormerKeyHearsThatItsFollowerSealed() {
    assertThat(
            RegistryContents.of(List.of(adopted(true), adopted(false), sealed(false)))
                .heard()
                .ended())
        .contains("was sealed at noon");
    assertThat(RegistryContents.of(List.of(adopted(true), sealed(false))).heard().ended())
        .as("of nobody else")
        .isEmpty();
  }

  @Test
  void whatGoesOnElsewhereHasEnded() {
    assertThat(RegistryContents.of(List.of(adopted(true), continued("heir", true))).heard().ended())
        .contains("continues as budget 'heir'");
  }
}
