package io.sfumato.serde;

import io.sfumato.noise.NoiseKey;
import io.sfumato.schema.AbcCandidate;
import io.sfumato.schema.AbcDecision;
import io.sfumato.schema.AbcWeight;
import io.sfumato.schema.ControlEntry;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.DeadLetter;
import io.sfumato.schema.DirichletRelease;
import io.sfumato.schema.MollifiedSample;
import io.sfumato.schema.Refusal;
import io.sfumato.schema.UserRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.message.BinaryMessageDecoder;

/** The public records in Avro's single-object encoding: C3 01, schema fingerprint, fields. */
public final class Outputs {
  static {
    AvroTrust.establish();
  }

  private static final int HEADER_BYTES = 10;

  private static final Map<Long, BinaryMessageDecoder<? extends IndexedRecord>> DECODERS =
      Map.of(
          fingerprint(DirichletRelease.getClassSchema()), DirichletRelease.getDecoder(),
          fingerprint(CountRelease.getClassSchema()), CountRelease.getDecoder(),
          fingerprint(Refusal.getClassSchema()), Refusal.getDecoder(),
          fingerprint(DeadLetter.getClassSchema()), DeadLetter.getDecoder(),
          fingerprint(ControlEntry.getClassSchema()), ControlEntry.getDecoder(),
          fingerprint(AbcCandidate.getClassSchema()), AbcCandidate.getDecoder(),
          fingerprint(AbcDecision.getClassSchema()), AbcDecision.getDecoder(),
          fingerprint(MollifiedSample.getClassSchema()), MollifiedSample.getDecoder(),
          fingerprint(AbcWeight.getClassSchema()), AbcWeight.getDecoder(),
          fingerprint(UserRecord.getClassSchema()), UserRecord.getDecoder());

  private static final SingleObjectEncoder<DirichletRelease> DIRICHLET_RELEASE =
      new SingleObjectEncoder<>(DirichletRelease.getClassSchema());
  private static final SingleObjectEncoder<CountRelease> COUNT_RELEASE =
      new SingleObjectEncoder<>(CountRelease.getClassSchema());
  private static final SingleObjectEncoder<AbcCandidate> ABC_CANDIDATE =
      new SingleObjectEncoder<>(AbcCandidate.getClassSchema());
  private static final SingleObjectEncoder<AbcDecision> ABC_DECISION =
      new SingleObjectEncoder<>(AbcDecision.getClassSchema());
  private static final SingleObjectEncoder<AbcWeight> ABC_WEIGHT =
      new SingleObjectEncoder<>(AbcWeight.getClassSchema());
  private static final SingleObjectEncoder<MollifiedSample> MOLLIFIED_SAMPLE =
      new SingleObjectEncoder<>(MollifiedSample.getClassSchema());
  private static final SingleObjectEncoder<Refusal> REFUSAL =
      new SingleObjectEncoder<>(Refusal.getClassSchema());
  private static final SingleObjectEncoder<DeadLetter> DEAD_LETTER =
      new SingleObjectEncoder<>(DeadLetter.getClassSchema());
  private static final SingleObjectEncoder<ControlEntry> CONTROL_ENTRY =
      new SingleObjectEncoder<>(ControlEntry.getClassSchema());
  private static final SingleObjectEncoder<UserRecord> USER_RECORD =
      new SingleObjectEncoder<>(UserRecord.getClassSchema());

  private Outputs() {}

  private static long fingerprint(Schema schema) {
    return SchemaNormalization.parsingFingerprint64(schema);
  }

  public static byte[] encode(DirichletRelease release) {
    return DIRICHLET_RELEASE.encode(release);
  }

  public static byte[] encode(CountRelease release) {
    return COUNT_RELEASE.encode(release);
  }

  public static byte[] encode(AbcCandidate candidate) {
    return ABC_CANDIDATE.encode(candidate);
  }

  public static byte[] encode(AbcDecision decision) {
    return ABC_DECISION.encode(decision);
  }

  public static byte[] encode(AbcWeight weight) {
    return ABC_WEIGHT.encode(weight);
  }

  public static byte[] encode(MollifiedSample sample) {
    return MOLLIFIED_SAMPLE.encode(sample);
  }

  public static byte[] encode(Refusal refusal) {
    return REFUSAL.encode(refusal);
  }

  public static byte[] encode(DeadLetter letter) {
    return DEAD_LETTER.encode(letter);
  }

  public static byte[] encode(ControlEntry entry) {
    return CONTROL_ENTRY.encode(entry);
  }

  public static byte[] encode(UserRecord record) {
    return USER_RECORD.encode(record);
  }

  /**
   * Any public output, told apart by its schema's fingerprint.
   *
   * @throws CorruptBytesException if the bytes are none
   */
  public static IndexedRecord decodeAny(byte[] bytes) {
    if (bytes == null || bytes.length < HEADER_BYTES) {
      throw new CorruptBytesException("not an output of Sfumato");
    }
    long fingerprint = ByteBuffer.wrap(bytes, 2, 8).order(ByteOrder.LITTLE_ENDIAN).getLong();
    BinaryMessageDecoder<? extends IndexedRecord> decoder = DECODERS.get(fingerprint);
    if (decoder == null) {
      throw new CorruptBytesException("not an output of Sfumato, or of a newer version");
    }
    return decode(decoder, bytes);
  }

  public static DirichletRelease decodeRelease(byte[] bytes) {
    return decode(DirichletRelease.getDecoder(), bytes);
  }

  static AbcCandidate decodeCandidate(byte[] bytes) {
    return decode(AbcCandidate.getDecoder(), bytes);
  }

  public static Refusal decodeRefusal(byte[] bytes) {
    return decode(Refusal.getDecoder(), bytes);
  }

  public static DeadLetter decodeDeadLetter(byte[] bytes) {
    return decode(DeadLetter.getDecoder(), bytes);
  }

  /**
   * An operator's command, with everything that its kind needs.
   *
   * @throws CorruptBytesException if it is none
   */
  public static ControlEntry decodeControl(byte[] bytes) {
    ControlEntry entry = decode(ControlEntry.getDecoder(), bytes);
    boolean complete =
        switch (entry.getCommand()) {
          case ENROL, LEAVE -> entry.getSubject() != null && entry.getFrom() != null;
          case FORGET -> entry.getSubject() != null;
          case SKIP ->
              entry.getBudget() != null
                  && entry.getRelease() != null
                  && entry.getRelease().matches(NoiseKey.LOG_TAG);
          case ACTIVATE ->
              entry.getBudget() != null
                  && entry.getFrom() != null
                  && entry.getVersion() != null
                  && entry.getVersion() > 0
                  && entry.getDigest() != null
                  && entry.getNoiseKey() != null;
          case SEAL -> entry.getBudget() != null;
        };
    if (!complete) {
      throw new CorruptBytesException("a command lacks what it needs");
    }
    if (entry.getSubject() != null) {
      int length = entry.getSubject().getBytes(StandardCharsets.UTF_8).length;
      if (length < 1 || length > EventReader.MAX_SUBJECT_BYTES) {
        throw new CorruptBytesException("a subject has 1 to 256 bytes");
      }
    }
    return entry;
  }

  private static <T> T decode(BinaryMessageDecoder<T> decoder, byte[] bytes) {
    try {
      if (bytes == null) {
        throw new CorruptBytesException("no bytes");
      }
      return decoder.decode(bytes);
    } catch (IOException | RuntimeException e) {
      // Of foreign bytes Avro makes exceptions of any kind.
      throw new CorruptBytesException("not the expected Avro record");
    }
  }
}
