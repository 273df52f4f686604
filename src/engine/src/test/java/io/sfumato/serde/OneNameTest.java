// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import static io.sfumato.serde.SourceRecords.record;
import static io.sfumato.serde.UserRecords.NOW;
import static io.sfumato.serde.UserRecords.encoded;
import static io.sfumato.serde.UserRecords.reader;
import static io.sfumato.serde.UserRecords.registered;
import static io.sfumato.serde.UserRecords.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.property.ForAll;
import io.sfumato.property.Property;
import io.sfumato.record.KeyFormat;
import io.sfumato.record.RecordPart;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One person is one user, however a record spells the name, in whatever format. */
class OneNameTest {
  private static Event json(String user, String what, String x) throws RejectedRecordException {
    byte[] record =
        "{\"user\":%s,\"ward\":\"north\",\"at\":%d,\"what\":%s,\"x\":%s}"
            .formatted(user, NOW, what, x)
            .getBytes(StandardCharsets.UTF_8);
    return reader(InputSpec.Format.JSON, "user", "at", KeyFormat.TEXT, null)
        .read(record(null, record, NOW))
        .orElseThrow();
  }

  private static String user(String json) throws RejectedRecordException {
    return json(json, "58", "1").user().orElseThrow();
  }

  /** Of a user. */
  private static Event avro(Schema user, Object value) throws Exception {
    return avro(user, value, Schema.create(Schema.Type.DOUBLE), 1.0);
  }

  private static List<Double> number(Schema x, Object value) throws Exception {
    return avro(Schema.create(Schema.Type.STRING), "7", x, value).values();
  }

