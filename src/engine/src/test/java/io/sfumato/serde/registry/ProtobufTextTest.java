// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.AnyProto;
import com.google.protobuf.ApiProto;
import com.google.protobuf.DescriptorProtos;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.Descriptors;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DurationProto;
import com.google.protobuf.FieldMaskProto;
import com.google.protobuf.SourceContextProto;
import com.google.protobuf.StructProto;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.TypeProto;
import com.google.protobuf.WrappersProto;
import io.sfumato.serde.ForeignBytes;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of schemas mean what Protobuf's own compiler makes of them. */
class ProtobufTextTest {
  static Stream<FileDescriptor> compiled() {
    return Stream.of(
        AnyProto.getDescriptor(),
        ApiProto.getDescriptor(),
        DescriptorProtos.getDescriptor(),
        DurationProto.getDescriptor(),
        FieldMaskProto.getDescriptor(),
        SourceContextProto.getDescriptor(),
        StructProto.getDescriptor(),
        TimestampProto.getDescriptor(),
        TypeProto.getDescriptor(),
        WrappersProto.getDescriptor());
  }

  /** Files whose text and whose compiled form Protobuf's library brings along. */
  @ParameterizedTest
  @MethodSource("compiled")
  void shouldReadWhatTheCompilerReads(FileDescriptor compiled) throws Exception {
    String text;
    try (InputStream in =
        ProtobufTextTest.class.getClassLoader().getResourceAsStream(compiled.getName())) {
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    FileDescriptor parsed = ProtobufSchemas.parsed(text);
    assertThat(parsed.getPackage()).isEqualTo(compiled.getPackage());
    assertSame(compiled.getMessageTypes(), parsed.getMessageTypes());
  }

  private static void assertSame(List<Descriptor> compiled, List<Descriptor> parsed) {
    assertThat(parsed)
        .extracting(Descriptor::getFullName)
        .containsExactlyElementsOf(names(compiled));
    for (int i = 0; i < compiled.size(); i++) {
      Descriptor mine = parsed.get(i);
      Descriptor other = compiled.get(i);
      assertThat(mine.getFields()).hasSameSizeAs(other.getFields());
      for (FieldDescriptor field : other.getFields()) {
        assertSame(field, mine.findFieldByName(field.getName()));
      }
      assertThat(mine.getRealOneofs().stream().map(oneof -> oneof.getName()))
          .containsExactlyElementsOf(
              other.getRealOneofs().stream().map(oneof -> oneof.getName()).toList());
      assertThat(mine.getEnumTypes())
          .extracting(ProtobufTextTest::symbols)
          .containsExactlyElementsOf(
              other.getEnumTypes().stream().map(ProtobufTextTest::symbols).toList());
      assertSame(other.getNestedTypes(), mine.getNestedTypes());
    }
  }

  private static List<String> symbols(EnumDescriptor type) {
    return type.getValues().stream()
        .map(symbol -> symbol.getFullName() + " " + symbol.getNumber())
        .toList();
  }

  private static List<String> names(List<Descriptor> types) {
    return types.stream().map(Descriptor::getFullName).toList();
  }

  private static void assertSame(FieldDescriptor compiled, FieldDescriptor parsed) {
    FieldDescriptorProto mine = parsed.toProto();
    FieldDescriptorProto other = compiled.toProto();
    assertThat(parsed.getNumber()).isEqualTo(compiled.getNumber());
    assertThat(parsed.getType()).isEqualTo(compiled.getType());
    assertThat(mine.getLabel()).isEqualTo(other.getLabel());
    assertThat(mine.getDefaultValue()).isEqualTo(other.getDefaultValue());
    assertThat(parsed.hasPresence()).isEqualTo(compiled.hasPresence());
    assertThat(parsed.isMapField()).isEqualTo(compiled.isMapField());
    assertThat(parsed.isPackable()).isEqualTo(compiled.isPackable());
    if (compiled.getRealContainingOneof() != null) {
      assertThat(parsed.getRealContainingOneof().getName())
          .isEqualTo(compiled.getRealContainingOneof().getName());
    }
    if (compiled.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
      assertThat(parsed.getMessageType().getFullName())
          .isEqualTo(compiled.getMessageType().getFullName());
    }
  }

  @Test
  void shouldReadGroupsDefaultsAndPresence() {
    Descriptor two =
        ProtobufSchemas.parsed(
                """
                syntax = "proto2";
                package a.b;
                message M {
                  optional string who = 1 [default = "a\\"b"];
                  optional group Res = 2 { optional N n = 1; }
                  oneof o { N first = 3; group Second = 4 { optional string q = 1; } }
                  optional E e = 5 [default = B];
                  optional sint64 least = 6 [default = -9223372036854775808];
                  optional uint64 most = 7 [default = 0xFFFFFFFFFFFFFFFF];
                  optional double inf = 8 [default = -inf];
                  extensions 100 to max;
                  message N { map<int32, a.b.M.N> within = 1; }
                  enum E { A = 0; B = -16; }
                }
                extend M { optional int32 more = 100; }
                service S { rpc X (M) returns (stream M); }
                """)
            .findMessageTypeByName("M");
    assertThat(two.findFieldByName("who").getDefaultValue()).isEqualTo("a\"b");
    assertThat(two.findFieldByName("res").getType()).isEqualTo(FieldDescriptor.Type.GROUP);
    assertThat(two.findFieldByName("second").getRealContainingOneof().getName()).isEqualTo("o");
    assertThat(two.findFieldByName("e").getDefaultValue()).hasToString("B");
    assertThat(two.findFieldByName("least").getDefaultValue()).isEqualTo(Long.MIN_VALUE);
    assertThat(two.findFieldByName("most").getDefaultValue()).isEqualTo(-1L);
    assertThat(two.findFieldByName("inf").getDefaultValue()).isEqualTo(Double.NEGATIVE_INFINITY);
    Descriptor three =
        ProtobufSchemas.parsed(
                "syntax = \"proto3\"; message M { optional int32 a = 1; int32 b = 2; }")
            .findMessageTypeByName("M");
    assertThat(three.findFieldByName("a").hasPresence()).isTrue();
    assertThat(three.findFieldByName("b").hasPresence()).isFalse();
    assertThat(three.getRealOneofs()).isEmpty();
  }

  /** Fields of types that lie elsewhere are unknown; the others can be read. */
  @Test
  void shouldLeaveOutWhatNobodyImports() {
    Descriptor type =
        ProtobufSchemas.parsed(
                "syntax = \"proto3\"; import \"google/type/money.proto\"; message M { google.type.Money price = 1; string who = 2; }")
            .findMessageTypeByName("M");
    assertThat(type.findFieldByName("who").getType()).isEqualTo(FieldDescriptor.Type.STRING);
    assertThat(type.findFieldByName("price").getMessageType().getFields()).isEmpty();
    assertThat(Logger.getLogger(Descriptors.class.getName()).isLoggable(Level.SEVERE))
        .as("nothing is written to the error stream about it")
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "foo",
        "message A {",
        "message A { int32 a = 1; }",
        "syntax = \"proto3\"; message A { int32 a = 1; int32 b = 1; }",
        "syntax = \"proto3\"; message A { int32 a = 1; int32 a = 2; }",
        "syntax = \"proto3\"; message A { int32 a = 0; }",
        "syntax = \"proto3\"; message A { map<float, int32> a = 1; }",
        "syntax = \"proto3\"; message A { map<A, int32> a = 1; }",
        "syntax = \"proto3\"; message A {} message A {}",
        "edition = \"2023\"; message A { int32 a = 1; }",
      })
  void shouldRefuseWhatContradictsItself(String text) {
    assertThatThrownBy(() -> ProtobufSchemas.parsed(text)).isInstanceOf(RuntimeException.class);
  }

