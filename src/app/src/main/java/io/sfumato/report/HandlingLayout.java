// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.doctor.TopicPart;
import io.sfumato.report.Page.Block;
import io.sfumato.report.Page.Block.Grid;
import io.sfumato.report.Page.Block.Prose;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Lays out who can reach what: people, keys, rights, topics, and what becomes of data. */
final class HandlingLayout {
  private final Sheet sheet;

  HandlingLayout(Sheet sheet) {
    this.sheet = sheet;
  }

  List<Block> people() {
    return List.of(
        new Grid(
            List.of("who", "holds", "can learn at worst", "limited by the guarantee"),
            sheet.holders().stream()
                .map(
                    holder ->
                        Layout.row(
                            holder.who(),
                            Inline.of(holder.holds()),
                            Inline.of(holder.learns()),
                            holder.bound() ? Inline.of("yes") : Inline.strong("no: trusted")))
                .toList()));
  }

  List<Block> keys() {
    return List.of(
        new Grid(
            List.of("key", "where", "a holder of it can", "rotation"),
            sheet.keys().stream()
                .map(
                    key ->
                        Layout.row(
                            key.name(),
                            Inline.of(key.where()),
                            Inline.of(key.harm()),
                            Inline.of(key.rotation())))
                .toList()));
  }

  List<Block> access() {
    List<String> resources =
        sheet.access().stream().map(ResourceRights::resource).distinct().toList();
    List<String> roles = ResourceRights.roles(sheet.access());
    List<String> columns = Stream.concat(Stream.of("resource"), roles.stream()).toList();
    Grouped grouped = new Grouped();
    for (String resource : resources) {
      grouped.add(
          Inline.code(resource),
          roles.stream().map(role -> Inline.of(operations(role, resource))).toList(),
          roles.stream().map(role -> operations(role, resource)).toList());
    }
    return List.of(
        new Prose(
            Inline.of(
                "The least Kafka rights of each role; operators also need the application's. "
                    + "'How to check each figure' has the commands that grant them, and the one "
                    + "that compares them with a cluster.")),
        new Grid(columns, grouped.rows()));
  }

  private String operations(String role, String resource) {
    Optional<ResourceRights> found =
        sheet.access().stream()
            .filter(access -> access.role().equals(role) && access.resource().equals(resource))
            .findFirst();
    return found
        .map(
            access ->
                String.join(
                    ", ",
                    access.operations().stream()
                        .map(word -> word.toLowerCase(Locale.ROOT).replace('_', ' '))
                        .toList()))
        .orElse("");
  }

  List<Block> data() {
    Grouped grouped = new Grouped();
    for (TopicPart topic : sheet.topics()) {
      grouped.add(
          Inline.code(topic.name()),
          List.of(
              Inline.of(topic.holds()),
              topic.raw() ? Inline.strong("yes") : Inline.of("no"),
              Inline.of(topic.kept())),
          List.of(topic.holds(), topic.kept()));
    }
    return List.of(
        new Grid(List.of("topic", "holds", "protected data without noise", "kept"), grouped.rows()),
        new Grid(
            List.of("data about people", "retention and erasure"),
            sheet.forgetting().stream()
                .map(entry -> Layout.row(entry.what(), Inline.of(entry.how())))
                .toList()));
  }
}
