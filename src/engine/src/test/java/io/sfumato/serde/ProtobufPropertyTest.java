// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.sfumato.property.ForAll;
import io.sfumato.property.Property;
import io.sfumato.record.TimeReader;
import io.sfumato.serde.AvroValue.As;
import io.sfumato.serde.ProtobufPlace.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Random messages of random schemas: what is read is what Protobuf's own library reads. */
class ProtobufPropertyTest {
  private static final int MOST_FIELDS = 8;

  private static final List<Type> KEYS =
      List.of(
          Type.TYPE_STRING, Type.TYPE_BOOL, Type.TYPE_INT32, Type.TYPE_UINT64, Type.TYPE_SFIXED64);

  /** A file of two messages and an enum, in either syntax. */
  private static Descriptor schema(Random random) throws Exception {
    boolean proto3 = random.nextBoolean();
    FileDescriptorProto.Builder file =
        FileDescriptorProto.newBuilder()
            .setName("random.proto")
            .setPackage("r")
            .setSyntax(proto3 ? "proto3" : "proto2");
    file.addEnumTypeBuilder()
        .setName("Kind")
        .addValue(0, EnumValueDescriptorProto.newBuilder().setName("A").setNumber(0))
        .addValue(1, EnumValueDescriptorProto.newBuilder().setName("B").setNumber(-7));
    for (String name : List.of("Outer", "Inner")) {
      file.addMessageType(message(name, proto3, random));
    }
    return FileDescriptor.buildFrom(file.build(), new FileDescriptor[0])
        .findMessageTypeByName("Outer");
  }

  private static DescriptorProto message(String name, boolean proto3, Random random) {
    DescriptorProto.Builder message = DescriptorProto.newBuilder().setName(name);
    message.addOneofDecl(OneofDescriptorProto.newBuilder().setName("choice"));
    int number = 0;
    for (int i = 0; i < MOST_FIELDS; i++) {
      number += 1 + random.nextInt(random.nextInt(10) == 0 ? 5_000 : 4);
      FieldDescriptorProto.Builder field =
          FieldDescriptorProto.newBuilder().setName("f" + i).setNumber(number);
      if (random.nextInt(5) == 0) {
        message.addNestedType(entry("F" + i + "Entry", random));
        field
            .setType(Type.TYPE_MESSAGE)
            .setTypeName(".r." + name + ".F" + i + "Entry")
            .setLabel(Label.LABEL_REPEATED);
      } else {
        type(field, random);
        field.setLabel(random.nextInt(3) == 0 ? Label.LABEL_REPEATED : Label.LABEL_OPTIONAL);
        if (i < 2) {
          field.setLabel(Label.LABEL_OPTIONAL).setOneofIndex(0);
        } else if (field.getLabel() == Label.LABEL_REPEATED && isPackable(field.getType())) {
          field.getOptionsBuilder().setPacked(random.nextBoolean());
        }
      }
      message.addField(field);
    }
    return message.build();
  }

  private static boolean isPackable(Type type) {
    return type != Type.TYPE_STRING && type != Type.TYPE_BYTES && type != Type.TYPE_MESSAGE;
  }

  private static DescriptorProto entry(String name, Random random) {
    FieldDescriptorProto.Builder value =
        FieldDescriptorProto.newBuilder()
            .setName("value")
            .setNumber(2)
            .setLabel(Label.LABEL_OPTIONAL);
    type(value, random);
    DescriptorProto.Builder entry =
        DescriptorProto.newBuilder()
            .setName(name)
            .addField(
                FieldDescriptorProto.newBuilder()
                    .setName("key")
                    .setNumber(1)
                    .setLabel(Label.LABEL_OPTIONAL)
                    .setType(KEYS.get(random.nextInt(KEYS.size()))))
            .addField(value);
    entry.getOptionsBuilder().setMapEntry(true);
    return entry.build();
  }

  private static void type(FieldDescriptorProto.Builder field, Random random) {
    List<Type> types = new ArrayList<>(List.of(Type.values()));
    types.remove(Type.TYPE_GROUP);
    field.setType(types.get(random.nextInt(types.size())));
    if (field.getType() == Type.TYPE_ENUM) {
      field.setTypeName(".r.Kind");
    } else if (field.getType() == Type.TYPE_MESSAGE) {
      field.setTypeName(".r.Inner");
    }
  }

  private static DynamicMessage message(Descriptor type, Random random, int depth) {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
    for (FieldDescriptor field : type.getFields()) {
      int values = random.nextInt(field.isRepeated() ? 4 : 2);
      for (int i = 0; i < values; i++) {
        if (field.getJavaType() == JavaType.MESSAGE && depth == 0) {
          continue;
        }
        Object value =
            field.isMapField()
                ? message(field.getMessageType(), random, depth - 1)
                : value(field, random, depth);
        if (field.isRepeated()) {
          message.addRepeatedField(field, value);
        } else {
          message.setField(field, value);
        }
      }
    }
    return message.build();
  }