  /** Whatever somebody registers is a schema or none. */
  @Test
  void shouldEndWithNothingElseWhateverTheTextIs() {
    String schema =
        "syntax = \"proto2\"; message A { optional group G = 1 { optional int32 x = 2 [default = 7]; } map<string, A> m = 3; oneof o { string s = 4; } enum E { Z = 0; } }";
    Random random = new Random(55);
    int read = 0;
    for (int i = 0; i < 3_000; i++) {
      StringBuilder text = new StringBuilder(schema);
      for (int changes = random.nextInt(3); changes >= 0; changes--) {
        int at = random.nextInt(text.length());
        if (random.nextBoolean()) {
          text.deleteCharAt(at);
        } else {
          text.insert(at, "{}[]<>=;\"'\\/1aA \n".charAt(random.nextInt(17)));
        }
      }
      read +=
          ForeignBytes.ifReadable(() -> ProtobufSchemas.parsed(text.toString())).isPresent()
              ? 1
              : 0;
    }
    assertThat(read).isPositive();
    for (String hostile :
        List.of("message A {".repeat(50_000), "{".repeat(100_000), "a.".repeat(100_000))) {
      assertThat(ForeignBytes.ifReadable(() -> ProtobufSchemas.parsed(hostile))).isEmpty();
    }
  }

