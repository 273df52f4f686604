// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import static io.sfumato.serde.ProtobufRecords.encoded;
import static io.sfumato.serde.ProtobufRecords.framed;
import static io.sfumato.serde.ProtobufRecords.reader;
import static io.sfumato.serde.SourceRecords.record;
import static io.sfumato.serde.UserRecords.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors.FileDescriptor;
import io.sfumato.record.KeyFormat;
import io.sfumato.record.TimeFormat;
import io.sfumato.record.TimeReader;
import io.sfumato.record.ValueFormats;
import io.sfumato.serde.registry.ProtobufSchemas;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records of Protobuf, whatever in them names a user, a subject, a time or a number. */
class ProtobufReadTest {
  private static final String VISIT =
      """
      syntax = "proto3";
      package hospital;
      import "google/protobuf/timestamp.proto";
      import "google/protobuf/wrappers.proto";
      import "google/type/date.proto";
      import "confluent/type/decimal.proto";
      message Visit {
        string ward = 1;
        Patient patient = 2;
        google.protobuf.Timestamp at = 3;
        Kind kind = 4;
        double amount = 5;
        map<string, string> labels = 6;
        repeated string tags = 7;
        repeated int32 codes = 8;
        oneof place { string room = 9; int64 bed = 10; }
        google.protobuf.StringValue note = 11;
        google.protobuf.UInt64Value number = 12;
        uint64 big = 13;
        sint32 signed = 14;
        optional string nick = 15;
        google.type.Date day = 16;
        confluent.type.Decimal price = 17;
        float ratio = 18;
        bool urgent = 19;
        bytes raw = 20;
        map<uint64, Patient> others = 21;
        repeated Patient guests = 22;
        int64 seconds = 23;
        fixed64 fixed = 24;
        enum Kind { a = 0; b = 1; c = 5; }
      }
      message Patient { string id = 1; int64 number = 2; Patient parent = 3; }
      """;

  private static final SchemaSource SCHEMAS = ProtobufRecords.source(Map.of(7, VISIT));
  private static final FileDescriptor FILE = ProtobufSchemas.parsed(VISIT);

  private static byte[] visit(String text) throws Exception {
    return framed(7, encoded(FILE, "Visit", text));
  }

  /** The user of a record that is named by a field. */
  private static Optional<String> name(String field, String text) throws Exception {
    return reader(Map.of("user", field), SCHEMAS)
        .read(record(null, visit("ward: 'n' " + text), NOW))
        .orElseThrow()
        .user();
  }

  private static RejectedRecordException refusal(EventReader reader, byte[] record) {
    try {
      reader.read(record(null, record, NOW)).orElseThrow();
    } catch (RejectedRecordException e) {
      return e;
    }
    throw new AssertionError("accepted");
  }

  @Test
  void shouldReadAWholeRecord() throws Exception {
    Event event =
        reader(
                Map.of(
                    "user",
                    "patient.id",
                    "subject",
                    "ward",
                    "time",
                    "at",
                    "category",
                    "kind",
                    "value",
                    "amount"),
                SCHEMAS)
            .read(
                record(
                    null,
                    visit(
                        "ward: 'north' patient { id: 'ann' } at { seconds: 1780272000 nanos: 7999999 } kind: b amount: 2.5"),
                    NOW))
            .orElseThrow();
    assertThat(event.user()).contains("ann");
    assertThat(event.subject()).isEqualTo("north");
    assertThat(event.time()).isEqualTo(1_780_272_000_007L);
    assertThat(event.category()).isEqualTo(1);
    assertThat(event.values()).containsExactly(2.5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "patient.id | patient { id: 'ann' } | ann",
        "/patient/id | patient { id: 'ann' } | ann",
        "patient.parent.parent.number | patient { parent { parent { number: -5 } } } | -5",
        "labels.country | labels { key: 'town' value: 'x' } labels { key: 'country' value: 'de' } | de",
        "tags[1] | tags: 'x' tags: 'y' | y",
        "codes.0 | codes: 100000 codes: 2 | 100000",
        "room | room: '7b' | 7b",
        "bed | bed: 0 | 0",
        "note | note { value: 'x' } | x",
        "note.value | note { value: 'x' } | x",
        "number | number { value: 18446744073709551615 } | 18446744073709551615",
        "number | number { } | 0",
        "big | big: 9223372036854775808 | 9223372036854775808",
        "fixed | fixed: 18446744073709551615 | 18446744073709551615",
        "signed | signed: -2147483648 | -2147483648",
        "nick | nick: 'x' | x",
        "ratio | ratio: 0.1 | 0.1",
        "amount | amount: 100000 | 100000",
        "urgent | urgent: true | true",
        "kind | kind: c | c",
        "price | price { value: '\\003\\350' scale: 2 } | 10",
        "others.7.id | others { key: 7 value { id: 'x' } } | x",
        "others.18446744073709551615.number | others { key: 18446744073709551615 value { } } | 0",
        "guests[0].id | guests { id: 'x' } | x",
      })
  void shouldNameWhatAPathLeadsTo(String path, String text, String name) throws Exception {
    assertThat(name(path, text)).contains(name);
  }

