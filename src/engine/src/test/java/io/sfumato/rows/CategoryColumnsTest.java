// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** One column is of one field, in a file that is continued too. */
class CategoryColumnsTest {
  @Test
  void shouldTellApartFieldsWhoseNamesAreTaken() {
    CategoryColumns columns =
        CategoryColumns.of(List.of("value", "category_value", "Kind", "kind", "version"));
    assertThat(columns.names())
        .containsExactly(
            "category_value", "category_category_value", "Kind", "kind_2", "category_version");
    assertThat(CategoryColumns.field("category_value")).isEqualTo("value");
    assertThat(CategoryColumns.field("category_category_value")).isEqualTo("category_value");
    assertThat(CategoryColumns.field("category_of_goods")).isEqualTo("category_of_goods");
    assertThat(CategoryColumns.field("kind_2")).isEqualTo("kind_2");
  }

  @Test
  void shouldGiveTheColumnsOfAFileToTheirFieldsInAnyOrder() {
    CategoryColumns columns =
        CategoryColumns.named(List.of("category_value", "category_category_value", "kind"));
    assertThat(columns.add("kind")).isEqualTo("kind");
    assertThat(columns.add("category_value")).isEqualTo("category_category_value");
    assertThat(columns.add("value")).isEqualTo("category_value");
    assertThat(columns.add("Kind")).isEqualTo("Kind_2");
    assertThat(columns.names()).hasSize(4);
  }

  @Test
  void shouldRefuseAFileWhoseColumnMayBeOfTwoFields() {
    assertThatThrownBy(() -> CategoryColumns.named(List.of("Kind", "kind_2")))
        .isInstanceOf(CategoryColumns.AmbiguousException.class)
        .hasMessageContaining("a category field 'kind_2', or of 'kind' beside 'Kind'")
        .hasMessageContaining("rename a field");
    assertThatThrownBy(() -> CategoryColumns.named(List.of("category_value", "category_Value_2")))
        .isInstanceOf(CategoryColumns.AmbiguousException.class);
    assertThatCode(() -> CategoryColumns.named(List.of("kind", "kind_2", "x_2")))
        .as("of the fields 'kind' and 'kind_2', and of no others")
        .doesNotThrowAnyException();
  }
}