  private static Event avro(Schema user, Object name, Schema x, Object number) throws Exception {
    Schema schema = UserRecords.schema(user, Schema.create(Schema.Type.LONG), x);
    return reader(InputSpec.Format.AVRO, "user", "at", KeyFormat.TEXT, schema)
        .read(record(null, UserRecords.avro(schema, name, NOW, number), NOW))
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"100000", "1e+05", "100000.0", "1E5", "\"100000\"", "1000.00e2"})
  void shouldReadOneAccountInJson(String spelling) throws Exception {
    assertThat(user(spelling)).isEqualTo("100000");
  }

  @Test
  void shouldReadTheSameAccountInAvro() throws Exception {
    assertThat(avro(Schema.create(Schema.Type.INT), 100_000).user()).contains("100000");
    assertThat(avro(Schema.create(Schema.Type.LONG), 100_000L).user()).contains("100000");
    assertThat(avro(Schema.create(Schema.Type.FLOAT), 100_000f).user()).contains("100000");
    assertThat(avro(Schema.create(Schema.Type.DOUBLE), 100_000.0).user()).contains("100000");
    Schema decimal = LogicalTypes.decimal(12, 2).addToSchema(Schema.create(Schema.Type.BYTES));
    ByteBuffer unscaled =
        ByteBuffer.wrap(new BigDecimal("100000.00").unscaledValue().toByteArray());
    assertThat(avro(decimal, unscaled).user()).contains("100000");
    assertThat(number(decimal, unscaled)).containsExactly(100_000.0);
    Schema nullable =
        Schema.createUnion(
            Schema.create(Schema.Type.NULL),
            Schema.create(Schema.Type.STRING),
            Schema.create(Schema.Type.LONG));
    assertThat(avro(nullable, 100_000L).user()).contains("100000");
    assertThat(avro(nullable, "100000").user()).contains("100000");
  }

  @Test
  void shouldReadComposedAndDecomposedNamesAsOne() throws Exception {
    assertThat(user("\"an\u0303n\"")).isEqualTo(user("\"a\u00F1n\""));
    assertThat(avro(Schema.create(Schema.Type.STRING), "7").user()).contains("7");
  }

  @Test
  void shouldReadCategoriesAsNames() throws Exception {
    for (String what : List.of("58", "58.0", "5.8e1", "\"58\"")) {
      assertThat(json("1", what, "1").category()).isZero();
    }
    assertThat(json("true", "58", "1").user()).contains("true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "[1]", "{}", "1e99", "\"\"", "\"a\\u0000\""})
  void shouldRefuseWhatIsNoName(String spelling) {
    assertThatThrownBy(() -> user(spelling)).hasMessage("NO_USER");
  }

  @Test
  void shouldRefuseTwoUsersInOneRecord() {
    assertThatThrownBy(() -> user("\"a\",\"user\":\"b\"")).hasMessage("MALFORMED");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "30, 30",
        "\"30\", 30",
        "\" 3e1 \", 30",
        "{\"$numberLong\":\"30\"}, 30",
        "{\"$numberDecimal\":\"30.0\"}, 30",
        "{\"$numberDecimal\":\"3E+1\"}, 30",
        "{\"$numberDouble\":\"-1.5e1\"}, -15",
        "{\"$numberInt\":\"-2147483648\"}, -2147483648",
        "`{\"scale\":2,\"value\":\"C7g=\"}`, 30"
      })
  void shouldReadNumbers(String x, double number) throws Exception {
    assertThat(json("1", "58", x).values()).containsExactly(number);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"30d\"",
        "\"30f\"",
        "\"0x1p3\"",
        "\"NaN\"",
        "true",
        "{\"$numberLong\":30}",
        "{\"$numberLong\":\"12.5\"}",
        "{\"$numberLong\":\" 12 \"}",
        "{\"$numberLong\":\"9223372036854775808\"}",
        "{\"$numberInt\":\"1e5\"}",
        "{\"$numberInt\":\"2147483648\"}",
        "{\"$numberInt\":\"+1\"}",
        "{\"$numberDouble\":\" 1\"}",
        "{\"$numberDouble\":\"Infinity\"}",
        "{\"$numberLong\":\"30\",\"b\":1}",
        "{\"n\":\"30\"}",
        "{\"scale\":\"2\",\"value\":\"C7g=\"}",
        "{\"scale\":2,\"value\":\"?\"}",
        "{\"scale\":99999,\"value\":\"C7g=\"}",
        "{\"scale\":2,\"value\":\"C7g=\",\"b\":1}",
        "[30]"
      })
  void shouldRefuseWhatIsNoNumber(String x) {
    assertThatThrownBy(() -> json("1", "58", x)).hasMessage("BAD_VALUE");
  }

  /** Kafka's IntegerSerializer: as text twelve of these twenty people were lost, others joined. */
  @Test
  void shouldReadTwentyPeopleWithWholeNumbersAsKeys() throws Exception {
    byte[] record =
        "{\"ward\":\"north\",\"at\":%d,\"what\":\"a\",\"x\":1}"
            .formatted(NOW)
            .getBytes(StandardCharsets.UTF_8);
    for (int person = 120; person < 140; person++) {
      byte[] key = ByteBuffer.allocate(Integer.BYTES).putInt(person).array();
      assertThat(
              reader(InputSpec.Format.JSON, InputSpec.RECORD_KEY, "at", KeyFormat.INT, null)
                  .read(record(key, record, NOW))
                  .orElseThrow()
                  .user())
          .contains(Integer.toString(person));
      assertThatThrownBy(
              () ->
                  reader(InputSpec.Format.JSON, InputSpec.RECORD_KEY, "at", KeyFormat.TEXT, null)
                      .read(record(key, record, NOW))
                      .orElseThrow())
          .isInstanceOfSatisfying(
              RejectedRecordException.class,
              e -> assertThat(e.hint().orElseThrow()).contains("key-format"));
    }
  }

  private static final byte[] RECORD =
      "{\"ward\":\"north\",\"at\":%d,\"what\":\"a\",\"x\":1}"
          .formatted(NOW)
          .getBytes(StandardCharsets.UTF_8);

  private static Optional<String> keyed(KeyFormat format, String field, Schema schema, byte[] key)
      throws RejectedRecordException {
    return reader(InputSpec.Format.JSON, field, "at", format, schema)
        .read(record(key, RECORD, NOW))
        .orElseThrow()
        .user();
  }

  /** In every format and spelling: one name for one number, and another name for another one. */
  @Property(seed = "52")
  void shouldHaveOneNameForOneNumberInEveryFormat(@ForAll Random random) throws Exception {
    long number = random.nextLong(-999_999_000_000L, 999_999_000_000L);
    String name = Long.toString(number);
    assertThat(names(number)).as("%d", number).containsOnly(name);
    long other = number + 1 + random.nextInt(1_000);
    assertThat(names(other)).doesNotContain(name);
  }

  private static List<String> names(long number) throws Exception {
    String text = Long.toString(number);
    Schema decimal = LogicalTypes.decimal(30, 2).addToSchema(Schema.create(Schema.Type.BYTES));
    ByteBuffer unscaled =
        ByteBuffer.wrap(BigDecimal.valueOf(number).setScale(2).unscaledValue().toByteArray());
    Schema whole = Schema.create(Schema.Type.LONG);
    return List.of(
        user(text),
        user(text + ".0"),
        user(text + "0e-1"),
        user("\"" + text + "\""),
        avro(whole, number).user().orElseThrow(),
        avro(Schema.create(Schema.Type.DOUBLE), (double) number).user().orElseThrow(),
        avro(Schema.create(Schema.Type.STRING), text).user().orElseThrow(),
        avro(decimal, unscaled).user().orElseThrow(),
        keyed(KeyFormat.TEXT, "$key", null, utf8(text)).orElseThrow(),
        keyed(KeyFormat.LONG, "$key", null, ByteBuffer.allocate(8).putLong(number).array())
            .orElseThrow(),
        keyed(KeyFormat.JSON, "$key", null, utf8(text + ".00")).orElseThrow(),
        keyed(KeyFormat.AVRO, "$key", whole, registered(3, encoded(whole, number))).orElseThrow());
  }

  /** Each time the producer's schema changes its id does: as text this was ten people. */
  @Test
  void shouldReadOnePersonUnderTenSchemaIds() throws Exception {
    Schema text = Schema.create(Schema.Type.STRING);
    Schema whole = Schema.create(Schema.Type.LONG);
    Schema customer =
        Schema.createRecord(
            "Key", null, "t", false, List.of(new Schema.Field("customer_id", whole)));
    GenericRecord record = new GenericData.Record(customer);
    record.put("customer_id", 7L);
    for (int id = 1; id <= 10; id++) {
      assertThat(keyed(KeyFormat.AVRO, "$key", text, registered(id, encoded(text, "7"))))
          .contains("7");
      assertThat(keyed(KeyFormat.AVRO, "$key", whole, registered(id, encoded(whole, 7L))))
          .contains("7");
      byte[] key = registered(id, encoded(customer, record));
      assertThat(keyed(KeyFormat.AVRO, "$key.customer_id", customer, key)).contains("7");
      assertThat(keyed(KeyFormat.JSON_SCHEMA, "$key", null, registered(id, utf8("7.0"))))
          .contains("7");
      assertThatThrownBy(() -> keyed(KeyFormat.TEXT, "$key", null, key))
          .isInstanceOfSatisfying(
              RejectedRecordException.class,
              e -> assertThat(e.hint().orElseThrow()).contains("schema registry"));
      assertThatThrownBy(() -> keyed(KeyFormat.AVRO, "$key", customer, key))
          .isInstanceOfSatisfying(
              RejectedRecordException.class,
              e -> assertThat(e.hint().orElseThrow()).contains("$key.customer_id"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "$key | \"7\"",
        "$key | 7",
        "$key | 7.0",
        "$key.id | {\"id\":7}",
        "$key.id | {\"x\":[1,{}],\"id\":\"7\"}",
        "$key.customer.id | {\"customer\":{\"id\":7e0}}"
      })
  void shouldReadKeysOfJson(String field, String key) throws Exception {
    assertThat(keyed(KeyFormat.JSON, field, null, utf8(key))).contains("7");
    assertThat(keyed(KeyFormat.JSON_SCHEMA, field, null, registered(3, utf8(key)))).contains("7");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "$key | {\"id\":7}",
        "$key | ann",
        "$key | 7 8",
        "$key | ``",
        "$key.id | {\"id\":7,\"id\":8}",
        "$key.id | {\"other\":7}",
        "$key.id | 7"
      })
  void shouldRefuseOtherKeysOfJson(String field, String key) {
    assertThatThrownBy(() -> keyed(KeyFormat.JSON, field, null, utf8(key)))
        .isInstanceOf(RejectedRecordException.class);
  }

  @Test
  void shouldReadJsonBehindTheIdOfItsSchema() throws Exception {
    byte[] value =
        utf8(
            "{\"user\":\"ann\",\"ward\":\"north\",\"at\":%d,\"what\":\"a\",\"x\":1}"
                .formatted(NOW));
    EventReader reader = reader(InputSpec.Format.JSON_SCHEMA, "user", "at", KeyFormat.TEXT, null);
    assertThat(reader.read(record(null, registered(9, value), NOW)).orElseThrow().user())
        .contains("ann");
    assertThatThrownBy(() -> reader.read(record(null, value, NOW)).orElseThrow())
        .hasMessage("MALFORMED");
  }

  @Test
  void shouldReadTimesOfTimestampsAndHeaders() throws Exception {
    byte[] record =
        "{\"user\":1,\"ward\":\"north\",\"what\":\"a\",\"x\":1}".getBytes(StandardCharsets.UTF_8);
    EventReader stamped =
        reader(InputSpec.Format.JSON, "user", RecordPart.TIMESTAMP, KeyFormat.TEXT, null);
    assertThat(stamped.read(record(null, record, NOW)).orElseThrow().time()).isEqualTo(NOW);
    assertThatThrownBy(() -> stamped.read(record(null, record, -1)).orElseThrow())
        .hasMessage("NO_TIME");
    EventReader headed =
        reader(InputSpec.Format.JSON, "user", RecordPart.HEADER + "at", KeyFormat.TEXT, null);
    RecordHeaders headers = new RecordHeaders();
    assertThatThrownBy(
            () ->
                headed.read(new SourceRecord("records", null, record, NOW, headers)).orElseThrow())
        .hasMessage("NO_TIME");
    headers.add("at", "2026-05-31T20:00:00-04:00".getBytes(StandardCharsets.UTF_8));
    assertThat(
            headed
                .read(new SourceRecord("records", null, record, NOW, headers))
                .orElseThrow()
                .time())
        .isEqualTo(NOW);
    headers.add("at", "2026-05-31T20:00:00-04:00".getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(
            () ->
                headed.read(new SourceRecord("records", null, record, NOW, headers)).orElseThrow())
        .hasMessage("MALFORMED");
  }

  @Test
  void shouldLowerTheCaseOfDeclaredUuids() throws Exception {
    String lower = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
    String upper = lower.toUpperCase(Locale.ROOT);
    Schema declared = LogicalTypes.uuid().addToSchema(Schema.create(Schema.Type.STRING));
    Schema debezium = Schema.create(Schema.Type.STRING);
    debezium.addProp("connect.name", "io.debezium.data.Uuid");
    for (Schema uuid : List.of(declared, debezium)) {
      assertThat(avro(uuid, upper).user()).contains(lower);
      assertThatThrownBy(() -> avro(uuid, "ann")).hasMessage("NO_USER");
      byte[] key = registered(3, encoded(uuid, upper));
      assertThat(keyed(KeyFormat.AVRO, "$key", uuid, key)).contains(lower);
    }
    assertThat(avro(Schema.create(Schema.Type.STRING), upper).user()).contains(upper);
  }

  @Test
  void shouldNameDebeziumsDecimalsAsOtherNumbers() throws Exception {
    Schema decimal =
        SchemaBuilder.record("VariableScaleDecimal")
            .namespace("io.debezium.data")
            .fields()
            .requiredInt("scale")
            .requiredBytes("value")
            .endRecord();
    GenericRecord number = new GenericData.Record(decimal);
    number.put("scale", -3);
    number.put("value", ByteBuffer.wrap(new byte[] {5}));
    assertThat(avro(decimal, number).user()).contains("5000");
    assertThat(number(decimal, number)).containsExactly(5_000.0);
  }

  @Test
  void shouldRefuseDeclaredTimesAsNames() {
    Schema time = LogicalTypes.timestampMillis().addToSchema(Schema.create(Schema.Type.LONG));
    assertThatThrownBy(() -> avro(time, NOW)).hasMessage("SCHEMA_MISMATCH");
  }

  @Test
  void shouldReadNullableKeys() throws Exception {
    Schema text = Schema.create(Schema.Type.STRING);
    Schema nullable = Schema.createUnion(Schema.create(Schema.Type.NULL), text);
    assertThat(keyed(KeyFormat.AVRO, "$key", nullable, registered(3, encoded(nullable, "ann"))))
        .contains("ann");
    assertThatThrownBy(
            () -> keyed(KeyFormat.AVRO, "$key", nullable, registered(3, encoded(nullable, null))))
        .hasMessage("NO_USER");
  }

  @ParameterizedTest
  @EnumSource(KeyFormat.class)
  void shouldSayWhatAKeyShouldBeAndNothingOfIt(KeyFormat format) {
    byte[] key = format == KeyFormat.JSON_SCHEMA ? registered(3, utf8("[]")) : utf8("[]\u0007");
    assertThatThrownBy(() -> keyed(format, "$key", null, key))
        .isInstanceOfSatisfying(
            RejectedRecordException.class,
            e -> assertThat(e.hint().orElse("")).doesNotContain("" + key.length));
    assertThatThrownBy(() -> keyed(KeyFormat.UUID, "$key", null, utf8("ann")))
        .isInstanceOfSatisfying(
            RejectedRecordException.class,
            e ->
                assertThat(e.hint())
                    .contains(
                        "the key is not valid for input.key-format: uuid, which expects 16 bytes, or a UUID as text"));
  }
}