  /** Of those that take long to parse: 160 KB of comments took ten seconds. */
  @Test
  void shouldBoundWhatItParses() {
    String syntax = "syntax = \"proto3\"; ";
    Descriptor type =
        ProtobufSchemas.parsed(
                syntax
                    + "//a\n/*b*/".repeat(100_000)
                    + "message A { // {{\n string a = 1; /* } */ string b = /**/ 2; } option o = \"// {{ \\\" /*\"; // }")
            .findMessageTypeByName("A");
    assertThat(type.getFields()).hasSize(2);
    assertThat(ProtobufSchemas.parsed(blocks(ProtobufSource.MOST_BLOCKS)).getMessageTypes())
        .hasSize(ProtobufSource.MOST_BLOCKS);
    for (String text :
        List.of(
            blocks(ProtobufSource.MOST_BLOCKS + 1),
            syntax + "option o = \"" + "x".repeat(ProtobufSource.MOST_CHARACTERS) + "\";",
            syntax + " ".repeat(ProtobufSource.MOST_CHARACTERS),
            syntax + "message A { " + "a.".repeat(150) + "b x = 1; }",
            syntax + "message A {".repeat(ProtobufSource.DEEPEST + 1),
            "\"" + "x".repeat(2_000_000),
            "'\\")) {
      assertThatThrownBy(() -> ProtobufSchemas.parsed(text)).isInstanceOf(RuntimeException.class);
    }
    assertThatThrownBy(
            () ->
                ProtobufSource.plain("message A { message B {} }", ProtobufSource.MOST_BLOCKS - 1))
        .as("of all files together")
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static String blocks(int number) {
    StringBuilder text = new StringBuilder("syntax = \"proto3\";");
    for (int i = 0; i < number; i++) {
      text.append("message A").append(i).append("{}");
    }
    return text.toString();
  }

  /** Names of a type's own come before those of the file. */
  @Test
  void shouldFindTypesFromTheInsideOut() {
    Descriptor linked =
        ProtobufSchemas.parsed(
                "syntax = \"proto3\"; package p; message T {} message M { message T { T t = 1; .p.T o = 2; p.T q = 3; } T t = 1; }")
            .findMessageTypeByName("M");
    assertThat(linked.findFieldByName("t").getMessageType().getFullName()).isEqualTo("p.M.T");
    Descriptor inner = linked.getNestedTypes().get(0);
    assertThat(inner.findFieldByName("t").getMessageType().getFullName()).isEqualTo("p.M.T");
    assertThat(inner.findFieldByName("o").getMessageType().getFullName()).isEqualTo("p.T");
    assertThat(inner.findFieldByName("q").getMessageType().getFullName()).isEqualTo("p.T");
  }
}