  private static Object value(FieldDescriptor field, Random random, int depth) {
    boolean plain = random.nextInt(4) == 0;
    return switch (field.getJavaType()) {
      case INT -> plain ? random.nextInt(3) : random.nextInt();
      case LONG -> plain ? random.nextInt(3) : random.nextLong();
      case FLOAT -> plain ? 0f : random.nextFloat() * 100;
      case DOUBLE -> plain ? -0.0 : random.nextGaussian() * 1e6;
      case BOOLEAN -> random.nextBoolean();
      case STRING -> plain ? "" : "t\u00e9" + random.nextInt(50);
      case BYTE_STRING -> ByteString.copyFromUtf8("b" + random.nextInt(50));
      case ENUM -> field.getEnumType().getValues().get(random.nextInt(2));
      case MESSAGE -> message(field.getMessageType(), random, depth - 1);
    };
  }

  @Property(tries = 500)
  void shouldReadWhatProtobufReads(@ForAll Random random) throws Exception {
    Descriptor type = schema(random);
    DynamicMessage written = message(type, random, 3);
    if (hasTwins(written)) {
      return;
    }
    byte[] bytes = written.toByteArray();
    DynamicMessage expected = DynamicMessage.parseFrom(type, bytes);
    ProtobufMessage found = ProtobufDecoder.message(bytes, 0, type, ProtobufWanted.ALL);
    assertSame(expected, found);
    for (FieldDescriptor field : type.getFields()) {
      ProtobufPlace.of(type, field.getName(), As.NAME, TimeReader.auto())
          .ifPresent(place -> assertAlone(place, bytes, type, found));
    }
  }

  /** Of a map, entries of one key: which of them counts, each reader says otherwise. */
  private static boolean hasTwins(Message message) {
    for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      if (field.getJavaType() != JavaType.MESSAGE) {
        continue;
      }
      List<?> values = field.isRepeated() ? (List<?>) entry.getValue() : List.of(entry.getValue());
      if (field.isMapField()) {
        FieldDescriptor key = field.getMessageType().findFieldByNumber(1);
        List<Object> keys =
            values.stream().<Object>map(value -> ((Message) value).getField(key)).toList();
        if (keys.stream().distinct().count() < keys.size()) {
          return true;
        }
      }
      if (values.stream().anyMatch(value -> hasTwins((Message) value))) {
        return true;
      }
    }
    return false;
  }

  private static void assertAlone(
      ProtobufPlace place, byte[] bytes, Descriptor type, ProtobufMessage whole) {
    try {
      ProtobufMessage part =
          ProtobufDecoder.message(bytes, 0, type, ProtobufWanted.of(List.of(place.steps())));
      assertThat(place.name(part)).isEqualTo(place.name(whole));
      assertThat(part.fields().keySet())
          .isSubsetOf(((Step.Field) place.steps().get(0)).field().getNumber());
    } catch (RejectedRecordException e) {
      throw new AssertionError(e);
    }
  }

  private static void assertSame(Message expected, ProtobufMessage found) {
    for (FieldDescriptor field : expected.getDescriptorForType().getFields()) {
      Object value = found.get(field);
      if (field.isMapField()) {
        assertSameEntries(field, (List<?>) expected.getField(field), (Map<?, ?>) value);
      } else if (field.isRepeated()) {
        List<?> items = (List<?>) expected.getField(field);
        List<?> read = value == null ? List.of() : (List<?>) value;
        assertThat(read).hasSameSizeAs(items);
        for (int i = 0; i < items.size(); i++) {
          assertSame(field, items.get(i), read.get(i));
        }
      } else if (field.hasPresence() && !expected.hasField(field)) {
        assertThat(value).as("%s", field).isNull();
      } else {
        assertSame(field, expected.getField(field), value);
      }
    }
  }

  private static void assertSameEntries(FieldDescriptor field, List<?> expected, Map<?, ?> found) {
    Map<?, ?> entries = Optional.<Map<?, ?>>ofNullable(found).orElse(Map.of());
    assertThat(entries).hasSameSizeAs(expected);
    FieldDescriptor keys = field.getMessageType().findFieldByNumber(1);
    FieldDescriptor values = field.getMessageType().findFieldByNumber(2);
    for (Object one : expected) {
      Message entry = (Message) one;
      Object key = entry.getField(keys);
      String text =
          keys.getType() == FieldDescriptor.Type.UINT64
              ? Long.toUnsignedString((long) key)
              : key.toString();
      assertSame(values, entry.getField(values), entries.get(text));
    }
  }

  private static void assertSame(FieldDescriptor field, Object expected, Object found) {
    switch (field.getType()) {
      case MESSAGE -> assertSame((Message) expected, (ProtobufMessage) found);
      case ENUM -> assertThat(found).isEqualTo((long) ((EnumValueDescriptor) expected).getNumber());
      case BYTES -> assertThat(found).isEqualTo(((ByteString) expected).toByteArray());
      case UINT32, FIXED32 -> assertThat(found).isEqualTo(Integer.toUnsignedLong((int) expected));
      case INT32, SINT32, SFIXED32 -> assertThat(found).isEqualTo((long) (int) expected);
      default -> assertThat(found).as("%s", field).isEqualTo(expected);
    }
  }
}
