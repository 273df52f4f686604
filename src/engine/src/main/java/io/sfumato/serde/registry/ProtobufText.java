// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde.registry;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.squareup.wire.schema.Field;
import com.squareup.wire.schema.Location;
import com.squareup.wire.schema.internal.parser.EnumConstantElement;
import com.squareup.wire.schema.internal.parser.EnumElement;
import com.squareup.wire.schema.internal.parser.FieldElement;
import com.squareup.wire.schema.internal.parser.GroupElement;
import com.squareup.wire.schema.internal.parser.MessageElement;
import com.squareup.wire.schema.internal.parser.OneOfElement;
import com.squareup.wire.schema.internal.parser.ProtoFileElement;
import com.squareup.wire.schema.internal.parser.ProtoParser;
import com.squareup.wire.schema.internal.parser.TypeElement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a {@code .proto} file as Protobuf's own description of it. What decides nothing about
 * how messages are read is left out: services, extensions, reserved numbers, most options.
 */
final class ProtobufText {
  private static final Map<String, Type> SCALARS =
      Map.ofEntries(
          Map.entry("double", Type.TYPE_DOUBLE),
          Map.entry("float", Type.TYPE_FLOAT),
          Map.entry("int32", Type.TYPE_INT32),
          Map.entry("int64", Type.TYPE_INT64),
          Map.entry("uint32", Type.TYPE_UINT32),
          Map.entry("uint64", Type.TYPE_UINT64),
          Map.entry("sint32", Type.TYPE_SINT32),
          Map.entry("sint64", Type.TYPE_SINT64),
          Map.entry("fixed32", Type.TYPE_FIXED32),
          Map.entry("fixed64", Type.TYPE_FIXED64),
          Map.entry("sfixed32", Type.TYPE_SFIXED32),
          Map.entry("sfixed64", Type.TYPE_SFIXED64),
          Map.entry("bool", Type.TYPE_BOOL),
          Map.entry("string", Type.TYPE_STRING),
          Map.entry("bytes", Type.TYPE_BYTES));

  private static final Set<String> NO_KEYS = Set.of("double", "float", "bytes");
  private static final Pattern MAP = Pattern.compile("map\\s*<\\s*(\\w+)\\s*,\\s*([\\w.]+)\\s*>");
  private static final Pattern ASCII = Pattern.compile("[\\x00-\\x7F]*");
  private static final String PROTO3 = "proto3";

  private final boolean proto3;

  private ProtobufText(boolean proto3) {
    this.proto3 = proto3;
  }

  /**
   * Parses a file.
   *
   * @param name that others import it by
   * @param text without comments, such as of {@link ProtobufSource}
   * @throws RuntimeException of any kind, if the text is no such file
   */
  static FileDescriptorProto parse(String name, String text) {
    ProtoFileElement file = ProtoParser.Companion.parse(Location.get(name), text);
    boolean proto3 = PROTO3.equals(String.valueOf(file.getSyntax()));
    FileDescriptorProto.Builder parsed =
        FileDescriptorProto.newBuilder().setName(name).setSyntax(proto3 ? PROTO3 : "proto2");
    String scope = "";
    if (file.getPackageName() != null) {
      parsed.setPackage(file.getPackageName());
      scope = "." + file.getPackageName();
    }
    parsed.addAllDependency(file.getImports());
    for (String imported : file.getPublicImports()) {
      parsed.addPublicDependency(parsed.getDependencyCount());
      parsed.addDependency(imported);
    }
    ProtobufText types = new ProtobufText(proto3);
    for (TypeElement type : file.getTypes()) {
      if (type instanceof MessageElement message) {
        parsed.addMessageType(types.message(message, scope));
      } else if (type instanceof EnumElement symbols) {
        parsed.addEnumType(enumeration(symbols));
      }
    }
    return parsed.build();
  }

  private DescriptorProto message(MessageElement message, String outside) {
    String scope = outside + "." + message.getName();
    DescriptorProto.Builder parsed = DescriptorProto.newBuilder().setName(message.getName());
    // These come first: indexes of messages count them, and not those of maps and groups.
    for (TypeElement type : message.getNestedTypes()) {
      if (type instanceof MessageElement inner) {
        parsed.addNestedType(message(inner, scope));
      } else if (type instanceof EnumElement symbols) {
        parsed.addEnumType(enumeration(symbols));
      }
    }
    message.getFields().forEach(field -> parsed.addField(field(field, scope, parsed)));
    message.getGroups().forEach(group -> parsed.addField(group(group, scope, parsed)));
    for (OneOfElement oneof : message.getOneOfs()) {
      int index = parsed.getOneofDeclCount();
      parsed.addOneofDecl(OneofDescriptorProto.newBuilder().setName(oneof.getName()));
      for (FieldElement field : oneof.getFields()) {
        parsed.addField(field(field, scope, parsed).setOneofIndex(index));
      }
      for (GroupElement group : oneof.getGroups()) {
        parsed.addField(group(group, scope, parsed).setOneofIndex(index));
      }
    }
    markOptional(message.getFields(), parsed);
    return parsed.build();
  }

