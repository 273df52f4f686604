// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which keys took over after one's own, by the order of the registry's log. */
class FollowersTest {
  private static final SignedLog.Entry MINE = adopted("mine", true);
  private static final SignedLog.Entry NEXT = adopted("next", false);

  private static SignedLog.Entry adopted(String key, boolean isMine) {
    return new SignedLog.Entry(
        "adopted", JsonNodeFactory.instance.objectNode().put("key", key), 0, isMine);
  }

  private static SignedLog.Entry other(String name) {
    return new SignedLog.Entry(name, JsonNodeFactory.instance.objectNode(), 0, false);
  }

  @Test
  void shouldNameWhoAdoptedLater() {
    assertThat(RegistryContents.followers(List.of(MINE, other("started"), NEXT)))
        .containsExactly("next");
  }

  @Test
  void shouldNotNameWhoCameBefore() {
    assertThat(RegistryContents.followers(List.of(NEXT, MINE, other("started"), other("sealed"))))
        .isEmpty();
  }

  @Test
  void shouldNameNobodyOnceTheKeyIsTakenBack() {
    assertThat(RegistryContents.followers(List.of(MINE, NEXT, MINE))).isEmpty();
  }

  @Test
  void shouldNotSpeakForAKeyThatNeverTookOver() {
    assertThat(RegistryContents.followers(List.of(NEXT, other("sealed")))).isEmpty();
  }
}
