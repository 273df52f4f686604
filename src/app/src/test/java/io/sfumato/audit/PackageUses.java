// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which of this program's packages use which, of all classes that one class reaches. Read from all
 * names in constant pools: rather too many than too few.
 */
final class PackageUses {
  private static final Pattern NAME = Pattern.compile("io[/.]sfumato[/.][\\w$/.]+");
  private static final int MAGIC = 0xcafebabe;

  /** By the package that uses them. */
  private final Map<String, Set<String>> uses = new TreeMap<>();

  private PackageUses() {}

  static PackageUses from(Class<?> first) {
    PackageUses packages = new PackageUses();
    Map<String, Set<String>> known = new HashMap<>();
    Deque<String> left = new ArrayDeque<>(Set.of(first.getName()));
    while (!left.isEmpty()) {
      String name = left.remove();
      for (String used : names(known, name)) {
        boolean isNew = !known.containsKey(used);
        if (!names(known, used).isEmpty()) {
          packages.add(packageOf(name), packageOf(used));
          if (isNew) {
            left.add(used);
          }
        }
      }
    }
    return packages;
  }

  private void add(String user, String used) {
    uses.computeIfAbsent(user, none -> new TreeSet<>()).add(used);
  }

  static String packageOf(String name) {
    return name.substring(0, name.lastIndexOf('.'));
  }

  /** These packages, and all that use one of them, however far away. */
  Set<String> thatUse(Set<String> changed) {
    Set<String> affected = new TreeSet<>(changed);
    boolean more = true;
    while (more) {
      more = false;
      for (Map.Entry<String, Set<String>> entry : uses.entrySet()) {
        boolean isAffected = entry.getValue().stream().anyMatch(affected::contains);
        more |= isAffected && affected.add(entry.getKey());
      }
    }
    return affected;
  }

  /** Names in a class, its own among them; none if there is no such class. */
  private static Set<String> names(Map<String, Set<String>> known, String name) {
    return known.computeIfAbsent(name, PackageUses::read);
  }

  private static Set<String> read(String name) {
    String file = "/" + name.replace('.', '/') + ".class";
    try (InputStream in = PackageUses.class.getResourceAsStream(file)) {
      return in == null ? Set.of() : names(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Section 4.4 of the JVM's specification. */
  private static Set<String> names(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    if (in.readInt() != MAGIC) {
      throw new IOException("no class");
    }
    in.readInt(); // its version
    Set<String> names = new HashSet<>();
    int entries = in.readUnsignedShort();
    for (int i = 1; i < entries; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> {
          Matcher matcher = NAME.matcher(in.readUTF());
          while (matcher.find()) {
            names.add(matcher.group().replace('/', '.'));
          }
        }
        case 7, 8, 16, 19, 20 -> in.skipBytes(2);
        case 15 -> in.skipBytes(3);
        case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipBytes(4);
        case 5, 6 -> {
          in.skipBytes(8);
          i++; // takes two places
        }
        default -> throw new IOException("a constant of tag " + tag);
      }
    }
    return names;
  }
}