  /** In proto3 each field that says {@code optional} is a oneof of its own, behind all others. */
  private void markOptional(List<FieldElement> fields, DescriptorProto.Builder parsed) {
    for (int i = 0; proto3 && i < fields.size(); i++) {
      if (fields.get(i).getLabel() == Field.Label.OPTIONAL) {
        parsed.getFieldBuilder(i).setProto3Optional(true).setOneofIndex(parsed.getOneofDeclCount());
        parsed.addOneofDecl(
            OneofDescriptorProto.newBuilder().setName("_" + fields.get(i).getName()));
      }
    }
  }

  private static FieldDescriptorProto.Builder field(
      FieldElement field, String scope, DescriptorProto.Builder message) {
    FieldDescriptorProto.Builder parsed =
        FieldDescriptorProto.newBuilder()
            .setName(field.getName())
            .setNumber(field.getTag())
            .setLabel(label(field.getLabel()));
    Matcher map = MAP.matcher(field.getType());
    if (map.matches()) {
      return parsed
          .setLabel(Label.LABEL_REPEATED)
          .setType(Type.TYPE_MESSAGE)
          .setTypeName(entry(field.getName(), map.group(1), map.group(2), scope, message));
    }
    type(parsed, field.getType());
    String byDefault = field.getDefaultValue();
    // Whether bytes are meant by letters beyond ASCII cannot be seen any more.
    if (byDefault != null && !isBytes(field) && ASCII.matcher(byDefault).matches()) {
      parsed.setDefaultValue(byDefault);
    }
    return parsed;
  }

  private static boolean isBytes(FieldElement field) {
    return field.getType().equals("bytes");
  }

  private static Label label(Field.Label label) {
    return label == Field.Label.REPEATED
        ? Label.LABEL_REPEATED
        : label == Field.Label.REQUIRED ? Label.LABEL_REQUIRED : Label.LABEL_OPTIONAL;
  }

  private static void type(FieldDescriptorProto.Builder field, String type) {
    if (SCALARS.containsKey(type)) {
      field.setType(SCALARS.get(type));
    } else {
      field.setTypeName(type);
    }
  }

  /** Declares the message of a map's entries; returns its full name. */
  private static String entry(
      String field, String key, String value, String scope, DescriptorProto.Builder message) {
    if (!SCALARS.containsKey(key) || NO_KEYS.contains(key)) {
      throw new IllegalArgumentException("no type of keys");
    }
    String name = "%sEntry".formatted(camelCase(field));
    FieldDescriptorProto.Builder keys =
        FieldDescriptorProto.newBuilder()
            .setName("key")
            .setNumber(1)
            .setLabel(Label.LABEL_OPTIONAL)
            .setType(SCALARS.get(key));
    FieldDescriptorProto.Builder values =
        FieldDescriptorProto.newBuilder()
            .setName("value")
            .setNumber(2)
            .setLabel(Label.LABEL_OPTIONAL);
    type(values, value);
    DescriptorProto.Builder entry =
        DescriptorProto.newBuilder().setName(name).addField(keys).addField(values);
    entry.getOptionsBuilder().setMapEntry(true);
    message.addNestedType(entry);
    return scope + "." + name;
  }

  private static String camelCase(String field) {
    StringBuilder name = new StringBuilder();
    for (String word : field.split("_")) {
      if (!word.isEmpty()) {
        name.append(word.substring(0, 1).toUpperCase(Locale.ROOT)).append(word.substring(1));
      }
    }
    return name.toString();
  }

  /** Declares the message of a group; its field has the same name in lower case. */
  private static FieldDescriptorProto.Builder group(
      GroupElement group, String scope, DescriptorProto.Builder message) {
    String inside = scope + "." + group.getName();
    DescriptorProto.Builder type = DescriptorProto.newBuilder().setName(group.getName());
    group.getFields().forEach(field -> type.addField(field(field, inside, type)));
    message.addNestedType(type);
    return FieldDescriptorProto.newBuilder()
        .setName(group.getName().toLowerCase(Locale.ROOT))
        .setNumber(group.getTag())
        .setLabel(label(group.getLabel()))
        .setType(Type.TYPE_GROUP)
        .setTypeName(inside);
  }

  private static EnumDescriptorProto enumeration(EnumElement symbols) {
    EnumDescriptorProto.Builder parsed =
        EnumDescriptorProto.newBuilder().setName(symbols.getName());
    for (EnumConstantElement symbol : symbols.getConstants()) {
      parsed.addValueBuilder().setName(symbol.getName()).setNumber(symbol.getTag());
    }
    return parsed.build();
  }
}