  /** What proto3 does not write is a value, unless the schema can tell it from absence. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"big | 0", "urgent | false", "kind | a", "amount | 0", "codes | ", "ward | n"})
  void shouldTakeWhatIsNotWrittenForItsDefault(String path, String name) throws Exception {
    if (name == null) {
      assertThatThrownBy(() -> name(path, "")).hasMessage("SCHEMA_MISMATCH");
    } else {
      assertThat(name(path, "")).contains(name);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "patient.id",
        "nick",
        "room",
        "bed",
        "note",
        "tags[0]",
        "labels.country",
        "others.7.number",
        "guests[0].number",
        "price"
      })
  void shouldFindNothingWhereNothingIs(String path) {
    assertThatThrownBy(() -> name(path, "")).hasMessage("NO_USER");
  }

  @Test
  void shouldFindNoNameInAnEmptyText() {
    assertThatThrownBy(() -> name("patient.id", "patient {}")).hasMessage("NO_USER");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nobody",
        "patient",
        "raw",
        "at",
        "day",
        "labels",
        "labels[]",
        "tags",
        "tags.x",
        "tags[0].x",
        "ward.x",
        "patient.nobody",
        "others",
        "others.7",
        "ward[0]",
        "Patient.id",
        "place"
      })
  void shouldSayWhichFieldASchemaLacks(String path) {
    assertThatThrownBy(() -> name(path, ""))
        .isInstanceOfSatisfying(
            RejectedRecordException.class,
            e -> {
              assertThat(e.code()).isEqualTo(RejectionCode.SCHEMA_MISMATCH);
              assertThat(e.hint().orElseThrow()).contains("no field '" + path + "'", "renamed");
            });
  }

  /** A symbol that the schema learns later would be a second name of one category. */
  @Test
  void shouldRefuseNumbersOfEnumsWithoutASymbol() {
    assertThatThrownBy(() -> name("kind", "kind: 4"))
        .isInstanceOfSatisfying(
            RejectedRecordException.class,
            e -> assertThat(e.hint().orElseThrow()).contains("enum"));
  }

  private static long time(String field, ValueFormats formats, String text) throws Exception {
    return reader(Map.of("time", field), formats, SCHEMAS)
        .read(record(null, visit("ward: 'n' " + text), NOW))
        .orElseThrow()
        .time();
  }

  private static ValueFormats formats(TimeFormat format, String zone) {
    return new ValueFormats(
        new TimeReader(format, Optional.ofNullable(zone).map(ZoneId::of)), KeyFormat.TEXT);
  }

