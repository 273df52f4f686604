// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.RecordFilter.Condition;
import io.sfumato.record.CanonicalName;
import io.sfumato.record.KeyFormat;
import io.sfumato.record.RecordPart;
import io.sfumato.record.StrictUtf8;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/** Names in what surrounds a record's value: its key, headers and topic. */
interface Surroundings {
  /**
   * The canonical name there; null if there is none.
   *
   * @throws RejectedRecordException if what is there is not of its format
   */
  String name(SourceRecord record) throws RejectedRecordException, IOException;

  /**
   * Reads one part.
   *
   * @param part no field of the value
   * @param schemas of keys that name theirs by an id
   */
  static Surroundings of(InputSpec spec, String part, SchemaSource schemas) {
    if (RecordPart.of(part) instanceof RecordPart.Key) {
      return key(KeyReader.of(spec, part, schemas), spec.formats().keys());
    }
    if (RecordPart.of(part) instanceof RecordPart.Header header) {
      return record -> {
        byte[] text = header(record.headers(), header.name());
        return text == null ? null : CanonicalName.ofText(StrictUtf8.decode(text)).orElse(null);
      };
    }
    if (RecordPart.of(part) instanceof RecordPart.Constant constant) {
      return record -> constant.name();
    }
    return record -> record.topic();
  }

  private static Surroundings key(KeyReader keys, KeyFormat format) {
    boolean registered = format.hasFields() && format != KeyFormat.JSON;
    return record -> {
      if (record.key() == null) {
        throw new RejectedRecordException(RejectionCode.NULL_KEY);
      }
      try {
        return keys.name(record.key());
      } catch (RejectedRecordException e) {
        throw OtherFraming.OF_KEY.explained(e, registered, record.key(), record.headers());
      }
    };
  }

  /**
   * The value of a header; null if it is missing.
   *
   * @throws RejectedRecordException if there are two: another reader may take the other one
   */
  static byte[] header(Headers headers, String name) throws RejectedRecordException {
    Iterator<Header> found = headers.headers(name).iterator();
    if (!found.hasNext()) {
      return null;
    }
    byte[] value = found.next().value();
    if (found.hasNext()) {
      throw RejectedRecordException.withHint(
          RejectionCode.MALFORMED, "two headers have the same name");
    }
    return value;
  }

  /** The conditions of a filter on what surrounds the value. */
  final class Filter {
    private final List<Read> conditions = new ArrayList<>();

    /** A condition, and how its part is read. */
    private record Read(Condition condition, RecordPart part, Surroundings reading) {}

    Filter(InputSpec spec, SchemaSource schemas) {
      for (Condition condition : spec.where().onSurroundings()) {
        String part = condition.part();
        conditions.add(new Read(condition, RecordPart.of(part), of(spec, part, schemas)));
      }
    }

    boolean selects(SourceRecord record) throws RejectedRecordException, IOException {
      for (Read one : conditions) {
        boolean found = isThere(one.part(), record);
        if (!one.condition().accepts(found, found ? one.reading().name(record) : null)) {
          return false;
        }
      }
      return true;
    }

    /** A field of the key is there if it has a name. */
    private static boolean isThere(RecordPart part, SourceRecord record)
        throws RejectedRecordException {
      if (part instanceof RecordPart.Key) {
        return record.key() != null;
      }
      return !(part instanceof RecordPart.Header header)
          || header(record.headers(), header.name()) != null;
    }
  }
}
