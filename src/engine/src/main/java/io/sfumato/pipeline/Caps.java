// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongBiFunction;

/**
 * How long the fields of a record may be whose types do not say: texts, and lists. A field within a
 * list has a path, such as {@code rows.category}. {@link RecordBytes} adds them up.
 */
public final class Caps {
  /**
   * A setting of the file that caps answer for.
   *
   * @param name of it
   * @param count its value, or how many values it has; 1 where it is one long text
   * @param otherwise what else lowers them, or nothing
   */
  record Setting(String name, long count, String otherwise) {}

  /**
   * A cap.
   *
   * @param setting that answers for it, if one does
   * @param items of a list
   * @param bytes of all texts at this path, by how many of them there are
   */
  record Cap(Optional<Setting> setting, int items, ToLongBiFunction<EncodedBytes, Long> bytes) {}

  private final List<Setting> settings = new ArrayList<>();
  private final Map<String, Cap> caps = new HashMap<>();
  private Optional<Setting> setting = Optional.empty();

  /** The setting that answers for the caps that follow; until then none does. */
  public Caps setting(String name, long count) {
    return setting(name, count, "");
  }

  /**
   * The setting that answers for the caps that follow.
   *
   * @param count its value, or how many values it has; 1 where it is one long text
   * @param otherwise what else lowers them
   */
  public Caps setting(String name, long count, String otherwise) {
    setting = Optional.of(new Setting(name, count, otherwise));
    settings.add(setting.get());
    return this;
  }

  /** A text that is known, wherever the path leads. */
  public Caps text(String path, String text) {
    return put(path, 1, (bytes, times) -> times * bytes.ofText(text));
  }

  /** Any text of at most {@code any} bytes of UTF-8, with {@code plain} plain characters. */
  public Caps anyText(String path, int any, int plain) {
    return put(path, 1, (bytes, times) -> times * bytes.ofAnyText(any, plain));
  }

  /** A list of known texts; or the texts of a field of a list, each of them as often. */
  public Caps texts(String path, List<String> texts) {
    return put(
        path, texts.size(), (bytes, times) -> rounds(times, texts.size()) * bytes.ofTexts(texts));
  }

  /** How often all texts are there: the last time perhaps only some of them. */
  private static long rounds(long times, int texts) {
    return texts == 0 ? 0 : (times + texts - 1) / texts;
  }

  /** One of some texts that are known. */
  public Caps oneOf(String path, List<String> texts) {
    return put(
        path, 1, (bytes, times) -> times * texts.stream().mapToLong(bytes::ofText).max().orElse(0));
  }

  /** A list of so many items. */
  public Caps items(String path, int items) {
    return put(path, items, (bytes, times) -> 0);
  }

  /** Whatever is in a list, it takes so many bytes. */
  public Caps bytes(String path, long all) {
    return put(path, 0, (bytes, times) -> all);
  }

  private Caps put(String path, int items, ToLongBiFunction<EncodedBytes, Long> bytes) {
    caps.put(path, new Cap(setting, items, bytes));
    return this;
  }

  /** Those of another record too, for which no setting of this one answers. */
  public Caps and(Caps others) {
    settings.addAll(others.settings);
    caps.putAll(others.caps);
    return this;
  }

  List<Setting> settings() {
    return List.copyOf(settings);
  }

  Optional<Cap> at(String path) {
    return Optional.ofNullable(caps.get(path));
  }
}