  @Test
  void shouldReadTimes() throws Exception {
    ValueFormats auto = formats(new TimeFormat.Auto(), null);
    ValueFormats seconds = formats(TimeFormat.Epoch.SECONDS, "Europe/Berlin");
    assertThat(time("at", auto, "at { seconds: -1 nanos: 999999999 }")).isEqualTo(-1);
    assertThat(time("at", seconds, "at { seconds: 1000 }")).isEqualTo(1_000_000);
    assertThat(time("at.seconds", seconds, "at { seconds: 1000 }")).isEqualTo(1_000_000);
    assertThat(time("nick", auto, "nick: '2026-05-31T12:00:00Z'"))
        .isEqualTo(Instant.parse("2026-05-31T12:00:00Z").toEpochMilli());
    assertThat(time("seconds", seconds, "seconds: 1780000000")).isEqualTo(1_780_000_000_000L);
    assertThat(time("number", auto, "number { value: 1780000000000 }"))
        .isEqualTo(1_780_000_000_000L);
    assertThat(time("day", seconds, "day { year: 2026 month: 5 day: 31 }"))
        .isEqualTo(Instant.parse("2026-05-30T22:00:00Z").toEpochMilli());
    assertThatThrownBy(() -> time("day", auto, "day { year: 2026 month: 5 day: 31 }"))
        .hasMessage("SCHEMA_MISMATCH");
    assertThatThrownBy(() -> time("at", auto, "")).hasMessage("NO_TIME");
    for (String wrong :
        new String[] {
          "at { nanos: 1000000000 }",
          "at { nanos: -1 }",
          "at { seconds: 253402300800 }",
          "at { seconds: -9223372036854775808 }"
        }) {
      assertThatThrownBy(() -> time("at", auto, wrong)).hasMessage("TIME_UNREADABLE");
    }
    for (String wrong :
        new String[] {"", "year: 2026", "month: 5 day: 1", "year: 2026 month: 2 day: 30"}) {
      assertThatThrownBy(() -> time("day", seconds, "day {" + wrong + "}"))
          .hasMessage("TIME_UNREADABLE");
    }
    assertThatThrownBy(() -> time("ratio", auto, "ratio: 1")).hasMessage("TIME_UNREADABLE");
    assertThatThrownBy(() -> time("seconds", auto, "seconds: 1780000000"))
        .hasMessage("TIME_IMPLAUSIBLE");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "amount | amount: -1.5 | -1.5",
        "codes[0] | codes: 7 | 7",
        "ward | ward: ' 3e1 ' | 30",
        "big | big: 1000000000000 | 1e12",
        "price | price { value: '\\003\\350' scale: 2 } | 10",
        "note | note { value: '2' } | 2",
        "ratio | ratio: 0.5 | 0.5",
        "amount | | 0",
      })
  void shouldReadNumbers(String field, String text, double number) throws Exception {
    Event event =
        reader(Map.of("subject", "patient.id", "value", field), SCHEMAS)
            .read(record(null, visit("patient { id: 'n' } " + (text == null ? "" : text)), NOW))
            .orElseThrow();
    assertThat(event.values()).containsExactly(number);
  }

  @ParameterizedTest
  @ValueSource(strings = {"big: 18446744073709551615", "ward: '12d'", "amount: nan", "note {}"})
  void shouldRefuseWhatIsNoNumber(String text) {
    String field = text.substring(0, text.indexOf(text.contains(":") ? ':' : ' '));
    assertThatThrownBy(
            () ->
                reader(Map.of("subject", "patient.id", "value", field), SCHEMAS)
                    .read(record(null, visit("patient { id: 'n' } " + text), NOW))
                    .orElseThrow())
        .hasMessage("BAD_VALUE");
  }

  private static byte[] twice(String first, String second) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(visit("ward: 'n' " + first));
    bytes.writeBytes(encoded(FILE, "Visit", second));
    return bytes.toByteArray();
  }

  /** Protobuf's readers take the last one, and merge messages: a gateway may look at the first. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "patient { id: 'ann' } | patient { id: 'bob' }",
        "patient { id: 'ann' } | patient { number: 7 }",
        "patient { id: 'ann' } amount: 1 | amount: 2",
        "patient { id: 'ann' } room: 'x' | bed: 7",
        "patient { id: 'ann' } room: 'x' | room: 'x'",
        "patient { id: 'ann' } at { seconds: 1 } | at { nanos: 7 }",
      })
  void shouldRefuseFieldsThatAreThereTwice(String first, String second) throws Exception {
    EventReader reader = reader(Map.of("user", "patient.id"), SCHEMAS);
    RejectedRecordException refusal = refusal(reader, twice(first, second));
    assertThat(refusal.code()).isEqualTo(RejectionCode.MALFORMED);
    assertThat(refusal.hint().orElseThrow()).contains("two ");
    assertThat(reader.read(record(null, visit("ward: 'n' " + first), NOW)).orElseThrow().user())
        .contains("ann");
  }

  /** Within a message that nobody reads, and in one of several. */
  @Test
  void shouldRefuseThemAtAnyDepth() throws Exception {
    byte[] patient = encoded(FILE, "Patient", "id: 'x'");
    ByteArrayOutputStream twins = new ByteArrayOutputStream();
    twins.writeBytes(patient);
    twins.writeBytes(patient);
    for (int number : new int[] {2, 22}) {
      ByteArrayOutputStream record = new ByteArrayOutputStream();
      record.writeBytes(visit("ward: 'n'"));
      writeTag(record, number);
      record.write(twins.size());
      record.writeBytes(twins.toByteArray());
      assertThat(refusal(reader(Map.of("user", "ward"), SCHEMAS), record.toByteArray()).code())
          .isEqualTo(RejectionCode.MALFORMED);
    }
  }

  private static void writeTag(ByteArrayOutputStream out, int number) {
    int tag = number << 3 | 2;
    while (tag > 0x7F) {
      out.write(tag & 0x7F | 0x80);
      tag >>>= 7;
    }
    out.write(tag);
  }

  @Test
  void shouldRefuseTwoEntriesOfOneKeyWhereOneIsRead() throws Exception {
    byte[] record =
        twice("labels { key: 'country' value: 'de' }", "labels { key: 'country' value: 'fr' }");
    assertThat(refusal(reader(Map.of("user", "labels.country"), SCHEMAS), record).code())
        .isEqualTo(RejectionCode.MALFORMED);
  }

  /** Not in normal form: Protobuf's own reader would drop the upper bits. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        // A tag of more than 32 bits, which is 0A in its lower ones.
        "8A8080801001 41",
        // A field number 0.
        "00 00",
        // Wire types 6 and 7.
        "0E",
        "0F",
        // An end of a group that does not begin.
        "0C",
        // A group of an unknown field that does not end, or ends as another.
        "A306",
        "A306 AC06",
        // A text that is longer than the record.
        "0A 05 41",
        // A number of eleven bytes, and of more than 64 bits.
        "50 FFFFFFFFFFFFFFFFFFFFFF01",
        "50 FFFFFFFFFFFFFFFFFF02",
        // Text where a number is declared, a number where a text is.
        "52 00",
        "08 01",
        // Invalid UTF-8: a lone byte, a surrogate.
        "0A 01 FF",
        "0A 03 EDA080",
      })
  void shouldRefuseWhatIsNoMessage(String hex) {
    byte[] message = bytes(hex);
    assertThat(refusal(reader(Map.of("user", "ward"), SCHEMAS), framed(7, message)).code())
        .isEqualTo(RejectionCode.MALFORMED);
  }

  @Test
  void shouldRefuseNumbersThatDoNotFitTheirType() {
    assertThat(
            refusal(reader(Map.of("user", "signed"), SCHEMAS), framed(7, bytes("70 8080808010")))
                .code())
        .isEqualTo(RejectionCode.MALFORMED);
  }

  private static byte[] bytes(String hex) {
    String digits = hex.replace(" ", "");
    byte[] bytes = new byte[digits.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), 16);
    }
    return bytes;
  }

  @Test
  void shouldPassOverWhatItDoesNotKnow() throws Exception {
    ByteArrayOutputStream record = new ByteArrayOutputStream();
    record.writeBytes(visit("ward: 'n'"));
    // Field 100: a varint, four and eight bytes, a part of invalid text, a group in a group; twice.
    for (int i = 0; i < 2; i++) {
      record.writeBytes(bytes("A006 01 A506 01020304 A106 0102030405060708 A206 01 FF"));
      record.writeBytes(bytes("A306 A306 0801 A406 A406"));
    }
    assertThat(
            reader(Map.of("user", "ward"), SCHEMAS)
                .read(record(null, record.toByteArray(), NOW))
                .orElseThrow()
                .user())
        .contains("n");
  }

  /** What is not named is not decoded: its text may be anything. */
  @Test
  void shouldNotDecodeWhatIsNotNamed() throws Exception {
    ByteArrayOutputStream record = new ByteArrayOutputStream();
    record.writeBytes(visit("ward: 'n'"));
    record.writeBytes(bytes("3A 01 FF 12 03 0A 01 FF"));
    assertThat(
            reader(Map.of("user", "ward"), SCHEMAS)
                .read(record(null, record.toByteArray(), NOW))
                .orElseThrow()
                .user())
        .contains("n");
    assertThat(refusal(reader(Map.of("user", "patient.id"), SCHEMAS), record.toByteArray()).code())
        .isEqualTo(RejectionCode.MALFORMED);
  }

  @Test
  void shouldRefuseMessagesThatNestTooDeeply() throws Exception {
    for (int depth : new int[] {90, 200, 100_000}) {
      ByteArrayOutputStream groups = new ByteArrayOutputStream();
      groups.writeBytes(visit("ward: 'n'"));
      for (int i = 0; i < depth; i++) {
        groups.writeBytes(bytes("A306"));
      }
      for (int i = 0; i < depth; i++) {
        groups.writeBytes(bytes("A406"));
      }
      StringBuilder text = new StringBuilder("ward: 'n' ");
      EventReader reader = reader(Map.of("user", "ward"), SCHEMAS);
      if (depth == 90) {
        assertThat(reader.read(record(null, groups.toByteArray(), NOW)).orElseThrow().user())
            .contains("n");
        text.append("patient {" + " parent {".repeat(80)).append(" }".repeat(81));
        assertThat(reader.read(record(null, visit(text.toString()), NOW)).orElseThrow().user())
            .contains("n");
      } else {
        assertThat(refusal(reader, groups.toByteArray()).code()).isEqualTo(RejectionCode.MALFORMED);
      }
    }
  }

  private static final String FULL =
      "ward: 'n' patient { id: 'ann' parent { number: 7 } } at { seconds: 1780272000 nanos: 5 }"
          + " kind: b amount: 2.5 labels { key: 'k' value: 'v' } tags: 'x' codes: 1 codes: 300"
          + " room: 'r' note { value: 'y' } guests { id: 'z' } others { key: 7 value { id: 'w' } }";

  private static final EventReader ALL =
      reader(
          Map.of("user", "patient.id", "time", "at", "category", "kind", "value", "amount"),
          SCHEMAS);

  @Test
  void shouldThrowNothingElseOfARecordThatIsCutAnywhere() throws Exception {
    byte[] record = visit(FULL);
    assertThat(ALL.read(record(null, record, NOW)).orElseThrow().user()).contains("ann");
    int refused = 0;
    for (int end = 0; end < record.length; end++) {
      if (!reads(ALL, Arrays.copyOf(record, end))) {
        refused++;
      }
    }
    assertThat(refused).as("but at the ends of fields").isGreaterThan(record.length / 2);
  }

  private static boolean reads(EventReader reader, byte[] record) {
    try {
      reader.read(record(null, record, NOW)).orElseThrow();
      return true;
    } catch (RejectedRecordException e) {
      return false;
    }
  }

  @Test
  void shouldThrowNothingElseWhateverTheBytesAre() throws Exception {
    byte[] record = visit(FULL);
    Random random = new Random(55);
    EventReader names = reader(Map.of("user", "others.7.id", "subject", "labels.k"), SCHEMAS);
    int read = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] changed = record.clone();
      for (int flips = random.nextInt(4); flips >= 0; flips--) {
        changed[5 + random.nextInt(record.length - 5)] ^= (byte) (1 << random.nextInt(8));
      }
      read += reads(ALL, changed) | reads(names, changed) ? 1 : 0;
      byte[] any = new byte[random.nextInt(60)];
      random.nextBytes(any);
      reads(ALL, framed(7, any));
    }
    assertThat(read).isPositive();
  }
}
