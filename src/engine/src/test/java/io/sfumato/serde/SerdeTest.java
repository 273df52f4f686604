// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import static io.sfumato.serde.SourceRecords.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.gate.StateEpoch;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.property.ForAll;
import io.sfumato.property.IntRange;
import io.sfumato.property.Property;
import io.sfumato.schema.DeadLetter;
import io.sfumato.schema.UserRecord;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.serde.JournalEntry.Contributions;
import io.sfumato.serde.JournalEntry.Departure;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Observations;
import io.sfumato.serde.JournalEntry.Watermark;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SerdeTest {
  private static final long NOW = Instant.parse("2026-06-01T00:00:00Z").toEpochMilli();

  private static InputSpec spec(InputSpec.Format format) {
    return new InputSpec(
        "in",
        format,
        "subject",
        "at",
        Optional.of("category"),
        List.of("a", "b"),
        Optional.empty(),
        List.of(),
        1000);
  }

  @Property
  void numbersSurviveTheRoundTrip(@ForAll long value) {
    ByteReader in =
        new ByteReader(
            new ByteWriter()
                .signed(value)
                .unsigned(value & Long.MAX_VALUE)
                .sortable(value)
                .toBytes());
    assertThat(in.signed()).isEqualTo(value);
    assertThat(in.unsigned()).isEqualTo(value & Long.MAX_VALUE);
    assertThat(in.sortable()).isEqualTo(value);
    in.end();
  }

  @Property
  void sortableBytesSortLikeNumbers(@ForAll long x, @ForAll long y) {
    int bytes =
        Arrays.compareUnsigned(
            new ByteWriter().sortable(x).toBytes(), new ByteWriter().sortable(y).toBytes());
    assertThat(Integer.signum(bytes)).isEqualTo(Long.compare(x, y));
  }

  @Property
  void journalEntriesSurviveTheRoundTrip(
      @ForAll String subject,
      @ForAll long time,
      @ForAll @IntRange(min = 0) int number,
      @ForAll long high) {
    String text = new String(subject.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    for (JournalEntry entry :
        List.of(
            new Observation(text, time, (long) number << 29, List.of(), 0),
            new Observation(text, time, number, List.of(1.5, Double.NaN), 0),
            new Observations(
                List.of(
                    new Observation(text, time, number, List.of(), 0),
                    new Observation("ann", 0, 1, List.of(), 0))),
            new Observations(
                List.of(
                    new Observation("ann", 0, 1, List.of(2.5), 7),
                    new Observation(text, time, number, List.of(), 0))),
            new Contributions(
                List.of(
                    new Contribution(text, time, "ann", (long) number << 29, high),
                    new Contribution("bob", 0, text, 1, 7))),
            new Contributions(
                List.of(
                    new Contribution(text, time, "ann", number, high, List.of(-0.0, 2.5)),
                    new Contribution("bob", 0, text, 1, 7, List.of(1e12, Double.MIN_VALUE)))),
            new Observations(
                List.of(
                    new Observation(text, time, number, List.of(), 0, text + "x"),
                    new Observation("ann", 0, 1, List.of(), 0))),
            new Contributions(
                List.of(
                    new Contribution(text, time, "ann", 0, high, List.of(), text + "x"),
                    new Contribution("bob", 0, text, 0, 7, List.of(), "\u0000"))),
            new Contributions(
                List.of(
                    new Contribution(
                        text, time, "ann", number, high, List.of(-0.0, 2.5), "", time, 1),
                    new Contribution("bob", 0, text, 1, 7, List.of(), "", 0, 300))),
            new Observations(
                List.of(
                    new Observation(text, time, number, List.of(-0.0, 2.5), 0, "", 3),
                    new Observation("ann", 0, (long) number << 29, List.of(), 0))),
            new JournalEntry.Candidate(
                text, "q", number, 7, text, time, List.of(0.1), List.of(0.25, 0.75)),
            new Watermark(number, time),
            new Genesis(number, new StateEpoch(high, time)),
            new Enrolment(text, time),
            new Departure(text, time))) {
      assertThat(JournalCodec.decode(JournalCodec.encode(entry))).isEqualTo(entry);
    }
  }

  /** Written down when there were no numbers: journals that live hold such entries. */
  @Test
  void usersRecordsWithoutNumbersKeepTheirBytes() {
    Contributions plain =
        new Contributions(
            List.of(
                new Contribution("ann", 1_000, "north", 2, 7),
                new Contribution("bob", 11_000, "west", 300, -1, List.of())));
    assertThat(HexFormat.of().formatHex(JournalCodec.encode(plain)))
        .isEqualTo(
            "010e"
                + "d00f"
                + "02"
                + "03616e6e"
                + "056e6f727468"
                + "0000000000000007"
                + "a09c01"
                + "ac02"
                + "03626f62"
                + "0477657374"
                + "ffffffffffffffff");
    Contributions numbered =
        new Contributions(List.of(new Contribution("ann", 1_000, "north", 0, 7, List.of(1.0))));
    assertThat(HexFormat.of().formatHex(JournalCodec.encode(numbered)))
        .isEqualTo(
            "0111"
                + "d00f"
                + "00"
                + "03616e6e"
                + "056e6f727468"
                + "0000000000000007"
                + "01"
                + "3ff0000000000000");
  }

  /** Foreign bytes give a CorruptBytesException, never anything else. */
  @Property
  void foreignBytesAreRefused(@ForAll byte[] bytes) {
    for (Runnable decode :
        List.<Runnable>of(
            () -> JournalCodec.decode(bytes),
            () -> Outputs.decodeAny(bytes),
            () -> Outputs.decodeControl(bytes))) {
      try {
        decode.run();
      } catch (CorruptBytesException e) {
        assertThat(e.getMessage()).isNotBlank();
      }
    }
  }

  /** Any bytes are an event or have a code; nothing else is thrown. */
  @Property
  void recordsAreEventsOrRejected(@ForAll byte[] value) {
    for (InputSpec.Format format : InputSpec.Format.values()) {
      try {
        assertThat(new EventReader(spec(format)).read(record(null, value, NOW)).orElseThrow())
            .isNotNull();
      } catch (RejectedRecordException e) {
        assertThat(e.code()).isNotNull();
        assertThat(e.getCause()).isNull();
        assertThat(e.getStackTrace()).isEmpty();
      }
    }
  }

  /** Mutations of a good record: what a hostile producer sends. */
  @Property
  void mutatedAvroIsAnEventOrRejected(
      @ForAll @IntRange(min = 0, max = 60) int place, @ForAll byte flipped) {
    byte[] value = avro("ann", NOW, "a");
    value[place % value.length] ^= flipped;
    try {
      new EventReader(spec(InputSpec.Format.AVRO)).read(record(null, value, NOW)).orElseThrow();
    } catch (RejectedRecordException e) {
      assertThat(e.code()).isNotNull();
    }
  }

  @Test
  void userRecordsAreRead() throws RejectedRecordException {
    Event event =
        new EventReader(spec(InputSpec.Format.AVRO))
            .read(record(null, avro("ann", NOW, "b"), NOW))
            .orElseThrow();
    assertThat(event).isEqualTo(new Event(Optional.empty(), "ann", NOW, 1, List.of()));
  }

  @Test
  void timesNeedAnOffset() throws RejectedRecordException {
    EventReader reader = new EventReader(spec(InputSpec.Format.JSON));
    assertThat(
            reader
                .read(record(null, json("\"2026-05-31T20:00:00-04:00\""), NOW))
                .orElseThrow()
                .time())
        .isEqualTo(NOW);
    assertThat(reader.read(record(null, json(Long.toString(NOW)), NOW)).orElseThrow().time())
        .isEqualTo(NOW);
    for (String bad : List.of("\"2026-05-31T20:00:00\"", "true", "{}")) {
      assertThatThrownBy(() -> reader.read(record(null, json(bad), NOW)).orElseThrow())
          .as(bad)
          .hasMessage("TIME_UNREADABLE");
    }
    assertThatThrownBy(() -> reader.read(record(null, json("null"), NOW)).orElseThrow())
        .hasMessage("NO_TIME");
    assertThatThrownBy(() -> reader.read(record(null, json("\"\""), NOW)).orElseThrow())
        .hasMessage("NO_TIME");
    assertThatThrownBy(
            () -> reader.read(record(null, json(Long.toString(NOW / 1000)), NOW)).orElseThrow())
        .isInstanceOfSatisfying(
            RejectedRecordException.class,
            e -> {
              assertThat(e.code()).isEqualTo(RejectionCode.TIME_IMPLAUSIBLE);
              assertThat(e.hint()).contains("input.time-format: epoch-s would fit");
            });
  }

  /** Halves of surrogate pairs would all become the subject "?". */
  @Test
  void subjectsMustBeText() throws RejectedRecordException {
    EventReader reader = new EventReader(spec(InputSpec.Format.JSON));
    for (String bad : List.of("\\ud800", "", "x".repeat(257))) {
      byte[] value =
          "{\"subject\":\"%s\",\"at\":%d,\"category\":\"a\"}"
              .formatted(bad, NOW)
              .getBytes(StandardCharsets.UTF_8);
      assertThatThrownBy(() -> reader.read(record(null, value, NOW)).orElseThrow())
          .as(bad)
          .hasMessage("NO_SUBJECT");
    }
    byte[] pair =
        "{\"subject\":\"\\ud83d\\ude00\",\"at\":%d,\"category\":\"a\"}"
            .formatted(NOW)
            .getBytes(StandardCharsets.UTF_8);
    assertThat(reader.read(record(null, pair, NOW)).orElseThrow().subject())
        .isEqualTo("\ud83d\ude00");
  }

  @Test
  void outputsAreToldApartByTheirFingerprint() throws IOException {
    DeadLetter letter = new DeadLetter("t", 1, 2L, "MALFORMED", null);
    byte[] bytes = Outputs.encode(letter);
    assertThat(bytes).startsWith(0xC3, 0x01);
    assertThat(ByteBuffer.wrap(bytes)).isEqualTo(DeadLetter.getEncoder().encode(letter));
    UserRecord record = new UserRecord("ann", Instant.ofEpochMilli(7), "a", List.of(0.5, -2.0));
    assertThat(ByteBuffer.wrap(Outputs.encode(record)))
        .isEqualTo(UserRecord.getEncoder().encode(record));
    assertThat(Outputs.decodeAny(bytes)).isEqualTo(letter);
    bytes[5]++;
    assertThatThrownBy(() -> Outputs.decodeAny(bytes)).isInstanceOf(CorruptBytesException.class);
  }

  private static byte[] json(String time) {
    return "{\"subject\":\"ann\",\"more\":[{\"x\":1}],\"at\":%s,\"category\":\"a\"}"
        .formatted(time)
        .getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] avro(String subject, long at, String category) {
    return Outputs.encode(
        UserRecord.newBuilder()
            .setSubject(subject)
            .setAt(Instant.ofEpochMilli(at))
            .setCategory(category)
            .setValues(null)
            .build());
  }
}
